// Fields: their values, and which values they accept.

import { attr, dispatch, has, tag, textContent } from "../page/dom";
import { Look } from "../semantics/look";
import { disabledNatively } from "../semantics/operable";
import { resolveNumber } from "../targets/heal";
import { hasEditContext, surfaceOf, surfaceText } from "./surface";
import { secret } from "./value";

export type FieldKind = "text" | "textarea" | "editable" | "select" | "checkbox" | "radio" | "file" | "button" | "none" | "formatted" | "toggle";

const FORMATTED = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
/** Roles that toggle without being an input; `aria-checked` has the state. */
const TOGGLES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const BUTTONS = new Set(["button", "submit", "reset", "image"]);

export function kindOf(el: Element): FieldKind {
  switch (tag(el)) {
    case "textarea":
      return "textarea";
    case "select":
      return "select";
    case "input":
      return inputKind((el as HTMLInputElement).type);
    default:
      if (TOGGLES.has((attr(el, "role") ?? "").trim())) return "toggle";
      return (el as HTMLElement).isContentEditable === true || hasEditContext(el) ? "editable" : "none";
  }
}

function inputKind(type: string): FieldKind {
  if (type === "checkbox" || type === "radio" || type === "file") return type;
  if (FORMATTED.has(type)) return "formatted";
  if (type === "hidden") return "none";
  return BUTTONS.has(type) ? "button" : "text";
}

export function readOnly(el: Element): boolean {
  const name = tag(el);
  if ((name === "input" || name === "textarea") && (el as HTMLInputElement).readOnly) return true;
  return has(el, "aria-readonly") && attr(el, "aria-readonly") === "true";
}

export function valueOf(el: Element): string {
  const kind = kindOf(el);
  if (kind === "editable" || kind === "textarea") {
    const look = new Look();
    const surface = surfaceOf(el, look);
    if (surface) return surfaceText(surface, el, look);
  }
  switch (kind) {
    case "select":
      return selectedLabels(el as HTMLSelectElement);
    case "checkbox":
    case "radio":
    case "toggle":
      return String(checkedNow(el));
    case "editable":
      return (el as HTMLElement).innerText;
    case "none":
      return tag(el) === "input" ? (el as HTMLInputElement).value : textContent(el);
    default:
      return (el as HTMLInputElement).value;
  }
}

/** Whether a checkable element is checked. */
export function checkedNow(el: Element): boolean {
  return tag(el) === "input" ? (el as HTMLInputElement).checked : attr(el, "aria-checked") === "true";
}

function selectedLabels(select: HTMLSelectElement): string {
  return Array.from(select.selectedOptions, (option) => option.label).join(", ");
}

/** The control of a label; any other element itself. */
export function controlOf(el: Element): Element {
  return (tag(el) === "label" && (el as HTMLLabelElement).control) || el;
}

export function read(args: { num: number }): object {
  const el = controlOf(resolveNumber(args.num).el);
  const kind = kindOf(el);
  const writable = kind !== "none" && kind !== "button" && !readOnly(el) && !disabledNatively(el);
  const result: Record<string, unknown> = { value: valueOf(el), kind, editable: writable };
  if (kind === "checkbox" || kind === "radio" || kind === "toggle") result.checked = checkedNow(el);
  if (secret(el)) result.masked = true;
  if (surfaceOf(el, new Look())) result.drawn = true;
  return result;
}

/** Fires `input` and `change`, as the browser would. */
export function announce(el: Element): void {
  dispatch(el, new Event("input", { bubbles: true, composed: true }));
  dispatch(el, new Event("change", { bubbles: true, composed: true }));
}
