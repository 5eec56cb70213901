// Fields where typing has effects elsewhere: suggestions, results.

import { attr, has, nearest } from "../page/dom";
import { Look } from "../semantics/look";
import { roleOf } from "../semantics/role";

const HANDLERS = ["oninput", "onkeyup", "onkeydown", "onkeypress", "onbeforeinput"];

const listening = new WeakSet<Element>();

/** The driver reports that these elements have key or input listeners. */
export function listens(...els: Element[]): void {
  for (const el of els) listening.add(el);
}

export function promises(el: Element, look: Look): boolean {
  const role = roleOf(el, look);
  if (role === "searchbox" || role === "combobox" || has(el, "list") || listening.has(el)) return true;
  if ((attr(el, "aria-autocomplete") ?? "none") !== "none") return true;
  return HANDLERS.some((handler) => has(el, handler)) || nearest(el, "search, [role='search']") !== null;
}
