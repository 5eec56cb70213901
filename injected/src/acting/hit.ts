// Hit testing: whether the pointer at a point reaches the intended element.

import type { Mention } from "../failure";
import { surfaceOf } from "../fields/surface";
import { attr, is, isElement, pageRoot, query, queryIn, tag } from "../page/dom";
import { flatContains, flatParent, roots } from "../page/flat";
import { holdsDocument } from "../page/frames";
import { deepAtPoint, type Point } from "../page/geometry";
import { seen } from "../page/visible";
import type { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { roleOf } from "../semantics/role";
import { mentionOf } from "../targets/target";

/** Whether pointing at `found` acts on `meant`: it is a descendant, or one labels the other. */
export function reaches(meant: Element, found: Element | null, look: Look): boolean {
  if (!found) return false;
  // Input on a frame goes to its document, which may be cross-origin, not to the elements around it.
  if (found !== meant && holdsDocument(found)) return false;
  if (flatContains(meant, found)) return true;
  if (look.labels.of(meant).some((label) => flatContains(label, found))) return true;
  const editor = surfaceOf(meant, look);
  if (editor && flatContains(editor, found)) return true;
  if (tag(meant) !== "label") return false;
  const { control } = meant as HTMLLabelElement;
  return control !== null && flatContains(control, found);
}

/** Whether the pointer passes through an element. */
export function passesPointer(el: Element, look: Look): boolean {
  return look.facts(el).style.pointerEvents === "none";
}

/** The element that covers a point, or null if the pointer reaches the intended element. */
export function coveredAt(meant: Element, point: Point, look: Look): Element | null {
  const found = deepAtPoint(point.x, point.y);
  return reaches(meant, found, look) ? null : (found ?? pageRoot());
}

const ANONYMOUS = new Set(["generic", "none", "document"]);

/** The covering element and the buttons in it: one of them usually closes it. */
export interface Cover extends Mention {
  has?: Mention[];
}

/** Maximum number of buttons to report. */
const MAX_BUTTONS = 4;

/** Names a covering element for the user: the dialog it belongs to, or the nearest ancestor with a role and a name. */
export function nameCover(cover: Element, meant: Element | null, look: Look): Cover {
  const named = namedAround(cover, meant, look);
  const buttons = clickableIn(named, look);
  return { ...mentionOf(named, look), ...(buttons.length > 0 && { has: buttons }) };
}

function clickableIn(cover: Element, look: Look): Mention[] {
  const buttons = queryIn(cover, "button, [role='button'], input[type='submit'], input[type='button'], summary");
  const named = buttons.filter((button) => seen(button, look) && nameOf(button, look).text !== "");
  return named.slice(0, MAX_BUTTONS).map((button) => mentionOf(button, look));
}

const DIALOGS = new Set(["dialog", "alertdialog"]);
const OPEN_DIALOGS = "[aria-modal=true], [role=dialog], [role=alertdialog], dialog[open]";

/** The dialog that an anonymous cover belongs to: inside what covers, or the topmost one that keeps the rest from being used. */
export function dialogOf(cover: Element, meant: Element | null, look: Look): Element | null {
  for (const el of ancestorsApart(cover, meant)) {
    const inside = queryIn(el, OPEN_DIALOGS).find((dialog) => shows(dialog, look));
    if (inside) return inside;
  }
  // Some dialogs are not marked as modal and hide the page behind them instead.
  const shut = meant !== null && !look.exposed(meant);
  const open = roots().flatMap((root) => query(root, OPEN_DIALOGS)).filter((dialog) => shows(dialog, look));
  const apart = open.filter((dialog) => !(meant && flatContains(dialog, meant)));
  return apart.filter((dialog) => shut || attr(dialog, "aria-modal") === "true" || is(dialog, ":modal")).at(-1) ?? null;
}

const shows = (dialog: Element, look: Look) => look.exposed(dialog) && seen(dialog, look);

/** An element and its ancestors, innermost first, up to those that contain the intended element. */
function ancestorsApart(cover: Element, meant: Element | null): Element[] {
  const around: Element[] = [];
  for (let at: Element | null = cover; isElement(at) && !(meant && flatContains(at, meant)); at = flatParent(at)) around.push(at);
  return around;
}

function namedAround(cover: Element, meant: Element | null, look: Look): Element {
  const around = ancestorsApart(cover, meant);
  const dialog = around.find((el) => DIALOGS.has(roleOf(el, look)));
  if (dialog) return dialog;
  const named = around.find((el) => !ANONYMOUS.has(roleOf(el, look)) && nameOf(el, look).text);
  if (named) return named;
  const owner = dialogOf(cover, meant, look);
  if (owner) return owner;
  // No ancestor has a name: use the outermost one that does not contain the intended element.
  let outermost = cover;
  for (const at of around.slice(1)) {
    if (!ANONYMOUS.has(roleOf(at, look))) return at;
    outermost = tag(at) === "body" || tag(at) === "html" ? outermost : at;
  }
  return outermost;
}
