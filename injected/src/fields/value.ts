// Values of fields, with those that nobody should read over a shoulder masked.

import { fail } from "../failure";
import { attr, tag } from "../page/dom";

const SECRET_AUTOFILL = /(^|\s)([a-z]+-password|cc-csc|one-time-code)(\s|$)/i;

// A page may show a password that was typed, by making its field one for text. It stays a password.
const once = new WeakSet<Element>();

/** A field whose value must not be shown: a password, a card's code, a one-time code; also one that was such a field. */
export function secret(el: Element): boolean {
  const name = tag(el);
  if (name !== "input" && name !== "textarea") return false;
  const now = (el as HTMLInputElement).type === "password" || SECRET_AUTOFILL.test(attr(el, "autocomplete") ?? "");
  if (now) once.add(el);
  return now || once.has(el);
}

/** A secret goes to the hosts that it is for; where none are named, only into fields that hide it. */
export function checkRecipient(el: Element, hosts: string[]): void {
  // What a frame without a URL of its own shows is its parent's.
  const host = URL.canParse(window.origin) ? new URL(window.origin).hostname : "";
  if (hosts.length > 0) {
    if (hosts.some((wanted) => matches(host, wanted))) return;
    fail({ kind: "misfit", message: `this secret is for ${hosts.join(", ")} only, and this document is of ${host || "no host"}` });
  }
  if (!secret(el)) {
    fail({
      kind: "misfit",
      message: "a secret without hosts goes only into fields that hide what they hold; NAME@example.com=value in the file of secrets names hosts",
    });
  }
}

function matches(host: string, wanted: string): boolean {
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}

export function mask(value: string): string {
  return "•".repeat(Math.min(value.length, 8));
}

/** What a text field holds, masked when it is secret. */
export function shownValue(el: Element): string {
  const { value } = el as HTMLInputElement;
  return secret(el) ? mask(value) : value;
}
