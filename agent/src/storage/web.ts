// Web storage of the frame's origin, read and written whole.

import { fail } from "../failure";
import { Allowance } from "./allowance";

export type Kind = "local" | "session";

const { getItem, setItem, removeItem, clear, key: keyAt } = Storage.prototype;
const lengthOf = Object.getOwnPropertyDescriptor(Storage.prototype, "length")!.get!;

export function storageRead(args: { kind: Kind; limit?: number }): [key: string, value: string][] {
  const storage = open(args.kind);
  const allowance = new Allowance(`${args.kind} storage`, args.limit);
  return keysOf(storage).map((key) => {
    const value = getItem.call(storage, key) ?? "";
    allowance.take(key.length + value.length);
    return [key, value];
  });
}

/** Sets items; with `clear`, nothing else stays. */
export function storageWrite(args: { kind: Kind; items: [key: string, value: string][]; clear?: boolean }): object {
  const storage = open(args.kind);
  if (args.clear) clear.call(storage);
  for (const [key, value] of args.items) {
    try {
      setItem.call(storage, key, value);
    } catch (error) {
      fail({ kind: "misfit", message: `${args.kind} storage of ${location.origin} does not take ${JSON.stringify(key)}: ${wordsOf(error)}` });
    }
  }
  return {};
}

export function storageRemove(args: { kind: Kind; keys: string[] }): object {
  const storage = open(args.kind);
  for (const key of args.keys) removeItem.call(storage, key);
  return {};
}

function keysOf(storage: Storage): string[] {
  const length = lengthOf.call(storage) as number;
  return Array.from({ length }, (_, at) => keyAt.call(storage, at)!).filter((key) => key !== null);
}

/** Documents without an origin of their own have no storage, and even asking throws. */
function open(kind: Kind): Storage {
  try {
    return kind === "local" ? window.localStorage : window.sessionStorage;
  } catch (error) {
    return fail({ kind: "misfit", message: `this document has no ${kind} storage: ${wordsOf(error)}` });
  }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.message : String(error);
}
