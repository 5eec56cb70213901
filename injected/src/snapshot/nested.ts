// Clickable elements in one another: frameworks wrap a place to click several times, each with a listener of its own.
// A click there reaches all of them, so one line is enough.

import { rectOf } from "../page/dom";
import { INTERACTIVE } from "../semantics/role";
import type { Props } from "./props";
import type { TreeNode } from "./tree";

/** How much of the outer one's area the inner one must take. */
const FILLS = 0.75;

/** What is told in place of a node just told below `parent`: itself, or only what it holds. */
export function withoutNested(told: TreeNode, parent: TreeNode): TreeNode[] {
  const [only] = told.children;
  const filled = told.children.length === 1 && operable(only!) && fills(only!, told);
  if (!bareClickable(told)) {
    // A cell or an item stays, and what fills it is clicked.
    if (filled && HOLDERS.has(told.role)) told.props = without(told.props!);
    return [told];
  }
  if (filled) return told.children;
  return operable(parent) && fills(told, parent) ? told.children : [told];
}

const HOLDERS = new Set("cell listitem row".split(" "));

function without({ clickable: _, ...others }: Props): Props | undefined {
  return Object.keys(others).length > 0 ? others : undefined;
}

/** An element that says nothing but that it can be clicked. */
function bareClickable({ role, name, props }: TreeNode): boolean {
  return role === "generic" && name === "" && props?.clickable === true && Object.keys(props).every((key) => key === "clickable" || key === "hint");
}

function operable({ el, role, props }: TreeNode): boolean {
  return el !== null && (props?.clickable === true || INTERACTIVE.has(role));
}

function fills(inner: TreeNode, outer: TreeNode): boolean {
  const [a, b] = [rectOf(inner.el!), rectOf(outer.el!)];
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return b.width > 0 && b.height > 0 && width > 0 && height > 0 && width * height >= FILLS * b.width * b.height;
}
