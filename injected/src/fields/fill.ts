// Filling a field. What has a picker in place of text is set here; what takes text is focused with its
// content selected, and the caller types, because pages listen to real keys. Secrets are inserted here.

import { fail } from "../failure";
import { giveFocus, tag } from "../page/dom";
import { Look } from "../semantics/look";
import { roleOf } from "../semantics/role";
import { resolveNumber } from "../targets/heal";
import { numberOf } from "../targets/numbers";
import { announce, checkedNow, controlOf, kindOf, valueOf } from "./field";
import { formatted, wantedBy } from "./formats";
import { insertInto } from "./insert";
import { select } from "./select";
import { checkRecipient, mask, secret } from "./value";

interface FillArgs {
  num: number;
  value: string;
  append?: boolean;
  force?: boolean;
  secret?: string[] | null;
}

/** With `append`, what takes text has the caret at its end instead; what has a picker is set all the same. With
 * `force`, what takes text is set as well, shown and editable or not. With `secret`, the value is one,
 * and these hosts may get it. */
export function fill(args: FillArgs): object {
  const el = controlOf(resolveNumber(args.num).el);
  if (args.secret) checkRecipient(el, args.secret);
  if (args.force && takesText(el)) return impose(el, args.value, args.append ?? false);
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

/** Sets a text without typing it, and tells the page as if it had been typed. */
function impose(el: Element, value: string, append: boolean): object {
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
  // The prototype's setter: frameworks shadow the property to notice scripts, and would ignore the event.
  setNativeValue.call(input, wanted);
  if (!took(input, wanted)) {
    setNativeValue.call(input, before);
    fail({ kind: "misfit", message: `a ${input.type} field wants ${wantedBy(input.type)}; "${value}" is not a possible one` });
  }
  announce(input);
  return { how: "set", before, value: input.value };
}

/** Whether the browser kept the value. A range rounds to its steps, but must not cut at its ends. */
function took(input: HTMLInputElement, wanted: string): boolean {
  if (input.type !== "range") return input.value === wanted;
  const number = Number(wanted);
  return number >= Number(input.min || 0) && number <= Number(input.max || 100);
}

function check(el: Element, value: string): object {
  const what = tag(el) === "input" ? (el as HTMLInputElement).type : roleOf(el, new Look());
  const wanted = value.trim().toLowerCase();
  if (wanted !== "true" && wanted !== "false") {
    fail({ kind: "misfit", message: `a ${what} takes true or false; "${value}" is neither` });
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

/** Number fields swallow letters silently; better to say so. */
function checkNumber(input: HTMLInputElement, value: string): void {
  if (input.type === "number" && value.trim() !== "" && !/^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(value.trim())) {
    fail({ kind: "misfit", message: `a number field wants a number, for instance 12.5; "${value}" is not` });
  }
}

function type(el: Element, args: FillArgs): object {
  const value = valueOf(el);
  const hidden = secret(el);
  const before = hidden ? mask(value) : value;
  const host = kindOf(el) === "editable" ? hostOf(el) : el;
  const place = () => (args.append ? caretToEnd(el) : selectContent(el));
  if (hidden || args.secret) {
    if (args.value || !args.append) insertInto(el, host, args.value, place);
    return { how: "inserted", before };
  }
  giveFocus(host);
  place();
  return { how: "type", before };
}

/** Puts the caret of a field that has the focus behind all that it holds. */
export function caretToEnd(el: Element): void {
  selectContent(el);
  const selection = el.ownerDocument.getSelection();
  if (tag(el) !== "input" && tag(el) !== "textarea") return selection?.collapseToEnd();
  const field = el as HTMLInputElement;
  try {
    return field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // Number and email fields have no caret that can be set: their selection is given up at its end.
  }
  if (selection?.toString()) return selection.collapseToEnd();
  // Where that is not the document's selection either, the caret goes behind what is set.
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
  const selection = window.getSelection();
  if (!selection) return;
  const range = new Range();
  range.selectNodeContents(el);
  selection.removeAllRanges();
  selection.addRange(range);
}
