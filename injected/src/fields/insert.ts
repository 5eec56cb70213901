// Inserts text at the caret at once: for engines whose protocol lacks this, and for secrets.
//
// Focus is shared by the whole page. A cross-origin frame that takes it between two of our messages would receive what
// is typed next. Here focus is set, checked and used in one task, in which no other document runs, and the text always
// goes into this document.

import { fail } from "../failure";
import { activeIn, dispatch, giveFocus, rootOf } from "../page/dom";
import { resolveNumber } from "../targets/heal";
import { controlOf, kindOf } from "./field";
import { hostOf } from "./fill";
import { type Recipients, checkRecipient } from "./value";

const { execCommand } = Document.prototype;

/** Inserts into the element with this number; without one, at the caret. */
export function insert(args: { text: string; num?: number; secret?: Recipients | null }): object {
  if (args.num === undefined) return { taken: put(args.text) };
  const el = controlOf(resolveNumber(args.num).el);
  if (args.secret) checkRecipient(el, args.secret);
  insertInto(el, kindOf(el) === "editable" ? hostOf(el) : el, args.text, () => {});
  return { taken: true };
}

/**
 * Inserts text into an element. `place` sets the caret or selection; `host` is the element to focus. Key events without
 * a key signal typing to the page, as when the browser fills in a saved password.
 */
export function insertInto(el: Element, host: Element, text: string, place: () => void): void {
  const key = (type: string) => dispatch(el, new KeyboardEvent(type, { key: "Unidentified", bubbles: true, cancelable: true, composed: true }));
  key("keydown");
  giveFocus(host);
  place();
  if (activeIn(rootOf(host)) !== host) fail({ kind: "misfit", message: "the page takes the focus away from it, so nothing was typed" });
  put(text);
  key("keyup");
}

function put(text: string): boolean {
  return text ? execCommand.call(document, "insertText", false, text) : execCommand.call(document, "delete");
}
