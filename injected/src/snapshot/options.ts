// The options of a native select, included even if its list is closed, so that a client can choose.

import { parentNode, isElement, tag } from "../page/dom";
import type { Look } from "../semantics/look";
import { plainNode, type TreeNode } from "./tree";

export function optionNodes(select: HTMLSelectElement, look: Look): TreeNode[] {
  const told: TreeNode[] = [];
  const options = Array.from(select.options).filter((option) => look.facts(option).display !== "none");
  for (const option of options) holderOf(option, told, look).push(optionNode(option, look));
  return told;
}

/** Options of a native select are chosen through the select, and marked accordingly. */
function optionNode(option: Element, look: Look): TreeNode {
  const node = plainNode(option, "option", look);
  return { ...node, props: { ...node.props, native: true } };
}

/** The parent of an option: its group, which is added with its first option. */
function holderOf(option: Element, told: TreeNode[], look: Look): TreeNode[] {
  const parent = parentNode(option);
  if (!isElement(parent as Node) || tag(parent as Element) !== "optgroup") return told;
  let group = told.at(-1);
  if (group?.el !== parent) {
    group = plainNode(parent as Element, "group", look);
    told.push(group);
  }
  return group!.children;
}
