// Text at the caret in one go: for engines whose protocol has no such input, and for secrets.
//
// The focus is the whole page's. A frame of another site that takes it between two of our messages would get what is typed
// next. Here the focus is given, looked at and used in one task, in which no other document runs; and the text goes into this
// document, whichever has the focus by then.

import { fail } from "../failure";
import { activeIn, dispatch, giveFocus, rootOf } from "../page/dom";
import { resolveNumber } from "../targets/heal";
import { controlOf, kindOf } from "./field";
import { hostOf } from "./fill";
import { checkRecipient } from "./value";

const { execCommand } = Document.prototype;

/** Into the element with this number; without one, wherever the caret is. */
export function insert(args: { text: string; num?: number; secret?: string[] | null }): object {
  if (args.num === undefined) return { taken: put(args.text) };
  const el = controlOf(resolveNumber(args.num).el);
  if (args.secret) checkRecipient(el, args.secret);
  insertInto(el, kindOf(el) === "editable" ? hostOf(el) : el, args.text, () => {});
  return { taken: true };
}

/** Puts text into an element, where `place` sets the caret or the selection; `host` is what takes the focus for it. Keys tell
 * the page that something is typed, as when a browser fills in a saved password; they do not tell what. */
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
