// The flat tree, as rendered: a shadow host's children are those of its shadow root, and a slot's are its assigned
// nodes.
//
// The browser hides closed shadow roots from scripts. The driver gets them over the protocol and passes them to
// `adopt`; from then on they are treated like open ones.

import {
  activeIn, assignedSlot, firstChild, isElement, isShadowRoot, isText, nextSibling, openShadow,
  parentNode, query, queryIn, tag, type Root,
} from "./dom";

const adopted = new WeakMap<Element, ShadowRoot>();
let adoptedAny = false;

export function adopt(...roots: ShadowRoot[]): void {
  for (const root of roots) adopted.set(root.host, root);
  adoptedAny ||= roots.length > 0;
}

const met = new WeakSet<ShadowRoot>();
let unobserved: ShadowRoot[] = [];

export function shadowOf(el: Element): ShadowRoot | null {
  const root = openShadow(el) ?? (adoptedAny ? (adopted.get(el) ?? null) : null);
  if (root && !met.has(root)) {
    met.add(root);
    unobserved.push(root);
  }
  return root;
}

/** Shadow roots found since the last call. */
export function metShadowRoots(): ShadowRoot[] {
  const roots = unobserved;
  if (roots.length > 0) unobserved = [];
  return roots;
}

/** The rendered children of an element, in order. */
export function flatChildren(el: Element): readonly Node[] {
  const shadow = shadowOf(el);
  if (shadow) return childrenOf(shadow);
  if (tag(el) === "slot") {
    const assigned = (el as HTMLSlotElement).assignedNodes?.();
    if (assigned && assigned.length > 0) return assigned;
  }
  return childrenOf(el);
}

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  for (let child = firstChild(parent); child; child = nextSibling(child)) children.push(child);
  return children;
}

/** The element that a node is rendered in; null for the root and for nodes that are not rendered. */
export function flatParent(node: Node): Element | null {
  const parent = parentNode(node);
  if (!parent) return null;
  if (isShadowRoot(parent)) return parent.host;
  if (!isElement(parent)) return null;
  return shadowOf(parent) ? slotFor(node, parent) : parent;
}

function slotFor(node: Node, host: Element): Element | null {
  if (!isElement(node) && !isText(node)) return null;
  const slot = assignedSlot(node);
  if (slot) return slot;
  // `assignedSlot` does not reveal slots of a closed root, even if we have the root.
  const root = adoptedAny ? adopted.get(host) : undefined;
  if (!root) return null;
  return query(root, "slot").find((slot) => (slot as HTMLSlotElement).assignedNodes().includes(node)) ?? null;
}

export function flatContains(ancestor: Element, node: Node | null): boolean {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

/** The focused element, through shadow roots; null if only the document has focus. */
export function deepActive(): Element | null {
  let focused = activeIn(document);
  for (let shadow = focused && shadowOf(focused); shadow; shadow = focused && shadowOf(focused)) {
    const inner = activeIn(shadow);
    if (!inner) break;
    focused = inner;
  }
  return focused && tag(focused) !== "body" ? focused : null;
}

/** The document and all its shadow roots. */
export function roots(): Root[] {
  const found: Root[] = [document];
  for (let i = 0; i < found.length; i++) {
    for (const el of query(found[i]!, "*")) {
      const shadow = shadowOf(el);
      if (shadow) found.push(shadow);
    }
  }
  return found;
}

/** All elements of the document or below an element, each host before its shadow content. */
export function allElements(root: Root | Element = document): Element[] {
  const own = isElement(root) ? shadowOf(root) : null;
  const found: Element[] = own ? allElements(own) : [];
  for (const el of isElement(root) ? queryIn(root, "*") : query(root, "*")) {
    found.push(el);
    const shadow = shadowOf(el);
    if (shadow) found.push(...allElements(shadow));
  }
  return found;
}
