// States that a person sees in an element, or is told of: checked, pressed, expanded, selected, and the level of
// a heading. An element that has no such state has none of its values.

import { attr, has, tag } from "../page/dom";

export const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"]);

/** On, off or in between. */
export type Tristate = boolean | "mixed";

export function checkedState(el: Element): Tristate {
  if (tag(el) === "input") {
    const { indeterminate, checked } = el as HTMLInputElement;
    return indeterminate ? "mixed" : checked;
  }
  return tristate(attr(el, "aria-checked"));
}

export function pressedState(el: Element): Tristate {
  return tristate(attr(el, "aria-pressed"));
}

function tristate(value: string | null): Tristate {
  return value === "true" || (value === "mixed" && "mixed");
}

/** Open or closed; undefined for what cannot be opened. */
export function expandedState(el: Element, role: string): boolean | undefined {
  if (tag(el) === "summary" && role === "button") return has(el.parentElement!, "open");
  const expanded = attr(el, "aria-expanded");
  return expanded === "true" || expanded === "false" ? expanded === "true" : undefined;
}

export function selectedState(el: Element): boolean {
  if (tag(el) === "option" && (el as HTMLOptionElement).selected) return true;
  return attr(el, "aria-selected") === "true";
}

/** The level of a heading, or what the author says of a row or an item; undefined for what has none. */
export function levelOf(el: Element, role: string): number | undefined {
  const level = Number.parseInt(attr(el, "aria-level") ?? "", 10);
  if (role !== "heading") return has(el, "aria-level") ? level || 1 : undefined;
  if (level > 0) return level;
  const name = tag(el);
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 2;
}
