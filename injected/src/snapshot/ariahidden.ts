// Text that a person sees and `aria-hidden` keeps from assistive technology. It is told, and marked, where nothing else
// stands for it: icons, doubled labels, and what lies behind a dialog stay out.

import { attr, has, isElement, isText, parentNode, query, rectOf } from "../page/dom";
import { flatContains } from "../page/flat";
import { asDisplayed, clean, shorten } from "../page/text";
import type { Look } from "../semantics/look";
import { node, type TreeNode } from "./tree";

const LIMIT = 1_000;
const ICON_FONT = /icon|symbol|awesome|glyph|dingbat|fontello/i;
/** At least one letter or digit: signs alone are drawings. */
const READABLE = /[\p{L}\p{N}]/u;

interface Candidate {
  told: TreeNode;
  parent: TreeNode;
}

export class AriaHidden {
  private readonly candidates: Candidate[] = [];
  private dialogs: Element[] | undefined;

  constructor(private readonly look: Look) {}

  /** Called for an excluded element; its text joins the tree until `settle` knows what else was said. */
  consider(el: Element, parent: TreeNode): void {
    const { look } = this;
    if (look.facts(el).bare || attr(el, "aria-hidden") !== "true" || has(el, "inert") || look.leavesOut(el) || look.blockedByModal(el)) return;
    const text = shorten(clean(seenText(el, look)), LIMIT);
    if (!READABLE.test(text) || !shown(el) || this.behindDialog(el) || stoodFor(el, look)) return;
    const told = node(null, "text", text, { ariaHidden: true });
    parent.children.push(told);
    this.candidates.push({ told, parent });
  }

  /** Takes back what is said elsewhere. */
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
    for (const { told, parent } of this.candidates) {
      const text = squeezed(told.name);
      if (all.includes(text) || seen.has(text)) parent.children = parent.children.filter((child) => child !== told);
      seen.add(text);
    }
  }

  /** Dialogs hide the page behind them this way, and it is not meant to be used. */
  private behindDialog(el: Element): boolean {
    this.dialogs ??= query(document, "[aria-modal=true], [role=dialog], [role=alertdialog], dialog[open]").filter((dialog) => this.look.exposed(dialog));
    return this.dialogs.length > 0 && !this.dialogs.some((dialog) => flatContains(dialog, el));
  }
}

function squeezed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** What is written and drawn below an element, but for icon fonts. */
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

/** Large enough to be read, and on the page. */
function shown(el: Element): boolean {
  const { width, height, right, bottom } = rectOf(el);
  const drawn = (el as Element & { checkVisibility?: (options: object) => boolean }).checkVisibility;
  if (drawn && !drawn.call(el, { opacityProperty: true, visibilityProperty: true })) return false;
  return width > 2 && height > 2 && right + scrollX > 0 && bottom + scrollY > 0;
}

/** Whether its parent has a label, or a text beside it that is only for those who listen. */
function stoodFor(el: Element, look: Look): boolean {
  const parent = parentNode(el);
  if (!isElement(parent as Node)) return false;
  const around = parent as Element;
  if (has(around, "aria-label") || has(around, "aria-labelledby")) return true;
  return look.children(around).some((child) => isElement(child) && child !== el && !look.excludes(child) && forListeners(child));
}

/** Visually hidden in the usual way: clipped to a point. */
function forListeners(el: Element): boolean {
  const { width, height } = rectOf(el);
  return width > 0 && height > 0 && (width <= 2 || height <= 2) && READABLE.test(clean(el.textContent ?? ""));
}
