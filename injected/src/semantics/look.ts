// A Look is one synchronous reading of the page. Nothing changes while it exists, so styles, roles, names and exposure
// are computed once per element. It is discarded before page code can run.
//
// An element is *rendered* if it is in the layout, and *exposed* if it is in the accessibility tree: rendered, visible,
// and not excluded by aria-hidden or inertness.

import { attr, attributeNames, firstElementChild, has, pageRoot, query, tag, textContent, type Root } from "../page/dom";
import { deepActive, flatChildren, flatContains, flatParent, shadowOf } from "../page/flat";
import { Labels } from "./labels";
import type { Name } from "./name";
import { Ownership } from "./owns";
import { Generated } from "./pseudo";

/** Cached facts of one element, computed on first use. */
export class Facts {
  readonly tag: string;
  readonly style: CSSStyleDeclaration;
  readonly display: string;
  readonly visible: boolean;
  role: string | undefined = undefined;
  name: Name | undefined = undefined;
  content: string | undefined = undefined;
  rendered: boolean | undefined = undefined;
  included: boolean | undefined = undefined;
  excluded: boolean | undefined = undefined;
  hidesSome: boolean | undefined = undefined;
  /** No attribute that affects role, name or state: none of them needs to be read. */
  readonly bare: boolean;
  private ownCursor: string | undefined = undefined;
  private ownCase: string | undefined = undefined;

  constructor(el: Element) {
    this.tag = tag(el);
    this.style = window.getComputedStyle(el);
    this.display = this.style.display;
    this.visible = this.style.visibility === "visible";
    this.bare = !attributeNames(el).some(meansSomething);
  }

  get cursor(): string {
    return (this.ownCursor ??= this.style.cursor);
  }

  get textTransform(): string {
    return (this.ownCase ??= this.style.textTransform);
  }
}

const MEANINGFUL = new Set("alt contenteditable draggable inert label placeholder role tabindex title".split(" "));

function meansSomething(attribute: string): boolean {
  return attribute.startsWith("aria-") || attribute.startsWith("on") || MEANINGFUL.has(attribute);
}

export class Look {
  readonly generated = new Generated();
  readonly labels = new Labels();
  readonly ownership = new Ownership();
  private readonly entered = new Set<Root>();
  private readonly known = new Map<Element, Facts>();
  readonly focused = deepActive();
  /** Items whose clicks a container handles. */
  readonly items = new Set<Element>();
  /** The numbers of elements that a popup hides while it is open. */
  readonly behind: number[] = [];
  /** Editors whose text is the value of their input. */
  readonly surfaces = new Set<Element>();
  private modal: Element[] | undefined;
  private readonly answers = new Map<string, Map<Element, boolean>>();

  /** Caches a predicate of an element that many others query. */
  once(question: string, el: Element, answer: (el: Element) => boolean): boolean {
    let known = this.answers.get(question);
    if (!known) this.answers.set(question, (known = new Map()));
    let holds = known.get(el);
    if (holds === undefined) known.set(el, (holds = answer(el)));
    return holds;
  }

  facts(el: Element): Facts {
    let facts = this.known.get(el);
    if (!facts) {
      facts = new Facts(el);
      this.known.set(el, facts);
    }
    return facts;
  }

  /** Reads a root's style sheets and aria-owns, before its elements are read. */
  enter(root: Root): void {
    if (this.entered.has(root)) return;
    this.entered.add(root);
    this.generated.scan(root);
    this.ownership.scan(root);
  }

  /** The rendered children of an element. */
  children(el: Element): readonly Node[] {
    const shadow = shadowOf(el);
    if (shadow) this.enter(shadow);
    return flatChildren(el);
  }

  /** The text of an element that contains only text; null otherwise. */
  plainText(el: Element): string | null {
    if (firstElementChild(el) || shadowOf(el) || this.facts(el).tag === "slot") return null;
    return textContent(el);
  }

  /** In the layout, visible or not. */
  rendered(el: Element): boolean {
    const facts = this.facts(el);
    facts.rendered ??= !this.leavesOut(el) && this.parentHolds(el, (parent) => this.rendered(parent) && !this.hidesChild(parent, el));
    return facts.rendered;
  }

  /** In the accessibility tree, as far as the element and its ancestors decide. */
  exposed(el: Element): boolean {
    return this.facts(el).visible && this.includes(el);
  }

  /** Like `exposed`, but ignores visibility: a hidden parent may have visible children. */
  includes(el: Element): boolean {
    const facts = this.facts(el);
    facts.included ??= !this.excludes(el) && this.parentHolds(el, (parent) => this.includes(parent) && !this.hidesChild(parent, el));
    return facts.included;
  }

  /** Excludes itself and its subtree from the accessibility tree. */
  excludes(el: Element): boolean {
    const facts = this.facts(el);
    return (facts.excluded ??= this.computeExcludes(el));
  }

  private computeExcludes(el: Element): boolean {
    const shut = !this.facts(el).bare && (this.hiddenByAria(el) || has(el, "inert"));
    return shut || this.leavesOut(el) || this.blockedByModal(el);
  }

  /** The browser ignores aria-hidden on the root and on the focused element. */
  hiddenByAria(el: Element): boolean {
    if (attr(el, "aria-hidden") !== "true") return false;
    const { tag } = this.facts(el);
    return tag !== "html" && tag !== "body" && !(this.focused && flatContains(el, this.focused));
  }

  /** Called by a top-down walk, which knows that the ancestors are included. */
  include(el: Element): void {
    this.facts(el).included = true;
  }

  /** A rendered parent that does not render some or all of its children. */
  hidesSome(parent: Element): boolean {
    const facts = this.facts(parent);
    return (facts.hidesSome ??= hidesChildren(parent, facts));
  }

  hidesChild(parent: Element, child: Node): boolean {
    return this.hidesSome(parent) && !(tag(parent) === "details" && child === firstSummary(parent));
  }

  /** Not in the layout because of its own display or tag. */
  leavesOut(el: Element): boolean {
    const { tag, display } = this.facts(el);
    return display === "none" || NEVER_RENDERED.has(tag);
  }

  private parentHolds(el: Element, holds: (parent: Element) => boolean): boolean {
    const parent = flatParent(el);
    return parent ? holds(parent) : el === pageRoot();
  }

  /** An open modal dialog makes everything outside it inert. */
  blockedByModal(el: Element): boolean {
    this.modal ??= query(document, "dialog:modal");
    if (this.modal.length === 0) return false;
    return !this.modal.some((dialog) => related(dialog, el));
  }
}

function hidesChildren(parent: Element, { tag, style, display }: Facts): boolean {
  if (tag === "details") return !has(parent, "open");
  if (display === "inline") return false;
  return (style as CSSStyleDeclaration & { contentVisibility?: string }).contentVisibility === "hidden";
}

const NEVER_RENDERED = new Set(["script", "style", "template", "noscript", "head", "datalist", "title", "meta", "link"]);

function firstSummary(details: Element): Element | null {
  for (let child = details.firstElementChild; child; child = child.nextElementSibling) {
    if (tag(child) === "summary") return child;
  }
  return null;
}

function related(dialog: Element, el: Element): boolean {
  return flatContains(dialog, el) || flatContains(el, dialog);
}
