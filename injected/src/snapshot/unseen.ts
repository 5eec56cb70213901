// Controls that are told although they are not rendered: uploads, which need no pointer, and check boxes
// that the page hides in order to draw their labels instead.

import { attr, contains, is, queryIn, tag } from "../page/dom";
import type { Look } from "../semantics/look";
import { roleOf } from "../semantics/role";
import { plainNode, type TreeNode } from "./tree";

const UPLOAD = "input[type=file]";

/** What is told of an element that is not rendered, or of what is inside it. */
export function unseenNodes(el: Element, look: Look): TreeNode[] {
  if (drawnByLabel(el, look)) return [plainNode(el, roleOf(el, look), look)];
  const uploads = is(el, UPLOAD) ? [el] : contains(el, UPLOAD) ? queryIn(el, UPLOAD) : [];
  return uploads.filter((upload) => !look.rendered(upload)).map((upload) => hidden(plainNode(upload, "button", look)));
}

function hidden(told: TreeNode): TreeNode {
  return { ...told, props: { ...told.props, hidden: true } };
}

/** A hidden check box or radio button with a label to be seen; the label is the way to it. */
function drawnByLabel(el: Element, look: Look): boolean {
  if (tag(el) !== "input" || !["checkbox", "radio"].includes((el as HTMLInputElement).type)) return false;
  if (look.exposed(el) || attr(el, "aria-hidden") === "true") return false;
  return look.labels.of(el).some((label) => look.exposed(label));
}

/** The control of a label whose name the label gives, where that control is told. */
export function toldControl(label: Element, look: Look): Element | null {
  const { control } = label as HTMLLabelElement;
  return control && (look.exposed(control) || drawnByLabel(control, look)) ? control : null;
}
