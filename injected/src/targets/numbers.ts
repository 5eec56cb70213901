// Numbers name elements for ever: counted up from 1, never given twice, the same element keeps its
// own. With each number goes a Trace of how its element was last told, by which a re-rendered twin
// can be recognised (see heal.ts).

import type { Mention } from "../failure";

/** How a numbered element was last told. */
export interface Trace {
  role: string;
  name: string;
  /** Role, name and the chain of both above it, as a hash. */
  place: number;
  /** No other element had this place. */
  unique: boolean;
}

const numbers = new WeakMap<Element, number>();
const elements: (WeakRef<Element> | undefined)[] = [undefined];
const traces: (Trace | undefined)[] = [undefined];

export function numberOf(el: Element): number {
  let num = numbers.get(el);
  if (num === undefined) {
    num = elements.length;
    elements.push(new WeakRef(el));
    traces.push(undefined);
    numbers.set(el, num);
  }
  return num;
}

export function numbered(el: Element): boolean {
  return numbers.has(el);
}

export function issued(num: number): boolean {
  return Number.isInteger(num) && num > 0 && num < elements.length;
}

/** The element of a number, connected or not; null when it was never issued or is forgotten. */
export function elementOf(num: number): Element | null {
  return elements[num]?.deref() ?? null;
}

/** Lets a number follow to another element. */
export function rebind(num: number, el: Element): void {
  elements[num] = new WeakRef(el);
  if (!numbers.has(el)) numbers.set(el, num);
}

export function traceOf(num: number): Trace | undefined {
  return traces[num];
}

export function leaveTrace(num: number, trace: Trace): void {
  traces[num] = trace;
}

/** Names an element for a message; keeps what was told of it, for when it is gone. */
export function mention(el: Element, role: string, name: string): Mention {
  const num = numberOf(el);
  traces[num] ??= { role, name, place: 0, unique: false };
  return { num, role, name };
}
