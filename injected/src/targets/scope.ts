// A Scope is where elements are looked for: the whole page, or inside some of its elements, which do not count
// themselves. Inside goes through shadow roots.

import { isElement, isShadowRoot, parentNode } from "../page/dom";
import { allElements } from "../page/flat";

export class Scope {
  private readonly inner: Set<Element> | null;

  /** Without elements: the whole page. */
  constructor(readonly holders: readonly Element[] | null = null) {
    this.inner = holders && new Set(holders);
  }

  /** All elements in it, in the order of the document. */
  elements(): Element[] {
    return this.inner ? this.sift(allElements()) : allElements();
  }

  /** Those of some elements that are in it. */
  sift(found: Element[]): Element[] {
    return this.inner ? found.filter((el) => this.has(el)) : found;
  }

  /** What several searches found, once each and in the order of the document. */
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

/** The element around an element, out of a shadow root to its host. */
export function outer(el: Element): Element | null {
  const parent = parentNode(el);
  if (!parent) return null;
  return isShadowRoot(parent) ? parent.host : isElement(parent) ? parent : null;
}
