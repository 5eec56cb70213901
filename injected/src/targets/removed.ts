// Where removed nodes were. A re-rendered element appears inside what is left of its old surroundings; one that looks
// the same elsewhere (a second calendar, another dialog) is another element.

import { isConnected, isShadowRoot, parentNode } from "../page/dom";

const removedFrom = new WeakMap<Node, WeakRef<Node>>();

/** Remembers where the nodes of a mutation were removed from. */
export function noteRemoved(record: MutationRecord): void {
  if (record.removedNodes.length === 0) return;
  const from = new WeakRef(record.target);
  for (const node of record.removedNodes) removedFrom.set(node, from);
}

/** The innermost connected node that an element was in; null if that is not known. */
function formerHome(el: Element): Node | null {
  let node: Node = el;
  while (!isConnected(node)) {
    const above = parentOrHost(node) ?? removedFrom.get(node)?.deref();
    if (!above) return null;
    node = above;
  }
  return node;
}

/** Whether an element is where another one was, as far as that is known. */
export function isWhereWas(twin: Element, old: Element | null): boolean {
  const home = old && formerHome(old);
  if (!home) return true;
  for (let node: Node | null = twin; node; node = parentOrHost(node)) if (node === home) return true;
  return false;
}

function parentOrHost(node: Node): Node | null {
  return parentNode(node) ?? (isShadowRoot(node) ? node.host : null);
}
