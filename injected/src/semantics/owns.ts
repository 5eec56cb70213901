// aria-owns: an element claims children from anywhere in the document. The first claim counts; claims that would create
// a cycle are ignored.

import { has, nearest, query, referenced, tag, type Root } from "../page/dom";
import { flatParent } from "../page/flat";
import { editingHost } from "./operable";

export class Ownership {
  private readonly owners = new Map<Element, Element>();
  private readonly children = new Map<Element, Element[]>();

  /** Reads the claims of a root. */
  scan(root: Root): void {
    for (const owner of query(root, "[aria-owns]")) {
      if (!this.mayOwn(owner)) continue;
      const claimed = referenced(owner, "aria-owns").filter((child) => !this.owners.has(child) && !this.isInside(owner, child));
      for (const child of claimed) this.owners.set(child, owner);
      this.children.set(owner, claimed);
    }
  }

  /** Whether the element is owned by another element than its parent. */
  claimed(el: Element): boolean {
    return this.owners.size > 0 && this.owners.has(el);
  }

  /** The aria-owns owner of the element. */
  ownerOf(el: Element): Element | null {
    return this.owners.get(el) ?? null;
  }

  childrenOf(owner: Element): readonly Element[] {
    if (this.children.size === 0 || !has(owner, "aria-owns")) return NONE;
    return this.children.get(owner) ?? NONE;
  }

  /**
   * Elements that cannot have children, are edited, or are not exposed may not own: they would hide what they claim.
   */
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
