// A native select that nobody sees: the page draws a list of its own, over it or beside it. Most show what the select
// holds; one that does not goes on showing the old choice.

import { isElement, queryIn, rectOf, renderedText } from "../page/dom";
import { flatParent } from "../page/flat";
import { resolveNumber } from "../targets/heal";

/** Selects with a side of at most so many pixels cannot be read. */
const TINY = 4;
/** What is drawn in place of a select is at least so large. */
const MIN_WIDTH = 40;
const MIN_HEIGHT = 14;

/** What the page showed in place of a select before the last choice. */
const before = new WeakMap<Element, string>();

/** Called before a choice; whether the page shows something in place of the select. */
export function noteStandIn(select: Element): boolean {
  const around = unseen(select) ? standInOf(select) : null;
  if (around) before.set(select, contentOf(around));
  else before.delete(select);
  return around !== null;
}

/** Whether the page shows the last choice of a select, as far as can be seen. */
export function showsChoice(args: { num: number }): boolean {
  const { el } = resolveNumber(args.num);
  const then = before.get(el);
  const around = then === undefined ? null : standInOf(el);
  return around === null || contentOf(around) !== then;
}

/** Transparent, or too small to read. */
function unseen(select: Element): boolean {
  const { width, height } = rectOf(select);
  if (width <= TINY || height <= TINY) return true;
  const visible = (select as Element & { checkVisibility?: (options: object) => boolean }).checkVisibility;
  return visible !== undefined && !visible.call(select, { opacityProperty: true, visibilityProperty: true });
}

/** The innermost element around a select that is large enough to be read, if it shows a text. */
function standInOf(select: Element): Element | null {
  for (let at = flatParent(select); isElement(at); at = flatParent(at)) {
    const { width, height } = rectOf(at);
    if (width >= MIN_WIDTH && height >= MIN_HEIGHT) return contentOf(at).trim() ? at : null;
  }
  return null;
}

/** The options of the select are part of it, before and after. */
function contentOf(around: Element): string {
  const fields = queryIn(around, "input, textarea").map((field) => (field as HTMLInputElement).value);
  return [renderedText(around), ...fields].join("\n");
}
