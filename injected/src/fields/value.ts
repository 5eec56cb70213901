// Field values, with secret ones masked.

import { fail } from "../failure";
import { attr, tag } from "../page/dom";

const SECRET_AUTOFILL = /(^|\s)([a-z]+-password|cc-csc|one-time-code)(\s|$)/i;

// A page may reveal a typed password by changing the field's type to text. It stays a secret.
const once = new WeakSet<Element>();

/** Whether a field's value must not be shown: a password, card code or one-time code, or a field that once was one. */
export function secret(el: Element): boolean {
  const name = tag(el);
  if (name !== "input" && name !== "textarea") return false;
  const now = (el as HTMLInputElement).type === "password" || SECRET_AUTOFILL.test(attr(el, "autocomplete") ?? "");
  if (now) once.add(el);
  return now || once.has(el);
}

/** Who may get a secret: only these hosts, any if there are none; and perhaps only fields that mask their value. */
export interface Recipients {
  hosts: string[];
  masked: boolean;
}

/** Fails if a secret may not go into this field. */
export function checkRecipient(el: Element, { hosts, masked }: Recipients): void {
  // A frame without its own URL has its parent's origin.
  const host = URL.canParse(window.origin) ? new URL(window.origin).hostname : "";
  if (hosts.length > 0 && !hosts.some((wanted) => matches(host, wanted))) {
    const wanted = hosts.map((host) => host || "a document without a host").join(", ");
    fail({ kind: "misfit", message: `this secret is for ${wanted} only, and this document is of ${host || "no host"}` });
  }
  if (masked && !secret(el)) {
    fail({
      kind: "misfit",
      message: hosts.length
        ? "what the person was asked for goes only into fields that hide what they hold"
        : "a secret without hosts goes only into fields that hide what they hold; NAME@example.com=value in the file of secrets names hosts",
    });
  }
}

function matches(host: string, wanted: string): boolean {
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}

export function mask(value: string): string {
  return "•".repeat(Math.min(value.length, 8));
}

/** The value of a text field, masked if secret. */
export function shownValue(el: Element): string {
  const { value } = el as HTMLInputElement;
  return secret(el) ? mask(value) : value;
}
