// The sandbox for scripts of clients: runs a user's script without access to cookies, storage and code from strings, while
// the page keeps all of them.
//
// The script runs in a world of its own. It sees the page only through the membrane, by names that a `with` statement
// puts in front of the real ones. It runs in strict mode, so that `this` is never the real window.

import { harden, isRefusal } from "./intrinsics";
import { begin, hostOf, page, shown } from "./membrane";

/** Maximum characters of a returned value. */
const LIMIT = 1_000_000;

type Body = (this: unknown) => (...args: unknown[]) => Promise<unknown>;

async function run(body: Body, args: unknown[]): Promise<string> {
  try {
    const refused = new Promise<never>((_, refuse) => begin({ refuse }));
    const script = Reflect.apply(body, { window: shown(page), call: { __proto__: null, args } }, []);
    const value = await Promise.race([refused, Reflect.apply(script, undefined, args)]);
    return JSON.stringify(written(value));
  } catch (error) {
    return JSON.stringify(failed(error));
  }
}

/** A value for the reply: strings as they are, anything else as JSON. */
function written(value: unknown): object {
  if (value === undefined) return { kind: "undefined" };
  const isText = typeof value === "string";
  const text = isText ? value : spelled(value) ?? JSON.stringify(value, told);
  if (text === undefined) return { kind: "undefined" };
  const cut = text.length > LIMIT;
  return { kind: isText || cut || spelled(value) !== undefined ? "text" : "json", text: cut ? text.slice(0, LIMIT) : text, total: text.length };
}

/** Values that JSON cannot represent. */
function spelled(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "bigint" || typeof value === "symbol" || typeof value === "function" ? String(value) : undefined;
}

/** Replaces what JSON would lose: elements, collections, maps and sets. */
function told(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return Array.from(value);
  if (value instanceof Error) return String(value);
  const host = hostOf(value);
  if (!host) return value;
  if (host instanceof Element) return (host.cloneNode(false) as Element).outerHTML;
  if (host instanceof Node) return host.nodeType === 3 ? host.nodeValue : host.nodeName;
  if (host === page) return "[object Window]";
  return typeof (host as any)[Symbol.iterator] === "function" && typeof (host as any).length === "number" ? Array.from(value as Iterable<unknown>) : value;
}

function failed(error: unknown): object {
  const blocked = isRefusal(error);
  if (!(error instanceof Error)) return { kind: "thrown", message: `Uncaught ${String(error)}`, stack: "", blocked };
  const { name, message, stack } = error as Error;
  return { kind: "thrown", message: blocked ? message : `${name}: ${message}`, stack: String(stack ?? ""), blocked };
}

declare global {
  var ciceroneSandbox: unknown;
}

// If evaluated again in the same world, keep the first instance.
if (!Object.hasOwn(globalThis, "ciceroneSandbox")) {
  harden();
  Object.defineProperty(globalThis, "ciceroneSandbox", { value: Object.freeze({ run }) });
}
