// Items under a delegated listener: a container handles the clicks of its descendants and identifies the item by the
// event's target. Each item is then clickable. The markup only suggests which descendants are items: similar siblings
// with text and without controls of their own.

import { attr, contains, isElement, query, queryIn, rectOf, tag, textContent } from "../page/dom";
import { flatParent } from "../page/flat";
import { listens } from "../page/listeners";
import type { Look } from "../semantics/look";
import { disabled } from "../semantics/operable";

/** A container of these is the page or a section of it: its listener serves a framework, not items. */
const PAGE_PARTS = "main, nav, header, footer, form, iframe, h1, [role=main], [role=navigation], [role=banner]";

/** Controls. */
const OPERATED = "a[href], button, input, select, textarea, summary, [onclick], [tabindex], [contenteditable]";

const LISTS = new Set("dl menu ol table tbody thead ul".split(" "));
const ROWS = new Set("dd dt li tr".split(" "));
const DEEPEST = 4;

/** The items of a container that handles clicks; none if it appears to be a single control. */
export function delegatedItems(container: Element, look: Look): Element[] {
  if (holdsPageParts(container, look)) return [];
  const items = itemsIn(container, look, 0);
  const pointed = items.filter((item) => look.facts(item).cursor === "pointer");
  // If only some have a pointer cursor, the others do not react.
  const meant = pointed.length > 0 ? pointed : items;
  const sure = LISTS.has(tag(container)) || /\btarget\b/.test(attr(container, "onclick") ?? "");
  return meant.length > (sure ? 0 : 2) || (meant.length === 2 && classOf(meant[0]!) !== "") ? meant : [];
}

/** Whether a container holds sections of the page; computed for all containers at once. */
function holdsPageParts(container: Element, look: Look): boolean {
  return foundIn(look).holders.has(container);
}

/** Results per Look: containers are often nested. */
interface Found {
  holders: Set<Element>;
  items: Map<Element, Element[]>;
}

const found = new WeakMap<Look, Found>();

function foundIn(look: Look): Found {
  let known = found.get(look);
  if (!known) {
    const holders = new Set<Element>();
    for (const part of query(document, PAGE_PARTS)) {
      for (let at = flatParent(part); at && !holders.has(at); at = flatParent(at)) holders.add(at);
    }
    found.set(look, (known = { holders, items: new Map() }));
  }
  return known;
}

/** The items below an element that react. */
function itemsIn(el: Element, look: Look, depth: number): Element[] {
  if (depth > DEEPEST) return [];
  const { items } = foundIn(look);
  let known = items.get(el);
  if (!known) items.set(el, (known = findItems(el, look, depth).filter((item) => reacts(item, look))));
  return known;
}

function findItems(el: Element, look: Look, depth: number): Element[] {
  const children = look.children(el).filter((child): child is Element => isElement(child) && drawn(child, look));
  if (children.length === 0) return [];
  if (children.length === 1) return ROWS.has(tag(children[0]!)) ? children : itemsIn(children[0]!, look, depth + 1);
  const alike = largestKind(children);
  if (alike.length < 2) return children.flatMap((child) => (LEAVES.has(tag(child)) ? [] : itemsIn(child, look, depth + 1)));
  if (alike.every((item) => tag(item) === "tr")) return shortCells(alike, look) ?? alike;
  if (alike.some((item) => ROWS.has(tag(item)))) return alike;
  const within = alike.map((item) => rowIn(item, look));
  if (within.every((row) => row.length > 1)) return within.flat();
  return cardsIn(alike, look, depth) ?? alike;
}

/** Cards and the like take most of the width of their column; tags in a card do not. */
const CARD_WIDTH = 0.6;

/** The cards of a board: blocks of one kind that repeat inside its columns, beside headings. A column may have one or none. */
function cardsIn(columns: Element[], look: Look, depth: number): Element[] | null {
  if (columns.some((column) => look.facts(column).cursor === "pointer")) return null;
  const repeated = columns.map((column) => itemsIn(column, look, depth + 1));
  const kinds = new Set(repeated.flat().map(kindOf));
  const [first] = repeated.flat();
  if (kinds.size !== 1 || !first || classOf(first) === "") return null;
  const wide = columns.every((column, i) => repeated[i]!.every((card) => rectOf(card).width > rectOf(column).width * CARD_WIDTH));
  return wide ? columns.flatMap((column) => queryIn(column, "*").filter((el) => kinds.has(kindOf(el)) && drawn(el, look))) : null;
}

const LEAVES = new Set("br hr img li svg td th tr".split(" "));

function drawn(el: Element, look: Look): boolean {
  return !look.excludes(el) && look.facts(el).visible;
}

function kindOf(el: Element): string {
  return `${tag(el)} ${attr(el, "role") ?? ""} ${classOf(el)}`;
}

/** The largest group of similar children. */
function largestKind(children: Element[]): Element[] {
  const kinds = new Map<string, Element[]>();
  for (const child of children) {
    const kind = kindOf(child);
    kinds.set(kind, [...(kinds.get(kind) ?? []), child]);
  }
  return Array.from(kinds.values()).reduce((most, kind) => (kind.length > most.length ? kind : most));
}

/** The first class: others express states. */
function classOf(el: Element): string {
  return (attr(el, "class") ?? "").trim().split(/\s+/)[0]!;
}

/** Similar blocks inside an item, which is then a row of items. */
function rowIn(item: Element, look: Look): Element[] {
  const children = look.children(item).filter((child): child is Element => isElement(child) && drawn(child, look));
  // The days of a week, say.
  if (children.length > 1 && attr(item, "role") === "row" && children.every(isShort)) return children;
  const blocks = children.length > 1 && children.every((child) => look.facts(child).display !== "inline");
  return blocks && classOf(children[0]!) !== "" && largestKind(children).length === children.length ? children : [];
}

const SHORT = 3;
const isShort = (el: Element) => textContent(el).trim().length <= SHORT;

/** Cells of a calendar or board: short texts, clicked one by one. */
function shortCells(rows: Element[], look: Look): Element[] | null {
  const cells = rows.flatMap((row) => look.children(row).filter((cell): cell is Element => isElement(cell) && tag(cell) === "td"));
  const short = cells.length >= rows.length * 2 && cells.every(isShort);
  return short ? cells : null;
}

/** Whether a click on an item can have an effect: it is rendered, has text or an image, and is not disabled. */
function reacts(item: Element, look: Look): boolean {
  if (unclickable(item, look) || listens(item) || contains(item, OPERATED)) return false;
  if (HEADING_CLASS.test(attr(item, "class") ?? "")) return false;
  if (textContent(item).trim() === "" && !contains(item, "img, svg, picture, canvas")) return false;
  const { width, height } = rectOf(item);
  return width > 1 && height > 1;
}

/** Class names of headings above items, which look like items otherwise. */
const HEADING_CLASS = /(?:^|[\s_-])(?:caption|dow|head|header|heading|label|title|weekdays?)(?:$|[\s_-])/i;
const DISABLED_CLASS = /(?:^|[\s_-])disabled(?:$|[\s_-])/i;

/** No pointer events, or disabled. */
export function unclickable(el: Element, look: Look): boolean {
  if (look.facts(el).style.pointerEvents === "none" || disabled(el)) return true;
  return DISABLED_CLASS.test(attr(el, "class") ?? "");
}
