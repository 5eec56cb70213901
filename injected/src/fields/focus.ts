// Focus: sets it and finds it.

import { activeIn, giveFocus, rootOf, tag } from "../page/dom";
import { deepActive } from "../page/flat";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";
import { controlOf, kindOf, valueOf } from "./field";
import { caretToEnd, hostOf } from "./fill";
import { surfaceOf } from "./surface";
import { secret } from "./value";

const TEXT = new Set(["text", "textarea", "editable"]);

/** Focuses an element; a text field that was not focused gets the caret at its end. */
export function focus(args: { num: number }): object {
  const el = controlOf(resolveNumber(args.num).el);
  const text = TEXT.has(kindOf(el));
  const taker = kindOf(el) === "editable" ? hostOf(el) : el;
  const had = activeIn(rootOf(taker)) === taker;
  // Even if it is focused already: its frame may not be.
  giveFocus(taker);
  if (text && !had) caretToEnd(el);
  const focused = activeIn(rootOf(taker)) === taker;
  // The caret of an editor that draws its text itself is moved by keys.
  const caret = text && !had && surfaceOf(el, new Look()) !== null;
  return text ? { focused, value: valueOf(el), masked: secret(el), caret } : { focused };
}

const FRAMES = new Set(["iframe", "frame", "object", "embed"]);

/** The innermost focused element; `frame` if the focus is inside the document that it shows. */
export function focused(): object {
  const el = deepActive();
  return el ? { found: mentionOf(el, new Look()), frame: FRAMES.has(tag(el)) } : {};
}
