// A Scope is where a search looks: the whole page, or inside some elements (not the elements themselves), through
// shadow roots.

import { isElement, isShadowRoot, parentNode } from "../page/dom";
import { allElements } from "../page/flat";

export class Scope {
  private readonly inner: Set<Element> | null;

  /** Without elements: the whole page. */
  constructor(readonly holders: readonly Element[] | null = null) {
    this.inner = holders && new Set(holders);
  }

  /** All elements in it, in document order. */
  elements(): Element[] {
    return this.inner ? this.sift(allElements()) : allElements();
  }

  /** The given elements that are in it. */
  sift(found: Element[]): Element[] {
    return this.inner ? found.filter((el) => this.has(el)) : found;
  }

  /** The results of several searches, deduplicated, in document order. */
  inOrder(found: Element[]): Element[] {
    if (found.length < 2 || !this.holders || this.holders.length < 2) return found;
    const wanted = new Set(found);
    return allElements().filter((el) => wanted.has(el));
  }

  private has(el: Element): boolean {
    for (let at = outer(el); at; at = outer(at)) if (this.inner!.has(at)) return true;
    return false;
  }
}

/** The parent element, or the host of a shadow root. */
export function outer(el: Element): Element | null {
  const parent = parentNode(el);
  if (!parent) return null;
  return isShadowRoot(parent) ? parent.host : isElement(parent) ? parent : null;
}
