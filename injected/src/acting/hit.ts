// Hits: whether pointing at a place reaches the element that is meant.

import type { Mention } from "../failure";
import { isElement, pageRoot, queryIn, tag } from "../page/dom";
import { flatContains, flatParent } from "../page/flat";
import { holdsDocument } from "../page/frames";
import { deepAtPoint, type Point } from "../page/geometry";
import { seen } from "../page/seen";
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
  if (tag(meant) !== "label") return false;
  const { control } = meant as HTMLLabelElement;
  return control !== null && flatContains(control, found);
}

/** Whether the pointer goes through an element, to whatever is behind or around it. */
export function letsThrough(el: Element, look: Look): boolean {
  return look.facts(el).style.pointerEvents === "none";
}

/** What is at a point instead of the element, or null when pointing there reaches it. */
export function coveredAt(meant: Element, point: Point, look: Look): Element | null {
  const found = deepAtPoint(point.x, point.y);
  return reaches(meant, found, look) ? null : (found ?? pageRoot());
}

const ANONYMOUS = new Set(["generic", "none", "document"]);

/** What covers an element, and what is in it to be clicked: one of that closes it, mostly. */
export interface Cover extends Mention {
  has?: Mention[];
}

/** How much is told of what is in it. */
const MOST_BUTTONS = 4;

/** A covering element as a person would name it: the dialog that it belongs to, or the nearest thing around it with a role and
 * a name. */
export function nameCover(cover: Element, meant: Element | null, look: Look): Cover {
  const named = namedAround(cover, meant, look);
  const buttons = clickableIn(named, look);
  return { ...mentionOf(named, look), ...(buttons.length > 0 && { has: buttons }) };
}

function clickableIn(cover: Element, look: Look): Mention[] {
  const buttons = queryIn(cover, "button, [role='button'], input[type='submit'], input[type='button'], summary");
  const named = buttons.filter((button) => seen(button, look) && nameOf(button, look).text !== "");
  return named.slice(0, MOST_BUTTONS).map((button) => mentionOf(button, look));
}

const DIALOGS = new Set(["dialog", "alertdialog"]);

function namedAround(cover: Element, meant: Element | null, look: Look): Element {
  const around: Element[] = [];
  for (let at: Element | null = cover; isElement(at) && !(meant && flatContains(at, meant)); at = flatParent(at)) around.push(at);
  const dialog = around.find((el) => DIALOGS.has(roleOf(el, look)));
  if (dialog) return dialog;
  for (let at: Element | null = cover; isElement(at); at = flatParent(at)) {
    if (meant && flatContains(at, meant)) break;
    if (!ANONYMOUS.has(roleOf(at, look)) && nameOf(at, look).text) return at;
  }
  // Nothing around it has a name: then the outermost that does not also hold what is meant.
  let outermost = cover;
  for (let at = flatParent(cover); at && !(meant && flatContains(at, meant)); at = flatParent(at)) {
    if (!ANONYMOUS.has(roleOf(at, look))) return at;
    outermost = tag(at) === "body" || tag(at) === "html" ? outermost : at;
  }
  return outermost;
}
