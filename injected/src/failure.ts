// A Failure is an answer that a caller must be told apart by kind, not an accident. Anything else
// that is thrown is a bug and is reported as one.

/** An element as failures and matches name it. */
export interface Mention {
  num: number;
  role: string;
  name: string;
}

export type Obstacle = "hidden" | "moving" | "disabled" | "readonly" | "covered" | "through" | "outside" | "text" | "element" | "picked";

export type Problem =
  | { kind: "unknown"; ref: number }
  | { kind: "stale"; ref: number; role: string; name: string }
  | { kind: "none" }
  | { kind: "many"; count: number; matches: Mention[] }
  | { kind: "invalid"; message: string }
  | { kind: "misfit"; message: string; options?: string[] }
  | ({ kind: "timeout"; reason: Obstacle; by?: Mention & { has?: Mention[] }; instead?: string } & Partial<Mention>);

export class Failure {
  constructor(readonly problem: Problem) {}
}

export function fail(problem: Problem): never {
  throw new Failure(problem);
}
