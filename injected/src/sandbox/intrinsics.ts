// The language as sandboxed scripts see it: without code from strings, and frozen, so that no script can change what
// the sandbox is built on.

const refusals = new WeakSet<Error>();

/** Whether an error is a refusal by the sandbox. */
export const isRefusal = (error: unknown): error is Error => typeof error === "object" && error !== null && refusals.has(error as Error);

function refusal(message: string): Error {
  const error = new Error(message);
  refusals.add(error);
  return error;
}

/** A refusal: the feature is blocked. */
export const blocked = (what: string) => refusal(`${what} is blocked`);

/** A refusal: the sandbox does not offer the feature. */
export const unavailable = (what: string) => refusal(`${what} is not available`);

const BUILT_IN =
  "Object Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy Map Set WeakMap WeakSet WeakRef FinalizationRegistry " +
  "Promise Date RegExp Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError SuppressedError " +
  "DisposableStack AsyncDisposableStack ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array " +
  "Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Intl Iterator Temporal parseInt parseFloat isNaN " +
  "isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape undefined NaN Infinity";

/** Global names of the language, with their values. */
export const builtIns = new Map<string, unknown>();

/** Every intrinsic object. */
const intrinsics = new Set<object>();

export const isIntrinsic = (value: object | null) => value !== null && intrinsics.has(value);

/** A function that only throws a refusal. `instanceof` still works. */
function refusing(name: string, prototype?: object): Function {
  const refuse = function () {
    throw blocked(name);
  };
  Object.defineProperty(refuse, "name", { value: name });
  if (prototype) Object.defineProperty(refuse, "prototype", { value: prototype });
  return refuse;
}

/** Replaces the constructors that compile strings, wherever they are reachable from a function. */
function withoutCodeFromStrings(): void {
  const samples = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (const sample of samples) {
    const prototype = Object.getPrototypeOf(sample) as object;
    const name = (prototype.constructor as Function).name;
    const value = refusing(name, prototype);
    Object.defineProperty(prototype, "constructor", { value, writable: false });
    if (name === "Function") builtIns.set(name, value);
  }
  builtIns.set("eval", refusing("eval"));
  for (const name of ["eval", "Function"]) Object.defineProperty(globalThis, name, { value: builtIns.get(name) });
}

/** A frozen prototype's data property blocks assignment on derived objects; an accessor does not. */
function overridable(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const { value, enumerable, configurable } = Reflect.getOwnPropertyDescriptor(prototype, key)!;
    if (value === undefined || !configurable) continue;
    const get = () => value;
    const set = function (this: object, value: unknown) {
      if (this === prototype) throw new TypeError(`Cannot assign to read only property '${String(key)}'`);
      Reflect.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    };
    Object.defineProperty(prototype, key, { get, set, enumerable: enumerable!, configurable: false });
  }
}

function freeze(root: unknown): void {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if ((typeof value !== "object" && typeof value !== "function") || value === null || intrinsics.has(value)) continue;
    intrinsics.add(value);
    left.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key)!;
      left.push(property.value, property.get, property.set);
    }
    Object.freeze(value);
  }
}

export function harden(): void {
  withoutCodeFromStrings();
  const scope = globalThis as Record<string, any>;
  for (const name of BUILT_IN.split(" ")) {
    if (Object.hasOwn(scope, name)) builtIns.set(name, scope[name]);
  }
  const errors = ["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"];
  for (const name of ["Object", "Function", ...errors]) overridable((builtIns.get(name) as Function).prototype);
  for (const value of builtIns.values()) freeze(value);
  // Not reachable from a global name.
  for (const hidden of [async function () {}, function* () {}, async function* () {}, [][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/x/g)]) {
    freeze(Object.getPrototypeOf(hidden));
  }
}
