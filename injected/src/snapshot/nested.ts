// Nested clickable elements: frameworks wrap a control several times, each with its own listener. A click reaches all
// of them, so one line is enough.

import { rectOf } from "../page/dom";
import { INTERACTIVE } from "../semantics/role";
import type { Props } from "./props";
import type { TreeNode } from "./tree";

/** Minimum share of the outer element's area that the inner one covers. */
const FILLS = 0.75;

/** The replacement of a node just added below `parent`: itself, or only its children. */
export function withoutNested(told: TreeNode, parent: TreeNode): TreeNode[] {
  const [only] = told.children;
  const filled = told.children.length === 1 && operable(only!) && fills(only!, told);
  if (!bareClickable(told)) {
    // Keep a cell or item; the element that fills it is clicked instead.
    if (filled && HOLDERS.has(told.role)) told.props = without(told.props!);
    return [told];
  }
  if (filled || onlyFields(told)) return told.children;
  return operable(parent) && fills(told, parent) ? told.children : [told];
}

/** A frame around a field and its buttons: a click on it goes to the field. */
function onlyFields({ children }: TreeNode): boolean {
  if (children.length === 1 && TOGGLES.has(children[0]!.role)) return true;
  return children.some(({ role }) => FIELDS.has(role)) && children.every(isPart);
}

/** A control, a separator, or text that repeats a label. */
function isPart({ el, role, name, props }: TreeNode): boolean {
  return el ? INTERACTIVE.has(role) : props?.ariaHidden === true || !/[\p{L}\p{N}]/u.test(name);
}

const FIELDS = new Set("combobox searchbox slider spinbutton textbox".split(" "));
const TOGGLES = new Set("checkbox radio switch".split(" "));

const HOLDERS = new Set("cell listitem row".split(" "));

function without({ clickable: _, ...others }: Props): Props | undefined {
  return Object.keys(others).length > 0 ? others : undefined;
}

/** A node with no information except that it is clickable. */
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
