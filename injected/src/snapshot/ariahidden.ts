// Visible text that `aria-hidden` removes from the accessibility tree. It is included, and marked, unless something
// else replaces it: icons, duplicate labels and content behind a dialog stay out.

import { drawnBy } from "../fields/surface";
import { attr, contains, has, isElement, isText, parentNode, query, rectOf } from "../page/dom";
import { allElements, flatContains } from "../page/flat";
import { asDisplayed, clean, shorten } from "../page/text";
import type { Look } from "../semantics/look";
import { numbered, numberOf } from "../targets/numbers";
import { node, type TreeNode } from "./tree";

const LIMIT = 1_000;
const ICON_FONT = /icon|symbol|awesome|glyph|dingbat|fontello/i;
/** At least one letter or digit: symbols alone are icons. */
const READABLE = /[\p{L}\p{N}]/u;

interface Candidate {
  el: Element;
  told: TreeNode;
}

export class AriaHidden {
  private readonly candidates: Candidate[] = [];
  private dialogs: Element[] | undefined;
  private menus: Element[] | undefined;

  constructor(private readonly look: Look) {}

  /** Called for an excluded element; adds its text until `settle` knows all other text. */
  consider(el: Element, parent: TreeNode): void {
    const { look } = this;
    if (look.facts(el).bare || attr(el, "aria-hidden") !== "true" || has(el, "inert") || look.leavesOut(el) || look.blockedByModal(el)) return;
    const text = shorten(clean(seenText(el, look)), LIMIT);
    if (!READABLE.test(text) || !shown(el) || this.behindPopup(el) || hasAlternative(el, parent, look)) return;
    // What closes or is put aside was told element by element.
    if (knows(el)) return;
    const told = node(null, "text", text, { ariaHidden: true });
    parent.children.push(told);
    this.candidates.push({ el, told });
  }

  /** Removes text that also appears elsewhere. */
  settle(top: TreeNode): void {
    if (this.candidates.length === 0) return;
    const own = new Set(this.candidates.map(({ told }) => told));
    const said: string[] = [];
    const read = (at: TreeNode): void => {
      if (own.has(at)) return;
      said.push(at.name, at.props?.value ?? "");
      at.children.forEach(read);
    };
    read(top);
    const all = squeezed(said.join(" "));
    const seen = new Set<string>();
    const repeated = new Set<TreeNode>();
    for (const { el, told } of this.candidates) {
      const text = squeezed(told.name);
      if (all.includes(text) || seen.has(text) || isGutter(el, text) || drawnBy(el, this.look.surfaces)) repeated.add(told);
      seen.add(text);
    }
    if (repeated.size > 0) remove(top, repeated);
  }

  /** Dialogs hide the page behind them with aria-hidden, and it is not meant to be used. So do menus, with what they once showed. */
  private behindPopup(el: Element): boolean {
    this.dialogs ??= this.exposed(DIALOGS);
    if (hides(this.dialogs, el)) return true;
    return hides((this.menus ??= this.exposed(MENUS)), el) && knows(el);
  }

  /** The numbers of the elements in an excluded one that is shown again when a popup closes. */
  numbersBehind(el: Element): number[] {
    const { look } = this;
    if (look.leavesOut(el) || !(look.blockedByModal(el) || has(el, "inert") || look.hiddenByAria(el))) return [];
    return look.blockedByModal(el) || this.behindPopup(el) ? Array.from(knownIn(el), numberOf) : [];
  }

  private exposed(popups: string): Element[] {
    return query(document, popups).filter((popup) => this.look.exposed(popup));
  }
}

const DIALOGS = "[aria-modal=true], [role=dialog], [role=alertdialog], dialog[open]";
const MENUS = "[role=menu], [role=listbox]";

function hides(popups: Element[], el: Element): boolean {
  return popups.length > 0 && !popups.some((popup) => flatContains(popup, el));
}

const knows = (el: Element) => knownIn(el).next().done === false;

/** The element and those in it that have a number. */
function* knownIn(el: Element): Generator<Element> {
  if (numbered(el)) yield el;
  for (const inside of allElements(el)) if (numbered(inside)) yield inside;
}

/** Removes nodes, wherever they stand now: the walk may have dropped the wrapper they were added to. */
function remove(from: TreeNode, nodes: Set<TreeNode>): void {
  if (from.children.some((child) => nodes.has(child))) from.children = from.children.filter((child) => !nodes.has(child));
  for (const child of from.children) remove(child, nodes);
}

/** Line numbers beside an editable text. */
function isGutter(el: Element, text: string): boolean {
  const parent = parentNode(el);
  return /^\d+( \d+)*$/.test(text) && isElement(parent as Node) && contains(parent as Element, "[contenteditable=true], textarea");
}

function squeezed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Visible text below an element, without icon glyphs. */
function seenText(el: Element, look: Look): string {
  const facts = look.facts(el);
  if (look.leavesOut(el) || ICON_FONT.test(facts.style.fontFamily)) return "";
  let text = "";
  for (const child of look.children(el)) {
    if (isText(child)) text += facts.visible ? asDisplayed(child.data, facts) : "";
    else if (isElement(child)) text += look.facts(child).display === "inline" ? seenText(child, look) : ` ${seenText(child, look)} `;
    if (text.length > LIMIT) break;
  }
  return text;
}

/** Large enough to read, and on the page. */
function shown(el: Element): boolean {
  const { width, height, right, bottom } = rectOf(el);
  const drawn = (el as Element & { checkVisibility?: (options: object) => boolean }).checkVisibility;
  if (drawn && !drawn.call(el, { opacityProperty: true, visibilityProperty: true })) return false;
  return width > 2 && height > 2 && right + scrollX > 0 && bottom + scrollY > 0;
}

/** Roles of which the name stands for all that is in them. */
const SPOKEN_FOR = new Set("button cell columnheader gridcell link menuitem option rowheader tab".split(" "));

/** Whether its parent has a label, or a visually hidden text next to it. */
function hasAlternative(el: Element, within: TreeNode, look: Look): boolean {
  if (within.name !== "" && SPOKEN_FOR.has(within.role)) return true;
  const parent = parentNode(el);
  if (!isElement(parent as Node)) return false;
  const around = parent as Element;
  if (has(around, "aria-label") || has(around, "aria-labelledby")) return true;
  return look.children(around).some((child) => isElement(child) && child !== el && !look.excludes(child) && visuallyHidden(child));
}

/** Visually hidden in the usual way: clipped to a point. */
function visuallyHidden(el: Element): boolean {
  const { width, height } = rectOf(el);
  return width > 0 && height > 0 && (width <= 2 || height <= 2) && READABLE.test(clean(el.textContent ?? ""));
}
