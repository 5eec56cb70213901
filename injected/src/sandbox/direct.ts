// Objects whose members are own properties instead of interface members: the window, its location, the document's
// location, and namespaces.

import { assign, inBrowser, page, shown } from "./membrane";
import { blocked, builtIns } from "./intrinsics";
import { BLOCKED, LOCATION, NAMED_CONSTRUCTORS, NAMESPACES, WINDOW, isInterface } from "./offered";
import { type Member, type Shape, makerOf, methodOf, shapeOf } from "./shapes";

/** The shape of such an object. */
export function direct(host: object): Shape | null {
  if (host === page) return ofWindow();
  if (host === page.location) return ofNames("Location", host, (name) => LOCATION.has(name));
  if (host === page.document) return ofDocument(host);
  for (const name of Object.keys(NAMESPACES)) {
    if (host === page[name]) return ofNames(name, host, (member) => NAMESPACES[name]!.has(member));
  }
  return null;
}

function ofNames(of: string, host: object, isOffered: (name: string) => boolean, special?: (name: string) => Member | undefined): Shape {
  const members = new Map<string, Member>();
  const member = (name: string): Member | undefined => {
    const known = members.get(name);
    if (known) return known;
    const made = special?.(name) ?? (isOffered(name) && inBrowser(() => Reflect.has(host, name)) ? property(of, host, name) : undefined);
    if (made) members.set(name, made);
    return made;
  };
  return { name: of, prototype: false, indexed: false, named: false, open: false, member, keys: () => [...members.keys()] };
}

function property(of: string, host: object, name: string): Member {
  const value = inBrowser(() => Reflect.get(host, name) as unknown);
  // Event handlers of the page are not callable.
  if (typeof value === "function" && !/^on[a-z]+$/.test(name)) return constant(methodOf(of, name, value, of === "Window"));
  const read = () => inBrowser(() => shown(Reflect.get(host, name)));
  const write = (_: object, value: unknown) => assign(of, name, host, value, (raw) => Reflect.set(host, name, raw));
  return { read, write, describe: () => ({ value: read(), writable: true, enumerable: true, configurable: true }) };
}

const constant = (value: unknown): Member => ({
  method: typeof value === "function" ? value : undefined,
  read: () => value,
  describe: () => ({ value, writable: true, enumerable: true, configurable: true }),
});

function refused(error: () => Error): Member {
  const refuse = (): never => {
    throw error();
  };
  return { read: refuse, write: refuse, describe: refuse };
}

function ofWindow(): Shape {
  const itself = new Set(["window", "self", "globalThis", "frames", "parent", "top"]);
  return ofNames("Window", page, (name) => WINDOW.has(name) || /^on[a-z]+$/.test(name), (name) => {
    if (builtIns.has(name)) return constant(builtIns.get(name));
    if (Object.hasOwn(BLOCKED, name)) return refused(() => blocked(BLOCKED[name]!));
    // Scripts see no other window.
    if (itself.has(name)) return { ...constant(undefined), read: () => shown(page) };
    if (WINDOW.has(name)) return undefined;
    const isFunction = isInterface(name) || Object.hasOwn(NAMED_CONSTRUCTORS, name);
    if (isFunction && typeof page[name] === "function") return constant(makerOf(name));
    return undefined;
  });
}

function ofDocument(host: object): Shape {
  const shape = shapeOf(host);
  const location = property("Document", host, "location");
  const of = (name: string) => (name === "location" ? location : shape.member(name));
  return { ...shape, indexed: false, member: of };
}
