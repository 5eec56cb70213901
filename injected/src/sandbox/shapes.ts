// The shape of an object: the members that a script sees, from the interfaces it implements.

import { assign, invoke, inBrowser, page, receiver, show, shown } from "./membrane";
import { blocked, unavailable } from "./intrinsics";
import { BLOCKED, MAKES, NAMED_CONSTRUCTORS, STATICS, offers } from "./offered";

/** One property of an interface. */
export interface Member {
  method?: Function;
  read?(host: object): unknown;
  write?: (host: object, value: unknown) => void;
  describe(host: object): PropertyDescriptor;
}

export interface Shape {
  name: string;
  /** Whether it is a prototype itself. */
  prototype: boolean;
  /** Whether it has indexed or named items. */
  indexed: boolean;
  named: boolean;
  /** Whether any name is a property of it. */
  open: boolean;
  member(key: string): Member | undefined;
  /** The names of its own members. */
  keys(): string[];
  maker?(): Function;
}

interface Interface {
  name: string;
  own: Map<string, Member>;
}

const interfaces = new WeakMap<object, Interface | null>();

/** The interface that an object is the prototype of. */
function interfaceOf(prototype: object): Interface | null {
  const known = interfaces.get(prototype);
  if (known !== undefined) return known;
  const tag = Reflect.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value as unknown;
  const name = typeof tag === "string" && (page[tag] as Function | undefined)?.prototype === prototype ? tag : "";
  const found = name ? { name, own: membersOf(prototype, name) } : null;
  interfaces.set(prototype, found);
  return found;
}

function membersOf(prototype: object, name: string): Map<string, Member> {
  const own = new Map<string, Member>();
  const isOffered = offers(name);
  for (const key of Reflect.ownKeys(prototype)) {
    if (typeof key !== "string" || key === "constructor") continue;
    if (Object.hasOwn(BLOCKED, key)) own.set(key, blockedMember(key));
    else if (isOffered?.(key)) own.set(key, memberOf(name, key, Reflect.getOwnPropertyDescriptor(prototype, key)!));
  }
  return own;
}

function blockedMember(key: string): Member {
  const refuse = (): never => {
    throw blocked(BLOCKED[key]!);
  };
  return { read: refuse, write: refuse, describe: refuse };
}

function memberOf(of: string, key: string, { value, get, set, enumerable }: PropertyDescriptor): Member {
  if (typeof value === "function") {
    const method = methodOf(of, key, value as Function);
    return { method, describe: () => ({ value: method, writable: true, enumerable: enumerable!, configurable: true }) };
  }
  const read = (host: object) => (get ? inBrowser(() => shown(Reflect.apply(get, host, []))) : value);
  const write = set && ((host: object, value: unknown) => assign(of, key, host, value, (raw) => Reflect.apply(set, host, [raw])));
  const getter = { [key](this: unknown) { return read(receiver(this)); } }[key]!;
  const setter = write && { [key](this: unknown, value: unknown) { write(receiver(this), value); } }[key]!;
  const describe = () =>
    get || set
      ? { get: getter as () => unknown, set: setter as ((value: unknown) => void) | undefined, enumerable: enumerable!, configurable: true }
      : { value, writable: false, enumerable: enumerable!, configurable: true };
  return { read, write, describe };
}

/** A browser function, as a script sees it. */
export function methodOf(of: string, name: string, run: Function, ofWindow = false): Function {
  return { [name](this: unknown, ...args: unknown[]) { return invoke(of, name, run, receiver(this, ofWindow), args); } }[name]!;
}

/** The one own property of events. */
const trusted: Member = {
  read: (host) => inBrowser(() => Reflect.get(host, "isTrusted") as boolean),
  describe: (host) => ({ value: Reflect.get(host, "isTrusted") as boolean, writable: false, enumerable: true, configurable: true }),
};

const NAMED = /^(?:HTMLCollection|HTMLFormControlsCollection|HTMLOptionsCollection|HTMLFormElement|NamedNodeMap|DOMStringMap|RadioNodeList)$/;
const OPEN = /^(?:DOMStringMap|CSSStyleDeclaration|CSS2Properties|CSSStyleProperties)$/;

/** Shapes of non-prototype objects, by their prototype. */
const shapes = new WeakMap<object, Shape>();

/** What a script sees of an object. */
export function shapeOf(host: object): Shape {
  const above = Object.getPrototypeOf(host) as object | null;
  if (above === null || interfaceOf(host)) return shapeFrom(host);
  let known = shapes.get(above);
  if (!known) shapes.set(above, (known = shapeFrom(host)));
  return known;
}

function shapeFrom(host: object): Shape {
  const chain: Interface[] = [];
  for (let at: object | null = host; at !== null; at = Object.getPrototypeOf(at)) {
    const known = interfaceOf(at);
    if (known) chain.push(known);
  }
  const prototype = interfaceOf(host) !== null;
  const names = prototype ? [] : chain.map(({ name }) => name);
  const leaf = chain[0];
  const isEvent = names.includes("Event");
  return {
    name: leaf?.name ?? "Object",
    prototype,
    indexed: names.length > 0,
    named: names.some((name) => NAMED.test(name)),
    open: names.some((name) => OPEN.test(name)),
    member(key) {
      if (key === "isTrusted" && isEvent) return trusted;
      for (const { own } of chain) {
        const found = own.get(key);
        if (found) return found;
      }
      return undefined;
    },
    keys: () => (prototype ? [...leaf!.own.keys()] : []),
    maker: leaf && (() => makerOf(leaf.name)),
  };
}

const makers = new Map<string, Function>();

/** An interface object for scripts: for `instanceof`, constants, and `new` if allowed. */
export function makerOf(name: string): Function {
  const known = makers.get(name);
  if (known) return known;
  const host = page[name] as Function & Record<string, unknown>;
  const maker = function (this: unknown, ...args: unknown[]): unknown {
    if (!new.target) throw new TypeError(`Failed to construct '${name}': use the 'new' operator`);
    if (!MAKES.test(name)) throw unavailable(`new ${name}()`);
    return invoke(name, "constructor", (...raw: unknown[]) => Reflect.construct(host, raw), page, args) as object;
  };
  const prototype = (page[NAMED_CONSTRUCTORS[name] ?? name] as Function).prototype as object;
  Object.defineProperty(maker, "name", { value: name });
  Object.defineProperty(maker, "prototype", { value: shown(prototype), writable: false });
  for (const key of Reflect.ownKeys(host)) {
    const value = typeof key === "string" && !Object.hasOwn(maker, key) ? Reflect.getOwnPropertyDescriptor(host, key)!.value : undefined;
    if (typeof value === "number") Object.defineProperty(maker, key, { value, enumerable: true });
    if (typeof value === "function" && STATICS[name]?.includes(key as string)) {
      const run = value as Function;
      Object.defineProperty(maker, key, { value: (...args: unknown[]) => invoke(name, key as string, run, host, args) });
    }
  }
  makers.set(name, maker);
  show(host, maker);
  return Object.freeze(maker);
}
