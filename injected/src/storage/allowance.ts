// Limit for one read: larger answers cannot leave the page in one message.

import { fail } from "../failure";

const LIMIT = 50_000_000;

export class Allowance {
  private left: number;

  constructor(private readonly what: string, private readonly limit = LIMIT) {
    this.left = limit;
  }

  /** Counts characters; fails when the limit is exceeded. */
  take(characters: number): void {
    this.left -= characters;
    if (this.left < 0) fail({ kind: "misfit", message: `more than ${this.limit} characters in ${this.what} of ${location.origin}: too large to be read` });
  }
}
