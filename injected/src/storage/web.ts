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

/**
 * Sets items; with `clear`, nothing else stays. With `arrive`, it waits until the browser has them: local storage is
 * written behind, and a document that is closed at once takes what is under way with it.
 */
export async function storageWrite(args: { kind: Kind; items: [key: string, value: string][]; clear?: boolean; arrive?: boolean }): Promise<object> {
  const storage = open(args.kind);
  if (args.clear) clear.call(storage);
  const last = args.arrive && args.kind === "local" ? args.items.at(-1) : undefined;
  const arrived = last && arrival(last);
  // What is there already would be set without a word.
  if (last) removeItem.call(storage, last[0]);
  for (const [key, value] of args.items) {
    try {
      setItem.call(storage, key, value);
    } catch (error) {
      fail({ kind: "misfit", message: `${args.kind} storage of ${location.origin} does not take ${JSON.stringify(key)}: ${wordsOf(error)}` });
    }
  }
  await arrived;
  return {};
}

/** Documents hear of an item only when it has been through the browser; all others of the same origin do. */
function arrival([key, value]: [key: string, value: string]): Promise<void> {
  const listener = document.createElement("iframe");
  document.documentElement.append(listener);
  const heard = new Promise<void>((resolve) => {
    listener.contentWindow!.addEventListener("storage", (event) => {
      if (event.key === key && event.newValue === value) resolve();
    });
    // Only those hear of it that have looked.
    void listener.contentWindow!.localStorage.length;
  });
  return heard.finally(() => listener.remove());
}

export function storageRemove(args: { kind: Kind; keys: string[] }): object {
  const storage = open(args.kind);
  for (const key of args.keys) removeItem.call(storage, key);
  return {};
}

/** Every engine has an order of its own, and may have another one tomorrow. */
function keysOf(storage: Storage): string[] {
  const length = lengthOf.call(storage) as number;
  const keys = Array.from({ length }, (_, at) => keyAt.call(storage, at)!);
  return keys.filter((key) => key !== null).sort();
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
