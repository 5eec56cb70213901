// A Failure is an expected error that callers distinguish by kind. Any other exception is a bug and is reported as one.

/** An element as errors and matches describe it. */
export interface Mention {
  num: number;
  role: string;
  name: string;
}

/** Why a wait timed out. `TimeoutReason` in crates/engine/src/injected.rs has the same words. */
export type Obstacle = "hidden" | "moving" | "disabled" | "readonly" | "covered" | "through" | "outside" | "text" | "element" | "picked";

export type Problem =
  | { kind: "unknown"; ref: number }
  | { kind: "stale"; ref: number; role: string; name: string }
  | { kind: "none" }
  | { kind: "many"; count: number; matches: Mention[] }
  | { kind: "invalid"; message: string }
  | { kind: "misfit"; message: string; options?: string[] }
  | ({ kind: "timeout"; reason: Obstacle; by?: Mention & { has?: Mention[] }; text?: string; state?: "visible" | "hidden" } & Partial<Mention>);

export class Failure {
  constructor(readonly problem: Problem) {}
}

export function fail(problem: Problem): never {
  throw new Failure(problem);
}
