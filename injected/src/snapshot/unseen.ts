// Controls included although they are not rendered: file inputs, which need no pointer, and check boxes that the page
// hides behind styled labels.

import { attr, contains, is, queryIn, tag } from "../page/dom";
import type { Look } from "../semantics/look";
import { roleOf } from "../semantics/role";
import { plainNode, type TreeNode } from "./tree";

const UPLOAD = "input[type=file]";

/** The nodes for an element that is not rendered, or for its descendants. */
export function hiddenControls(el: Element, look: Look): TreeNode[] {
  if (hasVisibleLabel(el, look)) return [plainNode(el, roleOf(el, look), look)];
  const uploads = is(el, UPLOAD) ? [el] : contains(el, UPLOAD) ? queryIn(el, UPLOAD) : [];
  return uploads.filter((upload) => !look.rendered(upload)).map((upload) => hidden(plainNode(upload, "button", look)));
}

function hidden(told: TreeNode): TreeNode {
  return { ...told, props: { ...told.props, hidden: true } };
}

/** A hidden check box or radio button with a visible label; clicks go to the label. */
function hasVisibleLabel(el: Element, look: Look): boolean {
  if (tag(el) !== "input" || !["checkbox", "radio"].includes((el as HTMLInputElement).type)) return false;
  if (look.exposed(el) || attr(el, "aria-hidden") === "true") return false;
  return look.labels.of(el).some((label) => look.exposed(label));
}

/** The control that a label names, if the control is in the tree. */
export function includedControl(label: Element, look: Look): Element | null {
  const { control } = label as HTMLLabelElement;
  return control && (look.exposed(control) || hasVisibleLabel(control, look)) ? control : null;
}
