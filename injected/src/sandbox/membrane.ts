// The membrane between a script and the page: each page object is seen through a proxy that has only the offered
// members. A script never holds a page object, and the page never holds a script object.

import { guardCall, guardWrite } from "./guards";
import { blocked, isIntrinsic, isRefusal, unavailable } from "./intrinsics";
import { direct } from "./direct";
import { BLOCKED } from "./offered";
import { type Member, shapeOf } from "./shapes";

/** The page's window. In Firefox it is not the global object. */
export const page = window as unknown as Record<PropertyKey, any>;

const proxies = new WeakMap<object, object>();
const hosts = new WeakMap<object, object>();
/** Exceptions of the script's own code, on their way through the browser. */
const thrown = new WeakSet<object>();

const isObject = (value: unknown): value is object => (typeof value === "object" && value !== null) || typeof value === "function";

/** The page object behind a proxy. */
export const hostOf = (value: unknown): object | undefined => (isObject(value) ? hosts.get(value) : undefined);

/** The page object that a method is called on; optional for functions of the window. */
export function receiver(self: unknown, ofWindow = false): object {
  const host = self === undefined && ofWindow ? page : hostOf(self);
  if (!host) throw new TypeError("Illegal invocation");
  return host;
}

/** Registers the proxy of a page object. */
export function show(host: object, proxy: object): void {
  proxies.set(host, proxy);
  hosts.set(proxy, host);
}

/** Runs browser code; exceptions are converted for the script. */
export function inBrowser<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw shownError(error);
  }
}

function shownError(error: unknown): unknown {
  if (!isObject(error) || isRefusal(error) || thrown.has(error)) return error;
  if (isIntrinsic(Object.getPrototypeOf(error))) return error;
  const { name, message } = error as Error;
  const shown = new Error(String(message));
  Object.defineProperty(shown, "name", { value: String(name), configurable: true });
  return shown;
}

/** Converts a browser value for the script. */
export function shown(value: unknown): any {
  if (!isObject(value)) return value;
  const known = proxies.get(value);
  if (known) return known;
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => shown(value[index]));
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object Promise]") return settled(value as Promise<unknown>);
  if (isBytes(value)) return value;
  refuseOthers(value, tag);
  if (tag === "[object Object]" && isPlain(value)) return shownCopy(value);
  if (typeof value !== "function" && value instanceof Error && isIntrinsic(Object.getPrototypeOf(value))) return value;
  return proxied(value);
}

async function settled(promise: Promise<unknown>): Promise<unknown> {
  try {
    return shown(await promise);
  } catch (error) {
    throw shownError(error);
  }
}

const isBytes = (value: object) => ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === "[object ArrayBuffer]";

/** Whether it is a plain object, of any realm. */
function isPlain(value: object): boolean {
  if (typeof value === "function") return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function shownCopy(value: object): object {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    Object.defineProperty(copy, key, { value: shown((value as any)[key]), writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** Nothing should lead to these objects; this is a second barrier. */
function refuseOthers(value: object, tag: string): void {
  if (tag === "[object Storage]" || tag === "[object CookieStore]") throw blocked(tag.slice(8, -1));
  if (value === page) return;
  let isWindow = tag === "[object Window]";
  try {
    isWindow ||= (value as any).window === value;
  } catch {
    isWindow = true;
  }
  if (isWindow) throw blocked("another window");
  if (tag.endsWith("Document]") && value !== page.document && isDisplayed(value)) throw blocked("another document");
}

function isDisplayed(document: object): boolean {
  try {
    return (document as Document).defaultView !== null;
  } catch {
    // A prototype is not a document itself.
    return false;
  }
}

/** Converts a script value for the browser. */
export function given(value: unknown, depth = 0): unknown {
  if (!isObject(value)) return value;
  const host = hosts.get(value);
  if (host) return host;
  if (typeof value === "function") return callback(value as (...args: unknown[]) => unknown);
  if (isBytes(value)) return value;
  if (depth > 50) throw new TypeError("an argument is nested too deep");
  if (Array.isArray(value)) return Array.from(value, (item) => given(item, depth + 1));
  if (!isPlain(value)) return String(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = given((value as any)[key], depth + 1);
  return copy;
}

/** The running script. */
let running: { refuse(error: Error): void } = { refuse() {} };

export function begin(run: { refuse(error: Error): void }): void {
  running = run;
}

/** Wraps a script's function for the browser to call. */
export function callback(run: (...args: unknown[]) => unknown): Function {
  const known = callbacks.get(run);
  if (known) return known;
  const owner = running;
  const host = function (this: unknown, ...args: unknown[]): unknown {
    try {
      return given(Reflect.apply(run, shown(this), args.map((arg) => shown(arg))));
    } catch (error) {
      if (isObject(error)) thrown.add(error);
      // Nobody observes the exception where it is thrown, and the script may wait for this function forever: fail the
      // script.
      if (!isRefusal(error) || owner !== running) throw error;
      owner.refuse(error);
      return undefined;
    }
  };
  callbacks.set(run, host);
  proxies.set(host, run);
  return host;
}
const callbacks = new WeakMap<Function, Function>();

/** Calls a browser function for a script. */
export function invoke(of: string, name: string, run: Function, self: object, args: unknown[]): unknown {
  return inBrowser(() => {
    const raw = args.map((arg) => given(arg));
    const instead = guardCall(of, name, self, raw, args);
    const value = instead ? instead() : Reflect.apply(run, self, raw);
    return isIterator(value) ? rest(value)[Symbol.iterator]() : shown(value);
  });
}

const isIterator = (value: unknown): value is Iterator<unknown> => isObject(value) && Object.prototype.toString.call(value).endsWith("Iterator]");

/** Drains a browser iterator. In Firefox it is not iterable itself. */
function rest(iterator: Iterator<unknown>): unknown[] {
  const items: unknown[] = [];
  for (let step = iterator.next(); !step.done; step = iterator.next()) items.push(shown(step.value));
  return items;
}

/** Assigns a property for a script. */
export function assign(of: string, name: string, self: object, value: unknown, set: (raw: unknown) => void): void {
  inBrowser(() => {
    const raw = isObject(value) && !hosts.has(value) && typeof value !== "function" && !Array.isArray(value) ? String(value) : given(value);
    const guarded = guardWrite(of, name, self, raw);
    if (guarded !== "done") set(guarded.value);
  });
}

const isIndex = (key: PropertyKey): key is string => typeof key === "string" && /^(?:0|[1-9]\d{0,9})$/.test(key);

function proxied(host: object): object {
  const shape = direct(host) ?? shapeOf(host);
  const member = (key: PropertyKey): Member | undefined => (typeof key === "string" ? shape.member(key) : undefined);
  /** An indexed or named item of the object. */
  const item = (key: PropertyKey): boolean => typeof key === "string" && ((shape.indexed && isIndex(key)) || shape.named) && Object.hasOwn(host, key);
  const absent = (key: PropertyKey): never => {
    if (typeof key === "string" && Object.hasOwn(BLOCKED, key)) throw blocked(BLOCKED[key]!);
    throw unavailable(String(key));
  };
  // In Firefox the global object has names that the window lacks.
  const isIn = (key: PropertyKey) => inBrowser(() => Reflect.has(host, key)) || (host === page && Reflect.has(globalThis, key));

  const proxy: object = new Proxy({}, {
    get(own, key, self) {
      const known = member(key);
      if (known) return known.method ?? known.read!(self === proxy ? host : receiver(self));
      if (item(key)) return inBrowser(() => shown(Reflect.get(host, key)));
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      if (key === Symbol.iterator) return shape.prototype || !isIn(key) ? undefined : () => Array.from(host as Iterable<unknown>, (value) => shown(value))[Symbol.iterator]();
      if (key === Symbol.toStringTag) return shape.name;
      if (key === "constructor") return shape.maker?.() ?? Object;
      if (Reflect.has(Object.prototype, key)) return Reflect.get(Object.prototype, key, self);
      if (shape.open && typeof key === "string") return inBrowser(() => shown(Reflect.get(host, key)));
      return typeof key === "string" && isIn(key) ? absent(key) : undefined;
    },
    set(own, key, value, self) {
      const known = member(key);
      if (known) {
        if (!known.write) return false;
        known.write(self === proxy ? host : receiver(self), value);
        return true;
      }
      if (self !== proxy) return Reflect.defineProperty(self, key, { value, writable: true, enumerable: true, configurable: true });
      if (typeof key === "string" && (shape.open || item(key))) {
        assign(shape.name, key, host, value, (raw) => Reflect.set(host, key, raw));
        return true;
      }
      if (typeof key === "string" && !Object.hasOwn(own, key) && !Reflect.has(Object.prototype, key) && isIn(key)) absent(key);
      return Reflect.set(own, key, value);
    },
    has: (own, key) => member(key) !== undefined || Reflect.has(own, key) || isIn(key),
    deleteProperty(own, key) {
      if (shape.open && typeof key === "string") return inBrowser(() => Reflect.deleteProperty(host, key));
      return member(key) ? false : Reflect.deleteProperty(own, key);
    },
    defineProperty: (own, key, property) => !member(key) && !item(key) && !shape.open && Reflect.defineProperty(own, key, property),
    ownKeys(own) {
      const listed = shape.indexed || shape.named ? inBrowser(() => Reflect.ownKeys(host).filter((key) => item(key))) : [];
      return [...new Set([...listed, ...shape.keys(), ...Reflect.ownKeys(own)])];
    },
    getOwnPropertyDescriptor(own, key) {
      if (typeof key === "string" && Object.hasOwn(BLOCKED, key) && Object.hasOwn(host, key)) absent(key);
      const known = typeof key === "string" && shape.keys().includes(key) ? member(key) : undefined;
      if (known) return known.describe(host);
      if (item(key)) return { value: inBrowser(() => shown(Reflect.get(host, key))), writable: true, enumerable: true, configurable: true };
      return Reflect.getOwnPropertyDescriptor(own, key);
    },
    getPrototypeOf() {
      const prototype = inBrowser(() => Object.getPrototypeOf(host) as object | null);
      return prototype === null || isIntrinsic(prototype) || Object.getPrototypeOf(prototype) === null ? Object.prototype : shown(prototype);
    },
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
  show(host, proxy);
  return proxy;
}
