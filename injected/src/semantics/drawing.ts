// Parts of SVG drawings. SVG-AAM exposes only those with a title, a description, or an attribute that gives them
// semantics.

import { firstElementChild, isElement, nearest, parentNode, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import type { Look } from "./look";

/** Whether a part of a drawing is exposed. */
export function described(el: Element, look: Look): boolean {
  return !look.facts(el).bare || titleOf(el) !== null || childNamed(el, "desc") !== null;
}

/** The title element of a drawing or a part of one. */
export function titleOf(el: Element): Element | null {
  return childNamed(el, "title");
}

/** Whether an svg element is nested in another. */
export function innerDrawing(svg: Element): boolean {
  const parent = flatParent(svg);
  return parent !== null && tag(parent) !== "foreignObject" && nearest(parent, "svg") !== null;
}

/** Whether a link is an SVG link, not an HTML one. */
export function inDrawing(link: Element): boolean {
  const parent = parentNode(link);
  return link instanceof SVGElement && isElement(parent as Node);
}

function childNamed(el: Element, name: string): Element | null {
  for (let child = firstElementChild(el); child; child = child.nextElementSibling) if (tag(child) === name) return child;
  return null;
}
