// Parts of drawings. SVG-AAM tells only those that their author said something about: by a title, a description, or
// an attribute that makes more of them than a shape.

import { firstElementChild, isElement, nearest, parentNode, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import type { Look } from "./look";

/** Whether a part of a drawing is told at all. */
export function described(el: Element, look: Look): boolean {
  return !look.facts(el).bare || titleOf(el) !== null || childNamed(el, "desc") !== null;
}

/** The title of a drawing, or of a part of one. */
export function titleOf(el: Element): Element | null {
  return childNamed(el, "title");
}

/** Whether a drawing is a part of another. */
export function innerDrawing(svg: Element): boolean {
  const parent = flatParent(svg);
  return parent !== null && tag(parent) !== "foreignObject" && nearest(parent, "svg") !== null;
}

/** Whether a link is a part of a drawing, and not one of HTML. */
export function inDrawing(link: Element): boolean {
  const parent = parentNode(link);
  return link instanceof SVGElement && isElement(parent as Node);
}

function childNamed(el: Element, name: string): Element | null {
  for (let child = firstElementChild(el); child; child = child.nextElementSibling) if (tag(child) === name) return child;
  return null;
}
