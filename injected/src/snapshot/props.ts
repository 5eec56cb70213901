// States and properties in a snapshot, besides role and name. False values are omitted, except `expanded`, which shows
// that an element can be expanded.

import { surfaceOf, surfaceText } from "../fields/surface";
import { secret, shownValue } from "../fields/value";
import { attr, contains, firstElementChild, is, isElement, isText, textContent } from "../page/dom";
import type { Box } from "../page/geometry";
import { listens } from "../page/listeners";
import { clean, cleanValue, shorten } from "../page/text";
import type { Look } from "../semantics/look";
import { referencedText } from "../semantics/name";
import { disabled, editingHost } from "../semantics/operable";
import { INTERACTIVE, LINKS } from "../semantics/role";
import { CHECKABLE, checkedState, expandedState, levelOf, pressedState, selectedState } from "../semantics/states";
import { draggable } from "./clickable";

export interface Props {
  checked?: true | "mixed";
  disabled?: true;
  expanded?: boolean;
  level?: number;
  pressed?: true | "mixed";
  selected?: true;
  active?: true;
  required?: true;
  invalid?: true;
  readonly?: true;
  multiline?: true;
  modal?: true;
  current?: string | true;
  /** Sort direction of the headed column or row. */
  sorted?: string;
  value?: string;
  placeholder?: string;
  url?: string;
  description?: string;
  clickable?: true;
  draggable?: true;
  scrollable?: true;
  frame?: true;
  valuemin?: number;
  valuemax?: number;
  hidden?: true;
  files?: string[];
  /** An option of a native select, or a group of them: not a click target. */
  native?: true;
  /** The type of a field with a value format: date, color … */
  type?: string;
  /** A filler or disabled cell: not a click target. */
  idle?: true;
  /** A hint from the markup, if there is no name. */
  hint?: string;
  /** Visible but aria-hidden text. */
  ariaHidden?: true;
  /** The number of characters of a text that is truncated. */
  truncated?: number;
  /** A text that is wanted in full. */
  full?: true;
  /** The number of omitted descendants. */
  cut?: number;
  /** The box in its frame, if requested. */
  box?: Box;
}

/** Facts that the walk already has. */
export interface WalkFacts {
  click: boolean;
  scrolls: boolean;
  active: boolean;
}

const DESCRIPTION_LIMIT = 200;
const VALUE_LIMIT = 10_000;
const FORM_TAGS = new Set(["input", "select", "textarea"]);

export function propsOf(el: Element, role: string, name: string, look: Look, known: WalkFacts): Props | undefined {
  const props: Props = {};
  if (known.click) props.clickable = true;
  if (known.scrolls) props.scrollable = true;
  if (known.active) props.active = true;
  if (!look.facts(el).bare) ariaProps(el, role, name, look, props);
  const tagName = look.facts(el).tag;
  if (LINKS.has(role)) linkProps(el, props);
  if (role === "heading") props.level = levelOf(el, role)!;
  if (INTERACTIVE.has(role) && disabled(el)) props.disabled = true;
  if (role === "gridcell" && (props.disabled || (name === "" && fillsRow(el)))) props.idle = true;
  if (FORM_TAGS.has(tagName)) fieldProps(el as HTMLInputElement, tagName, props, name);
  else if (VALUED.has(role)) otherValue(el, role, tagName, look, props);
  if (role === "textbox") drawnValue(el, look, props);
  const checked = CHECKABLE.has(role) && checkedState(el);
  if (checked) props.checked = checked;
  if (tagName === "option" && (el as HTMLOptionElement).selected) props.selected = true;
  if (tagName === "summary" && role === "button") props.expanded = expandedState(el, role)!;
  if (tagName === "iframe" || tagName === "frame") props.frame = true;
  if (tagName === "dialog" && is(el, ":modal")) props.modal = true;
  for (const _ in props) return props;
  return undefined;
}

function fillsRow(cell: Element): boolean {
  return firstElementChild(cell) === null && attr(cell, "tabindex") === null && !listens(cell);
}

function ariaProps(el: Element, role: string, name: string, look: Look, props: Props): void {
  const expanded = expandedState(el, role);
  if (expanded !== undefined) props.expanded = expanded;
  const pressed = pressedState(el);
  if (pressed) props.pressed = pressed;
  if (selectedState(el)) props.selected = true;
  if (attr(el, "aria-required") === "true") props.required = true;
  const invalid = attr(el, "aria-invalid");
  if (invalid && invalid !== "false") props.invalid = true;
  if (attr(el, "aria-readonly") === "true") props.readonly = true;
  if (attr(el, "aria-multiline") === "true") props.multiline = true;
  if (attr(el, "aria-modal") === "true") props.modal = true;
  const current = attr(el, "aria-current");
  if (current && current !== "false") props.current = current === "true" || clean(current);
  const sorted = attr(el, "aria-sort");
  if (sorted && sorted !== "none") props.sorted = clean(sorted);
  if (role !== "heading" && attr(el, "aria-level")) props.level = levelOf(el, role)!;
  if (draggable(el)) props.draggable = true;
  const description = describe(el, name, look);
  if (description) props.description = description;
}

function linkProps(el: Element, props: Props): void {
  const href = attr(el, "href") ?? attr(el, "xlink:href");
  if (href) props.url = clean(href);
}

function describe(el: Element, name: string, look: Look): string {
  const text = referencedText(el, "aria-describedby", look)
    || clean(attr(el, "aria-description") ?? "")
    || clean(attr(el, "title") ?? "");
  return text === name ? "" : shorten(text, DESCRIPTION_LIMIT);
}

const FORMATTED = new Set(["date", "time", "datetime-local", "month", "week", "color"]);
const VALUELESS = new Set(["button", "submit", "reset", "image", "checkbox", "radio", "hidden"]);

function fieldProps(field: HTMLInputElement, tagName: string, props: Props, name: string): void {
  if (field.required) props.required = true;
  if (userInvalid(field)) props.invalid = true;
  if (tagName === "select") {
    const chosen = Array.from((field as unknown as HTMLSelectElement).selectedOptions, (option) => clean(option.label));
    props.value = chosen.join(", ");
    return;
  }
  const { type } = field;
  if (type === "file") {
    props.files = Array.from(field.files ?? [], (file) => clean(file.name));
    return;
  }
  if (VALUELESS.has(type)) return;
  if (field.readOnly) props.readonly = true;
  if (tagName === "textarea") props.multiline = true;
  if (FORMATTED.has(type)) props.type = type;
  const value = shownValue(field);
  props.value = shorten(cleanValue(value), VALUE_LIMIT);
  const placeholder = clean(field.placeholder ?? "");
  if (placeholder && placeholder !== name) props.placeholder = placeholder;
  if (type === "range" || type === "number") bounds(props, field.min || (type === "range" ? "0" : ""), field.max || (type === "range" ? "100" : ""));
}

/** An editor that draws its text itself: the value is what it shows. */
function drawnValue(el: Element, look: Look, props: Props): void {
  const surface = secret(el) ? null : surfaceOf(el, look);
  if (!surface) return;
  look.surfaces.add(surface);
  props.multiline = true;
  props.value = shorten(cleanValue(surfaceText(surface, el, look)), VALUE_LIMIT);
}

const VALUED = new Set(["textbox", "searchbox", "combobox", "slider", "spinbutton", "progressbar", "meter", "scrollbar"]);

function otherValue(el: Element, role: string, tagName: string, look: Look, props: Props): void {
  if (role === "textbox" || role === "searchbox" || role === "combobox") {
    if (editingHost(el)) props.multiline ??= true;
    // A combobox around an input has no value of its own.
    if (role !== "combobox" || !contains(el, "input, textarea, select")) props.value = shorten(cleanValue(valueText(el, look)).trim(), VALUE_LIMIT);
    const placeholder = clean(attr(el, "aria-placeholder") ?? "");
    if (placeholder) props.placeholder = placeholder;
    return;
  }
  const native = tagName === "progress" || tagName === "meter";
  const value = attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow") ?? (native ? attr(el, "value") : null);
  if (value !== null) props.value = clean(value);
  bounds(props, attr(el, "aria-valuemin") ?? "", attr(el, "aria-valuemax") ?? (native ? String((el as HTMLProgressElement).max) : ""));
}

const POPUPS = "[role=listbox], [role=menu], [role=tree], [role=grid], [role=dialog]";

/** The text of a field, without that of a popup which is drawn inside it. */
function valueText(el: Element, look: Look): string {
  if (!contains(el, POPUPS)) return textIn(el);
  const parts: string[] = [];
  for (const child of look.children(el)) {
    if (isText(child)) parts.push(child.data);
    else if (isElement(child) && !look.excludes(child) && !is(child, POPUPS)) parts.push(valueText(child, look));
  }
  return clean(parts.join(" "));
}

function textIn(el: Element): string {
  const { innerText } = el as HTMLElement;
  return typeof innerText === "string" ? innerText : textContent(el);
}

function bounds(props: Props, min: string, max: string): void {
  if (min !== "" && Number.isFinite(Number(min))) props.valuemin = Number(min);
  if (max !== "" && Number.isFinite(Number(max))) props.valuemax = Number(max);
}

/** `:user-invalid`; not supported by every engine. */
function userInvalid(field: Element): boolean {
  try {
    return is(field, ":user-invalid");
  } catch {
    return false;
  }
}

