// Values of fields, with those that nobody should read over a shoulder masked.

import { attr, tag } from "../page/dom";

const SECRET_AUTOFILL = /(^|\s)([a-z]+-password|cc-csc|one-time-code)(\s|$)/i;

/** A field whose value must not be shown: a password, a card's code, a one-time code. */
export function secret(el: Element): boolean {
  const name = tag(el);
  if (name !== "input" && name !== "textarea") return false;
  return (el as HTMLInputElement).type === "password" || SECRET_AUTOFILL.test(attr(el, "autocomplete") ?? "");
}

export function mask(value: string): string {
  return "•".repeat(Math.min(value.length, 8));
}

/** What a text field holds, masked when it is secret. */
export function shownValue(el: Element): string {
  const { value } = el as HTMLInputElement;
  return secret(el) ? mask(value) : value;
}
