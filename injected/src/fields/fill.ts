// Fills a field. Fields with a picker are set here. Text fields are focused with their content selected, and the caller
// types, because pages listen to real key events. Secrets are inserted here.

import { fail } from "../failure";
import { giveFocus, tag } from "../page/dom";
import { nextFrame } from "../page/frame";
import { Look } from "../semantics/look";
import { roleOf } from "../semantics/role";
import { resolveNumber } from "../targets/heal";
import { numberOf } from "../targets/numbers";
import { announce, checkedNow, controlOf, kindOf, valueOf } from "./field";
import { formatted, invalid } from "./formats";
import { insertInto } from "./insert";
import { select } from "./select";
import { surfaceOf } from "./surface";
import { type Recipients, checkRecipient, mask, secret } from "./value";

const { getSelection } = Document.prototype;

interface FillArgs {
  num: number;
  value: string;
  append?: boolean;
  force?: boolean;
  secret?: Recipients | null;
}

/**
 * With `append`, the caret goes to the end of a text field; fields with a picker are set as usual. With `force`, text
 * fields are set too, even if hidden or read-only. With `secret`, the value is a secret, and it says who may get
 * it.
 */
export function fill(args: FillArgs): object | Promise<object> {
  const el = controlOf(resolveNumber(args.num).el);
  if (args.secret) checkRecipient(el, args.secret);
  if (args.force && takesText(el)) return setText(el, args.value, args.append ?? false);
  switch (kindOf(el)) {
    case "formatted":
      return set(el as HTMLInputElement, args.value);
    case "checkbox":
    case "radio":
    case "toggle":
      return check(el, args.value);
    case "select":
      return choose(el, args.value);
    case "text":
      checkNumber(el as HTMLInputElement, args.value);
      return type(el, args);
    case "textarea":
    case "editable":
      return type(el, args);
    default:
      return fail({ kind: "misfit", message: `${describe(el)} is not a field that can be filled` });
  }
}

function describe(el: Element): string {
  const role = roleOf(el, new Look());
  const name = tag(el) === "input" ? `input of type ${(el as HTMLInputElement).type}` : `<${tag(el)}>`;
  return role === "generic" || role === "none" ? name : `${name} with role ${role}`;
}

const setNativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
const setTextareaValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!;

function takesText(el: Element): boolean {
  const kind = kindOf(el);
  const hidden = tag(el) === "input" && (el as HTMLInputElement).type === "hidden";
  return kind === "text" || kind === "textarea" || kind === "editable" || hidden;
}

/** Sets a text without typing it, and fires the events of typing. */
function setText(el: Element, value: string, append: boolean): object {
  const kind = kindOf(el);
  const held = kind === "none" ? (el as HTMLInputElement).value : valueOf(el);
  const wanted = append ? held + value : value;
  giveFocus(el);
  if (kind === "editable") el.textContent = wanted;
  else (kind === "textarea" ? setTextareaValue : setNativeValue).call(el, wanted);
  announce(el);
  return { how: "set", imposed: true, before: secret(el) ? mask(held) : held };
}

function set(input: HTMLInputElement, value: string): object {
  const before = input.value;
  const wanted = formatted(input.type, value);
  if (wanted === before) return { how: "set", before, value: before };
  giveFocus(input);
  // Use the prototype's setter: frameworks override the property on the element and would ignore the event.
  setNativeValue.call(input, wanted);
  if (!keptValue(input, wanted)) {
    setNativeValue.call(input, before);
    const expected = input.type === "range" ? `a number from ${input.min || 0} to ${input.max || 100}` : undefined;
    fail({ kind: "misfit", message: invalid(input.type, value, expected) });
  }
  announce(input);
  return { how: "set", before, value: input.value };
}

/** Whether the browser kept the value. A range may round to its step, but must not clamp. */
function keptValue(input: HTMLInputElement, wanted: string): boolean {
  if (input.type !== "range") return input.value === wanted;
  const number = Number(wanted);
  return number >= Number(input.min || 0) && number <= Number(input.max || 100);
}

function check(el: Element, value: string): object {
  const what = tag(el) === "input" ? (el as HTMLInputElement).type : roleOf(el, new Look());
  const wanted = value.trim().toLowerCase();
  if (wanted !== "true" && wanted !== "false") {
    fail({ kind: "misfit", message: invalid(what, value, "true or false") });
  }
  const checked = wanted === "true";
  if (checkedNow(el) === checked) return { how: "set", before: wanted, value: wanted };
  if (what === "radio" && !checked) {
    fail({ kind: "misfit", message: "a radio button cannot be cleared; choose another of its group" });
  }
  return { how: "click", checked };
}

function choose(el: Element, value: string): object {
  const { before } = select({ num: numberOf(el), values: [value] });
  return { how: "set", before: before.map(({ label }) => label).join(", "), value: valueOf(el) };
}

/** Number fields drop letters silently: report it instead. */
function checkNumber(input: HTMLInputElement, value: string): void {
  if (input.type === "number" && value.trim() !== "" && !/^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(value.trim())) {
    fail({ kind: "misfit", message: invalid("number", value, "a number, for instance 12.5") });
  }
}

function type(el: Element, args: FillArgs): object | Promise<object> {
  const value = valueOf(el);
  const hidden = secret(el);
  const before = hidden ? mask(value) : value;
  const editable = kindOf(el) === "editable";
  const host = editable ? hostOf(el) : el;
  if (!hidden && !args.secret && surfaceOf(el, new Look())) {
    giveFocus(host);
    return { how: "keys", before };
  }
  const place = () => (args.append ? caretToEnd(el) : selectContent(el));
  if (hidden || args.secret) {
    if (args.value || !args.append) insertInto(el, host, args.value, place);
    return { how: "inserted", before };
  }
  giveFocus(host);
  if (!editable) {
    place();
    return { how: "type", before };
  }
  return selectionHeard(place).then(() => ({ how: "type", before, editor: true }));
}

/** Editors keep a selection of their own, which follows that of the document when they hear that it changed. */
async function selectionHeard(change: () => void): Promise<void> {
  let heard = () => {};
  const event = new Promise<void>((resolve) => (heard = resolve));
  document.addEventListener("selectionchange", heard);
  change();
  // Nothing changes if all was selected before.
  await Promise.race([event, nextFrame()]);
  document.removeEventListener("selectionchange", heard);
}

/** Moves the caret of the focused field to its end. */
export function caretToEnd(el: Element): void {
  selectContent(el);
  const selection = getSelection.call(document);
  if (tag(el) !== "input" && tag(el) !== "textarea") return selection?.collapseToEnd();
  const field = el as HTMLInputElement;
  try {
    return field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // Number and email fields have no settable selection: collapse the selection to its end.
  }
  if (selection?.toString()) return selection.collapseToEnd();
  // If it is not the document's selection either, set the value again to move the caret to the end.
  const { value } = field;
  if (!value) return;
  field.value = "";
  field.value = value;
}

function selectContent(el: Element): void {
  if (tag(el) === "input" || tag(el) === "textarea") (el as HTMLInputElement).select();
  else selectAll(el);
}

/** The element that has the focus while a part of it is edited. */
export function hostOf(el: Element): Element {
  let host = el;
  for (let at = el.parentElement; at?.isContentEditable; at = at.parentElement) host = at;
  return host;
}

function selectAll(el: Element): void {
  const selection = getSelection.call(document);
  if (!selection) return;
  const range = new Range();
  range.selectNodeContents(el);
  selection.removeAllRanges();
  selection.addRange(range);
}
