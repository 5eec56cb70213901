// Pointer listeners. Only the browser knows who has one; the driver hands those elements over (`mark`).

import { has } from "./dom";

const marked = new WeakSet<Element>();

export function mark(...els: Element[]): void {
  for (const el of els) marked.add(el);
}

/** Whether an element itself handles clicks, as far as is known. */
export function listens(el: Element): boolean {
  return marked.has(el) || has(el, "onclick") || has(el, "onmousedown") || has(el, "onpointerdown");
}
