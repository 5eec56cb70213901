// Scroll containers: elements other than the document with overflow to scroll.

import { tag } from "../page/dom";
import type { Look } from "../semantics/look";

export function scrollable(el: Element, look: Look): boolean {
  const { style, display } = look.facts(el);
  if (display === "inline" || display === "contents") return false;
  const { overflow } = style;
  if (overflow === "visible" || !/auto|scroll/.test(overflow)) return false;
  const name = tag(el);
  if (name === "html" || name === "body" || name === "textarea" || name === "select") return false;
  const down = el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(style.overflowY);
  const across = el.scrollWidth > el.clientWidth + 1 && /auto|scroll/.test(style.overflowX);
  return (down || across) && el.clientHeight > 0 && el.clientWidth > 0;
}
