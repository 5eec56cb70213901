// Pointer listeners. Only the browser can list them; the driver passes the elements to `mark`.

import { has } from "./dom";

const marked = new WeakSet<Element>();

export function mark(...els: Element[]): void {
  for (const el of els) marked.add(el);
}

/** Whether an element itself is known to handle clicks; a bare one has no attributes that could say so. */
export function listens(el: Element, bare = false): boolean {
  if (marked.has(el)) return true;
  return !bare && (has(el, "onclick") || has(el, "onmousedown") || has(el, "onpointerdown"));
}
