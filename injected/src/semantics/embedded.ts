// Embedded controls (step 2C): inside another element's name, a field contributes its value, as in "Remind me in [5]
// minutes".

import { secret } from "../fields/value";
import { attr, has, holds, query, rootOf, tag, textContent } from "../page/dom";
import type { Look } from "./look";
import { nameOf } from "./name";
import { explicitRole, roleOf } from "./role";

/** The value that an embedded control contributes; null if it is not one. */
export function embeddedValue(el: Element, look: Look): string | null {
  const name = tag(el);
  if (!NATIVE_FIELDS.has(name) && (look.facts(el).bare || (explicitRole(el) === null && !has(el, "contenteditable")))) return null;
  switch (roleOf(el, look)) {
    case "textbox":
    case "searchbox":
      return name === "input" || name === "textarea" ? fieldText(el as HTMLInputElement) : textContent(el);
    case "combobox":
    case "listbox":
      return chosen(el, look);
    case "slider":
    case "spinbutton":
    case "scrollbar":
    case "progressbar":
    case "meter":
      return attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow") ?? nativeValue(el, name);
    default:
      return null;
  }
}

function nativeValue(el: Element, name: string): string {
  if (!NATIVE_FIELDS.has(name) || (name === "progress" && !has(el, "value"))) return "";
  return String((el as HTMLInputElement).value);
}

const NATIVE_FIELDS = new Set(["input", "textarea", "select", "meter", "progress"]);

function fieldText(field: HTMLInputElement): string {
  return secret(field) ? "" : field.value;
}

function chosen(el: Element, look: Look): string {
  const name = tag(el);
  if (name === "input") return fieldText(el as HTMLInputElement);
  if (name === "select") {
    return Array.from((el as HTMLSelectElement).selectedOptions, (option) => nameOf(option, look).text).join(" ");
  }
  const root = rootOf(el);
  const inside = query(root, "[role=option][aria-selected=true]").filter((option) => holds(el, option));
  if (inside.length > 0) return inside.map((option) => nameOf(option, look).text).join(" ");
  return "";
}
