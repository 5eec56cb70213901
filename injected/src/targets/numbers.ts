// Element numbers: counted from 1 and never reused; an element keeps its number. Each number has a Trace of how its
// element last appeared in a snapshot, to recognise a re-rendered twin (see heal.ts).

import type { Mention } from "../failure";
import { isConnected } from "../page/dom";

/** How a numbered element last appeared in a snapshot. */
export interface Trace {
  role: string;
  name: string;
  /** Hash of role and name of the element and its ancestors. */
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

/** The element of a number, connected or not; null if never issued or forgotten. */
export function elementOf(num: number): Element | null {
  return elements[num]?.deref() ?? null;
}

/** The numbers whose elements are still in the document, shown or not. */
export function connected(args: { nums: number[] }): number[] {
  return args.nums.filter((num) => {
    const el = elementOf(num);
    // A number that moved to a twin stands for an element that is gone.
    return el !== null && isConnected(el) && numbers.get(el) === num;
  });
}

/** Moves a number to another element. */
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

/** Describes an element for a message, and keeps the description for when the element is gone. */
export function mention(el: Element, role: string, name: string): Mention {
  const num = numberOf(el);
  traces[num] ??= { role, name, place: 0, unique: false };
  return { num, role, name };
}
