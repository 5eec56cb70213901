// Clickable elements without a role: the driver found a pointer listener (`mark`), or they have a click attribute, a
// tabindex, draggable or their own pointer cursor, or a container handles their clicks.

import { attr, firstChild, nearest, rectOf } from "../page/dom";
import { flatParent } from "../page/flat";
import { listens } from "../page/listeners";
import type { Look } from "../semantics/look";
import { delegatedItems, unclickable } from "./delegated";

export function draggable(el: Element): boolean {
  return attr(el, "draggable") === "true";
}

/** Inside a clickable element (`part`), a pointer cursor adds nothing. */
export function clickable(el: Element, look: Look, part: boolean): boolean {
  const { tag: name, bare } = look.facts(el);
  // Listeners here serve the whole page and do not indicate a place to click.
  if (name === "html" || name === "body") return false;
  const handles = listens(el, bare);
  const pointer = !part && ownPointer(el, look);
  const click = handles || (!bare && hasClickAttributes(el)) || look.items.has(el) || (pointer && !padding(el, name));
  if (!click || unclickable(el, look) || isEmptyTarget(el, look, handles || pointer)) return false;
  if (!part && (handles || (pointer && LISTS.has(name)))) for (const item of delegatedItems(el, look)) look.items.add(item);
  return true;
}

const LISTS = new Set("dl menu ol table tbody ul".split(" "));

function hasClickAttributes(el: Element): boolean {
  const tabindex = attr(el, "tabindex");
  return (tabindex !== null && Number.parseInt(tabindex, 10) >= 0) || draggable(el);
}

/** A pointer cursor that starts here: children inherit it and belong to the same control. */
function ownPointer(el: Element, look: Look): boolean {
  if (look.facts(el).cursor !== "pointer") return false;
  const parent = flatParent(el);
  return parent !== null && look.facts(parent).cursor !== "pointer";
}

/** An empty element without area traps focus; one in a table resizes columns. */
function isEmptyTarget(el: Element, look: Look, clicked: boolean): boolean {
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
