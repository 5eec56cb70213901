// The focus: giving it to an element, and finding who has it.

import { activeIn, giveFocus, rootOf, tag } from "../page/dom";
import { deepActive } from "../page/flat";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";
import { controlOf, kindOf, valueOf } from "./field";
import { caretToEnd, hostOf } from "./fill";
import { secret } from "./value";

const TEXT = new Set(["text", "textarea", "editable"]);

/** Gives the focus to an element; one that takes text and did not have it gets the caret at its end. */
export function focus(args: { num: number }): object {
  const el = controlOf(resolveNumber(args.num).el);
  const text = TEXT.has(kindOf(el));
  const taker = kindOf(el) === "editable" ? hostOf(el) : el;
  const had = activeIn(rootOf(taker)) === taker;
  // Also where it has it already: its frame may have not.
  giveFocus(taker);
  if (text && !had) caretToEnd(el);
  const focused = activeIn(rootOf(taker)) === taker;
  return text ? { focused, value: valueOf(el), masked: secret(el) } : { focused };
}

const FRAMES = new Set(["iframe", "frame", "object", "embed"]);

/** The innermost element that has the focus, if any has; `frame` where the focus is in the document that it shows. */
export function focused(): object {
  const el = deepActive();
  return el ? { found: mentionOf(el, new Look()), frame: FRAMES.has(tag(el)) } : {};
}
