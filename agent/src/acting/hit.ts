// Hits: whether pointing at a place reaches the element that is meant.

import type { Mention } from "../failure";
import { isElement, pageRoot, tag } from "../page/dom";
import { flatContains, flatParent } from "../page/flat";
import { holdsDocument } from "../page/frames";
import { deepAtPoint, type Point } from "../page/geometry";
import type { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { roleOf } from "../semantics/role";
import { mentionOf } from "../targets/target";

/** Whether a pointer on `found` acts on `meant`: it is inside it, or one labels the other. */
export function reaches(meant: Element, found: Element | null, look: Look): boolean {
  if (!found) return false;
  // Input on a frame goes to its document, which may be of another site, not to what is around the frame.
  if (found !== meant && holdsDocument(found)) return false;
  if (flatContains(meant, found)) return true;
  if (look.labels.of(meant).some((label) => flatContains(label, found))) return true;
  if (tag(meant) === "label") {
    const { control } = meant as HTMLLabelElement;
    return control !== null && flatContains(control, found);
  }
  // An icon that lets the pointer through to its button is clicked by clicking the button.
  return look.facts(meant).style.pointerEvents === "none" && flatContains(found, meant);
}

/** What is at a point instead of the element, or null when pointing there reaches it. */
export function coveredAt(meant: Element, point: Point, look: Look): Element | null {
  const found = deepAtPoint(point.x, point.y);
  return reaches(meant, found, look) ? null : (found ?? pageRoot());
}

const ANONYMOUS = new Set(["generic", "none", "document"]);

/** A covering element as a person would name it: the nearest thing around it with a role and a name. */
export function nameCover(cover: Element, meant: Element | null, look: Look): Mention {
  for (let at: Element | null = cover; isElement(at); at = flatParent(at)) {
    if (meant && flatContains(at, meant)) break;
    if (!ANONYMOUS.has(roleOf(at, look)) && nameOf(at, look).text) return mentionOf(at, look);
  }
  // Nothing around it has a name: then the outermost that does not also hold what is meant.
  let outermost = cover;
  for (let at = flatParent(cover); at && !(meant && flatContains(at, meant)); at = flatParent(at)) {
    if (!ANONYMOUS.has(roleOf(at, look))) return mentionOf(at, look);
    outermost = tag(at) === "body" || tag(at) === "html" ? outermost : at;
  }
  return mentionOf(outermost, look);
}
