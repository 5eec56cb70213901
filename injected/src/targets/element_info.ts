// Element info: the number of matches of a target, and requested facts of the first ones. Does not wait, and computes
// only what is requested.

import type { Mention } from "../failure";
import { checkedNow, controlOf, kindOf, readOnly } from "../fields/field";
import { secret, mask, shownValue } from "../fields/value";
import { attr, attributeNames, tag, textContent } from "../page/dom";
import { boxOf, type Box } from "../page/geometry";
import { seen } from "../page/visible";
import { cleanValue, shorten } from "../page/text";
import { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { disabled, editingHost } from "../semantics/operable";
import { roleOf } from "../semantics/role";
import { CHECKABLE, checkedState, type Tristate } from "../semantics/states";
import { resolveNumber } from "./heal";
import { meant, mentionOf, resolveAll, type Target } from "./target";

/** The facts that can be requested; `attributes` is all attributes. */
export type Facet =
  | "visible" | "enabled" | "editable" | "checked" | "value" | "text" | "box" | "tag" | "attributes"
  | { attribute: string };

export interface Examination extends Mention {
  /** No accessible name; `name` then is its text. */
  unnamed?: true;
  healed?: true;
  visible?: boolean;
  enabled?: boolean;
  editable?: boolean;
  /** Null if not checkable, as `value` is for elements without one. */
  checked?: Tristate | null;
  value?: string | null;
  text?: string;
  box?: Box;
  tag?: string;
  attributes?: [name: string, value: string][];
}

export interface Examined {
  count: number;
  elements: Examination[];
}

export function elementInfo(args: { target: Target; want?: Facet[]; most?: number }): Examined {
  const look = new Look();
  const { target, want = [], most = 1 } = args;
  if ("ref" in target) {
    const { el, healed } = resolveNumber(target.ref);
    const one = examination(el, want, look);
    if (healed) one.healed = true;
    return { count: 1, elements: [one] };
  }
  const found = resolveAll(target, look);
  // For a single element, take the one that an action would use.
  const first = most === 1 ? meant(found, look) : found;
  return { count: found.length, elements: first.slice(0, most).map((el) => examination(el, want, look)) };
}

const VALUE_LIMIT = 1_000_000;
const TEXT_LIMIT = 1_000_000;

function examination(el: Element, want: Facet[], look: Look): Examination {
  const result: Examination = mentionOf(el, look);
  if (!nameOf(el, look).text) result.unnamed = true;
  const control = controlOf(el);
  const names = new Set<string>();
  for (const facet of want) {
    if (typeof facet === "object") names.add(facet.attribute.toLowerCase());
    else if (facet === "visible") result.visible = seen(el, look);
    else if (facet === "enabled") result.enabled = !disabled(control);
    else if (facet === "editable") result.editable = editable(control);
    else if (facet === "checked") result.checked = checkedOf(control, look);
    else if (facet === "value") result.value = valueOf(control);
    else if (facet === "text") result.text = shorten(cleanValue(textOf(el, look)), TEXT_LIMIT);
    else if (facet === "box") result.box = boxOf(el);
    else if (facet === "tag") result.tag = tag(el);
    else for (const name of attributeNames(el)) names.add(name);
  }
  const asked = want.some((facet) => facet === "attributes" || typeof facet === "object");
  if (asked) result.attributes = [...names].flatMap((name) => attribute(el, name));
  return result;
}

const WRITABLE = new Set(["text", "textarea", "editable", "formatted"]);

function editable(el: Element): boolean {
  return WRITABLE.has(kindOf(el)) && !readOnly(el) && !disabled(el);
}

function checkedOf(el: Element, look: Look): Tristate | null {
  if (CHECKABLE.has(roleOf(el, look))) return checkedState(el);
  return kindOf(el) === "checkbox" || kindOf(el) === "radio" ? checkedNow(el) : null;
}

/** The value of a field or a widget. */
function valueOf(el: Element): string | null {
  const name = tag(el);
  const shown = name === "input" || name === "textarea" ? shownValue(el) : otherValue(el, name);
  return shown === null ? null : shorten(cleanValue(shown), VALUE_LIMIT);
}

function otherValue(el: Element, name: string): string | null {
  if (name === "select" || name === "option" || name === "button" || name === "output") return (el as HTMLSelectElement).value;
  if (name === "progress" || name === "meter") return String((el as HTMLProgressElement).value);
  if (editingHost(el)) return (el as HTMLElement).innerText;
  return attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow");
}

/** The displayed text; for a hidden element, its text content. */
function textOf(el: Element, look: Look): string {
  const { innerText } = el as HTMLElement;
  return typeof innerText === "string" && look.rendered(el) ? innerText : textContent(el);
}

function attribute(el: Element, name: string): [string, string][] {
  const value = attr(el, name);
  if (value === null) return [];
  return [[name, name === "value" && secret(el) ? mask(value) : cleanValue(value)]];
}
