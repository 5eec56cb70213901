// Web storage of the frame's origin, read and written as a whole.

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
 * Sets items; with `clear`, removes all others. With `arrive`, waits until the browser process has them: local storage
 * is written asynchronously, and closing the document at once loses pending writes.
 */
export async function storageWrite(args: { kind: Kind; items: [key: string, value: string][]; clear?: boolean; arrive?: boolean }): Promise<object> {
  const storage = open(args.kind);
  if (args.clear) clear.call(storage);
  const last = args.arrive && args.kind === "local" ? args.items.at(-1) : undefined;
  const arrived = last && arrival(last);
  // Setting an equal value fires no event.
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

/** Other documents of the origin get a storage event once the item has been through the browser process. */
function arrival([key, value]: [key: string, value: string]): Promise<void> {
  const listener = document.createElement("iframe");
  document.documentElement.append(listener);
  const heard = new Promise<void>((resolve) => {
    listener.contentWindow!.addEventListener("storage", (event) => {
      if (event.key === key && event.newValue === value) resolve();
    });
    // Events go only to documents that have accessed the storage.
    void listener.contentWindow!.localStorage.length;
  });
  return heard.finally(() => listener.remove());
}

export function storageRemove(args: { kind: Kind; keys: string[] }): object {
  const storage = open(args.kind);
  for (const key of args.keys) removeItem.call(storage, key);
  return {};
}

/** The order of keys depends on the engine. */
function keysOf(storage: Storage): string[] {
  const length = lengthOf.call(storage) as number;
  const keys = Array.from({ length }, (_, at) => keyAt.call(storage, at)!);
  return keys.filter((key) => key !== null).sort();
}

/** Documents with an opaque origin have no storage, and access throws. */
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
