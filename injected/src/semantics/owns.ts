// aria-owns: an element claims others as its children, wherever they are in the document. The first
// claim counts, and none by which an element would come to be inside itself.

import { has, nearest, query, referenced, tag, type Root } from "../page/dom";
import { flatParent } from "../page/flat";
import { editingHost } from "./operable";

export class Ownership {
  private readonly owners = new Map<Element, Element>();
  private readonly children = new Map<Element, Element[]>();

  /** Takes the claims made in a root into account. */
  scan(root: Root): void {
    for (const owner of query(root, "[aria-owns]")) {
      if (!this.mayOwn(owner)) continue;
      const claimed = referenced(owner, "aria-owns").filter((child) => !this.owners.has(child) && !this.isInside(owner, child));
      for (const child of claimed) this.owners.set(child, owner);
      this.children.set(owner, claimed);
    }
  }

  /** Whether someone else than its parent has the element. */
  claimed(el: Element): boolean {
    return this.owners.size > 0 && this.owners.has(el);
  }

  /** Who has the element in place of its parent. */
  ownerOf(el: Element): Element | null {
    return this.owners.get(el) ?? null;
  }

  childrenOf(owner: Element): readonly Element[] {
    if (this.children.size === 0 || !has(owner, "aria-owns")) return NONE;
    return this.children.get(owner) ?? NONE;
  }

  /** Not what has no children, nor what is edited, nor what nobody is told of: they would hide what they claim. */
  private mayOwn(owner: Element): boolean {
    return !CHILDLESS.has(tag(owner)) && !(has(owner, "contenteditable") && editingHost(owner)) && !nearest(owner, "[aria-hidden=true], [inert]");
  }

  private isInside(el: Element, outer: Element): boolean {
    for (let at: Element | null = el; at; at = this.owners.get(at) ?? flatParent(at)) if (at === outer) return true;
    return false;
  }
}

const CHILDLESS = new Set("area audio br embed frame hr iframe img input meter object progress textarea video wbr".split(" "));
const NONE: readonly Element[] = [];
