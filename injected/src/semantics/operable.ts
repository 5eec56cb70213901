// Whether a user can operate an element: focus it, click it, type into it.

import { attr, has, is, nearest, tag } from "../page/dom";

export function focusable(el: Element): boolean {
  const tabindex = attr(el, "tabindex");
  if (tabindex !== null && tabindex.trim() !== "" && Number.isInteger(Number(tabindex))) return !disabledNatively(el);
  switch (tag(el)) {
    case "a":
    case "area":
      return has(el, "href");
    case "input":
      return attr(el, "type")?.toLowerCase() !== "hidden" && !disabledNatively(el);
    case "button":
    case "select":
    case "textarea":
      return !disabledNatively(el);
    case "summary":
    case "iframe":
      return true;
    default:
      return editingHost(el);
  }
}

const DISABLEABLE = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);

/** Disabled by its own attribute, a fieldset or an option group. */
export function disabledNatively(el: Element): boolean {
  const name = tag(el);
  return (DISABLEABLE.has(name) || name.includes("-")) && is(el, ":disabled");
}

/** The element with contenteditable, not its descendants. */
export function editingHost(el: Element): boolean {
  const editable = attr(el, "contenteditable");
  return editable !== null && editable.toLowerCase() !== "false" && (el as HTMLElement).isContentEditable === true;
}

/** Disabled natively, or by aria-disabled on it or an ancestor. */
export function disabled(el: Element): boolean {
  return disabledNatively(el) || nearest(el, "[aria-disabled='true']") !== null;
}
