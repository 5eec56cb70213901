// The Tree is the content of a snapshot: the flat tree without meaningless wrappers, and with text that no name covers.
// Nodes are defined here and filled by the walk.

import type { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { propsOf, type Props } from "./props";

export interface TreeNode {
  /** Null for text. */
  el: Element | null;
  role: string;
  name: string;
  props: Props | undefined;
  children: TreeNode[];
}

export function node(el: Element | null, role: string, name: string, props?: Props): TreeNode {
  return { el, role, name, props, children: [] };
}

/** A node for an element on its own, without context. */
export function plainNode(el: Element, role: string, look: Look): TreeNode {
  const name = nameOf(el, look).text;
  return node(el, role, name, propsOf(el, role, name, look, { click: false, scrolls: false, active: false }));
}
