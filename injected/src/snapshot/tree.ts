// The Tree is what a snapshot tells: the flat tree without wrappers that mean nothing, and with text
// wherever a name does not already tell it. Its nodes are made here, filled by the walk.

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

export function textNode(text: string): TreeNode {
  return node(null, "text", text);
}

/** An element told by itself, whatever is around it. */
export function plainNode(el: Element, role: string, look: Look): TreeNode {
  const name = nameOf(el, look).text;
  return node(el, role, name, propsOf(el, role, name, look, { click: false, scrolls: false, active: false }));
}
