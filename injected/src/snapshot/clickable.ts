// Bare elements that a person would click although nothing in their markup says so: the driver found
// a pointer listener on them (`mark`), or they have a click attribute, a place in the tab order, a
// drag handle or a pointer cursor of their own, or a container handles clicks for them.

import { attr, firstChild, nearest, rectOf } from "../page/dom";
import { flatParent } from "../page/flat";
import { listens } from "../page/listeners";
import type { Look } from "../semantics/look";
import { delegatedItems, unclickable } from "./delegated";

export function draggable(el: Element): boolean {
  return attr(el, "draggable") === "true";
}

/** Inside something that is clicked as a whole (`part`), a pointer cursor says nothing new. */
export function clickable(el: Element, look: Look, part: boolean): boolean {
  const { tag: name, bare } = look.facts(el);
  // Listeners here serve the whole page and say nothing about a place to click.
  if (name === "html" || name === "body") return false;
  const handles = listens(el, bare);
  const pointer = !part && ownPointer(el, look);
  const click = handles || (!bare && hasClickAttributes(el)) || look.items.has(el) || (pointer && !padding(el, name));
  if (!click || unclickable(el, look) || nothingThere(el, look, handles || pointer)) return false;
  if (!part && (handles || (pointer && LISTS.has(name)))) for (const item of delegatedItems(el, look)) look.items.add(item);
  return true;
}

const LISTS = new Set("dl menu ol table tbody ul".split(" "));

function hasClickAttributes(el: Element): boolean {
  const tabindex = attr(el, "tabindex");
  return (tabindex !== null && Number.parseInt(tabindex, 10) >= 0) || draggable(el);
}

/** A pointer cursor that begins here: children inherit it, and are part of the same thing. */
function ownPointer(el: Element, look: Look): boolean {
  if (look.facts(el).cursor !== "pointer") return false;
  const parent = flatParent(el);
  return parent !== null && look.facts(parent).cursor !== "pointer";
}

/** An empty element without an area keeps the focus inside something; one in a table resizes its columns. */
function nothingThere(el: Element, look: Look, clicked: boolean): boolean {
  if (firstChild(el) !== null) return false;
  const { width, height } = rectOf(el);
  if (!clicked && (width === 0 || height === 0)) return true;
  const resizes = look.facts(el).cursor.endsWith("-resize") || /resiz/i.test(attr(el, "class") ?? "");
  return resizes && nearest(el, "table, [role=grid], [role=treegrid], [role=table]") !== null;
}

/** An empty cell or item that only fills its row. */
function padding(el: Element, name: string): boolean {
  return (name === "td" || name === "li") && firstChild(el) === null;
}
