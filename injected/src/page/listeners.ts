// Pointer listeners. Only the browser knows who has one; the driver hands those elements over (`mark`).

import { has } from "./dom";

const marked = new WeakSet<Element>();

export function mark(...els: Element[]): void {
  for (const el of els) marked.add(el);
}

/** Whether an element itself handles clicks, as far as is known; a bare one has no attributes that could say so. */
export function listens(el: Element, bare = false): boolean {
  if (marked.has(el)) return true;
  return !bare && (has(el, "onclick") || has(el, "onmousedown") || has(el, "onpointerdown"));
}
