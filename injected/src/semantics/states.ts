// States of an element: checked, pressed, expanded, selected, and heading level. Undefined if the state does not apply.

import { attr, has, tag } from "../page/dom";

export const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"]);

/** True, false or mixed. */
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

/** Expanded or collapsed; undefined if it cannot be expanded. */
export function expandedState(el: Element, role: string): boolean | undefined {
  if (tag(el) === "summary" && role === "button") return has(el.parentElement!, "open");
  const expanded = attr(el, "aria-expanded");
  return expanded === "true" || expanded === "false" ? expanded === "true" : undefined;
}

export function selectedState(el: Element): boolean {
  if (tag(el) === "option" && (el as HTMLOptionElement).selected) return true;
  return attr(el, "aria-selected") === "true";
}

/** The level of a heading, or aria-level of a row or item; undefined if there is none. */
export function levelOf(el: Element, role: string): number | undefined {
  const level = Number.parseInt(attr(el, "aria-level") ?? "", 10);
  if (role !== "heading") return has(el, "aria-level") ? level || 1 : undefined;
  if (level > 0) return level;
  const name = tag(el);
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 2;
}
