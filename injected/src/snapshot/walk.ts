// The walk over the flat tree that builds the Tree.
//
// While an element's children are visited, text collects in a run. A run ends, and becomes a text node, where a block
// or an included element begins or ends; words across <b> or <span> stay together.

import { attr, firstChild, isElement, isText, pageRoot } from "../page/dom";
import { asDisplayed, clean, shorten } from "../page/text";
import type { Look } from "../semantics/look";
import { nameOf, type Name } from "../semantics/name";
import { AriaHidden } from "./ariahidden";
import { consider } from "./candidates";
import { addHint, lacksName } from "./hint";
import { withoutNested } from "./nested";
import { optionNodes } from "./options";
import type { Props } from "./props";
import { node, type TreeNode } from "./tree";
import { hiddenControls } from "./unseen";
import { contextInIncluded, contextInOmitted, nodeFor, type Context } from "./relevance";

/** Elements whose children are a fallback, a value or an image. */
const OPAQUE = new Set("audio canvas embed frame iframe input math meter object progress textarea video".split(" "));

/** SVG definitions and descriptions, which are not drawn in place. */
const UNDRAWN = new Set("clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient symbol title".split(" "));

/** Texts to be read in full: those directly in an element (null: in none), up to so many characters each. */
export interface FullTexts {
  root: Element | null;
  limit: number;
}

/** With `literal`, text also appears in the elements that it names. */
export function buildTree(look: Look, literal = false, full: FullTexts | null = null): TreeNode {
  const top = node(null, "document", "");
  const root = pageRoot();
  look.enter(document);
  if (root) new Walk(look, literal, full).start(root, top);
  return top;
}

/** Maximum characters of one text, and of all texts before each gets less. */
export const TEXT_LIMIT = 3_900;
const ALL_TEXTS = 400_000;
const SHORT_TEXT = 200;

class Walk {
  private run = "";
  /** The number of characters left out of the run. */
  private left = 0;
  private room = ALL_TEXTS;

  private readonly ariaHidden: AriaHidden;

  constructor(private readonly look: Look, private readonly literal: boolean, private readonly full: FullTexts | null) {
    this.ariaHidden = new AriaHidden(look);
  }

  start(root: Element, top: TreeNode): void {
    this.visit(root, top, { told: false, absorbed: false });
    this.endRun(top, false);
    this.ariaHidden.settle(top);
  }

  private visit(el: Element, parent: TreeNode, context: Context): void {
    const { look } = this;
    const { tag, display, visible } = look.facts(el);
    if (look.excludes(el)) {
      this.tellUnseen(el, parent, context);
      for (const number of this.ariaHidden.numbersBehind(el)) look.behind.push(number);
      if (!context.told && !context.absorbed && look.hiddenByAria(el)) {
        this.endRun(parent, context.told);
        this.ariaHidden.consider(el, parent);
      }
      return;
    }
    look.include(el);
    consider(el, tag);
    if (tag === "br") {
      this.run += " ";
      return;
    }
    const edge = edgeOf(display);
    this.cross(edge, parent, context);
    const told = visible ? nodeFor(el, context, look) : null;
    if (!visible) this.tellUnseen(el, parent, context);
    if (told) this.tell(el, tag, told, parent, context);
    else this.dissolve(el, tag, parent, context);
    this.cross(edge, parent, context);
  }

  private tell(el: Element, tag: string, told: TreeNode, parent: TreeNode, context: Context): void {
    this.endRun(parent, context.told);
    parent.children.push(told);
    this.fill(el, tag, told, context);
    if (told.role === "paragraph" && told.children.length === 0 && !told.name && !told.props) parent.children.pop();
    if (lacksName(told)) addHint(told);
    if (told.props?.clickable) parent.children.splice(-1, 1, ...withoutNested(told, parent));
  }

  /** Walks the content of an included element. */
  private fill(el: Element, tag: string, told: TreeNode, context: Context): void {
    if (tag === "select") told.children = optionNodes(el as HTMLSelectElement, this.look);
    if (tag === "select" || OPAQUE.has(tag)) return;
    const name = nameOf(el, this.look);
    const inside = contextInIncluded(told, name, context);
    if (this.literal && name.text !== "") inside.told = false;
    if (inside.told && this.onlyText(el)) return;
    this.visitChildren(el, told, inside);
    this.endRun(told, inside.told);
    settle(told, name, this.literal);
  }

  /** An element without a node: its children take its place. */
  private dissolve(el: Element, tag: string, parent: TreeNode, context: Context): void {
    const title = this.look.facts(el).bare || firstChild(el) ? null : attr(el, "title");
    if (title) this.run += ` ${title} `;
    const inside = contextInOmitted(el, tag, context, this.look);
    if (inside !== context) this.endRun(parent, context.told);
    this.visitChildren(el, parent, inside);
    if (inside !== context) this.endRun(parent, inside.told);
  }

  private visitChildren(el: Element, parent: TreeNode, context: Context): void {
    const { look } = this;
    const facts = look.facts(el);
    const { visible } = facts;
    if (visible) this.run += look.generated.text(el, "::before");
    const plain = look.plainText(el);
    const hidesSome = plain !== "" && look.hidesSome(el);
    if (plain !== null && visible && !hidesSome) this.add(plain, facts, parent);
    for (const child of plain === null ? look.children(el) : []) {
      if (isText(child)) {
        if (visible && !hidesSome) this.add(child.data, facts, parent);
      } else if (isElement(child) && !look.ownership.claimed(child) && !UNDRAWN.has(look.facts(child).tag)) {
        if (hidesSome && look.hidesChild(el, child)) this.tellUnseen(child, parent, context);
        else this.visit(child, parent, context);
      }
    }
    for (const owned of look.ownership.childrenOf(el)) this.visit(owned, parent, context);
    if (visible) this.run += look.generated.text(el, "::after");
  }

  /** Adds text to the run, within the limits. */
  private add(text: string, facts: { readonly textTransform: string }, parent: TreeNode): void {
    const limit = this.fullIn(parent)?.limit ?? (this.room > 0 ? TEXT_LIMIT : SHORT_TEXT);
    // White space that is not shown does not count.
    const whole = text.length > limit ? text.replace(/\s+/g, " ") : text;
    const shown = shorten(whole, limit);
    this.room -= shown.length;
    this.run += asDisplayed(shown, facts);
    this.left += whole.length - shown.length;
  }

  private fullIn(parent: TreeNode): FullTexts | null {
    return this.full && parent.el === this.full.root ? this.full : null;
  }

  private onlyText(el: Element): boolean {
    return this.look.plainText(el) !== null && this.look.ownership.childrenOf(el).length === 0;
  }

  private tellUnseen(el: Element, parent: TreeNode, context: Context): void {
    const unseen = hiddenControls(el, this.look);
    if (unseen.length === 0) return;
    this.endRun(parent, context.told);
    parent.children.push(...unseen);
  }

  /** Crosses the edge of an element, which may separate the text before it from the text after it. */
  private cross(edge: Edge, parent: TreeNode, context: Context): void {
    if (edge === "block") this.endRun(parent, context.told);
    else if (edge === "space") this.run += " ";
  }

  private endRun(parent: TreeNode, told: boolean): void {
    if (this.run === "") return;
    const text = told ? "" : clean(this.run);
    if (text) parent.children.push(this.textOf(text, parent));
    this.run = "";
    this.left = 0;
  }

  private textOf(text: string, parent: TreeNode): TreeNode {
    const full = this.fullIn(parent);
    const shown = full ? shorten(text, full.limit) : text;
    const truncated = text.length - shown.length + this.left;
    const props: Props = {};
    if (truncated > 0) props.truncated = shown.length + truncated;
    if (full) props.full = true;
    return node(null, "text", shown, truncated > 0 || full ? props : undefined);
  }
}

type Edge = "none" | "space" | "block";

function edgeOf(display: string): Edge {
  if (display === "inline" || display === "contents") return "none";
  return display.startsWith("inline") ? "space" : "block";
}

/** After the children: removes text that repeats the name, and names an unnamed element by its text. */
function settle(told: TreeNode, name: Name, literal: boolean): void {
  const [only] = told.children;
  if (told.children.length !== 1 || !only || only.el || only.props?.ariaHidden) return;
  if (name.text === "" && told.props?.clickable) told.name = only.name;
  if (only.name === told.name && !literal) told.children = [];
}
