// The place of a node: a hash of its role and name and those of its ancestors. Elements with the same place look the
// same in a snapshot.

import type { TreeNode } from "./tree";

export interface Placed {
  el: Element;
  role: string;
  name: string;
  place: number;
}

export interface Places {
  list: Placed[];
  count(place: number): number;
}

export function placesIn(tree: TreeNode): Places {
  const list: Placed[] = [];
  const counts = new Map<number, number>();
  const visit = (node: TreeNode, above: number): void => {
    if (!node.el) return;
    const place = hash(hash(above, node.role), node.name);
    list.push({ el: node.el, role: node.role, name: node.name, place });
    counts.set(place, (counts.get(place) ?? 0) + 1);
    for (const child of node.children) visit(child, place);
  };
  for (const child of tree.children) visit(child, 0);
  return { list, count: (place) => counts.get(place) ?? 0 };
}

/** FNV-1a in two lanes, combined to the 53 bits that a number holds. */
function hash(seed: number, text: string): number {
  let low = 0x811c9dc5 ^ seed;
  let high = 0xc9dc5118 ^ (seed / 0x100000000);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000193 + 0x5bd1e8);
  }
  low = Math.imul(low ^ text.length, 0x01000193);
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}
