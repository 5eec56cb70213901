// The guard stands between a pointer gesture and the page. Between the moment an element was found
// ready and the moment the browser delivers the click, the page may have moved. Armed, the guard looks
// where the gesture really lands; a gesture that misses is kept from the page as a whole.
//
// Its listeners are on the window from document start, hence before any of the page's. `document.open()` removes them, so
// they are put there again whenever the guard is armed.

import type { Mention } from "../failure";
import { isConnected, isElement, tag } from "../page/dom";
import { holdsDocument } from "../page/frames";
import { manyFrames } from "../page/frame";
import { boxOf, deepAtPoint, type Box } from "../page/geometry";
import { Look } from "../semantics/look";
import { nameCover, reaches } from "./hit";

export type Gesture = "click" | "hover";

interface Watch {
  el: Element;
  gesture: Gesture;
  hit: "target" | "missed" | "none";
  by?: Mention;
  /** Where the element was. */
  box: Box;
  /** Whether a click came of it here. */
  clicked?: true;
}

export interface Landing {
  /** `none` where the gesture never came to this document; `unarmed` where nobody waited for it here. */
  hit: Watch["hit"] | "unarmed";
  by?: Mention;
  /** The page closes itself, and is gone in a moment. */
  closing?: true;
}

const PRESSES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu"];
const DOWNS = new Set(["pointerdown", "mousedown"]);
const CLICKS = new Set(["click", "dblclick", "auxclick", "contextmenu"]);
const MOVES = ["pointermove", "mousemove"];

let watch: Watch | undefined;

/** Somebody to whom all gestures go instead of to the page, while a person picks an element. */
export type Interceptor = (event: Event) => void;

const INTERCEPTED = [...PRESSES, ...MOVES, "pointerover", "pointerout", "mouseover", "mouseout", "keydown", "keyup", "keypress"];

let interceptor: Interceptor | undefined;

/** From now on gestures go there; nothing ends it. */
export function intercept(by: Interceptor | undefined): void {
  interceptor = by;
}

export function standGuard(): void {
  for (const type of PRESSES) window.addEventListener(type, onPress as EventListener, { capture: true });
  for (const type of INTERCEPTED) window.addEventListener(type, onAny, { capture: true });
}

function onAny(event: Event): void {
  if (!interceptor || !event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  interceptor(event);
}

export function arm(el: Element, gesture: Gesture): void {
  disarm();
  standGuard();
  watch = { el, gesture, hit: "none", box: boxOf(el) };
  if (gesture === "hover") for (const type of MOVES) window.addEventListener(type, onMove as EventListener, { capture: true });
}

/** Lets frames pass, then tells what the armed gesture hit. */
export async function frames(args: { count: number }): Promise<Landing> {
  await manyFrames(args.count);
  const { hit, by } = landing();
  disarm();
  return { hit, ...(by && { by }), ...((window.top ?? window).closed && { closing: true }) };
}

function landing(): Pick<Landing, "hit" | "by"> {
  if (!watch) return { hit: "unarmed" };
  // What lands on an element that shows a document lands in that document.
  if (watch.hit === "none" && holdsDocument(watch.el)) return { hit: "target" };
  return watch.hit === "target" && watch.gesture === "click" && releasedElsewhere(watch) ? { hit: "none" } : watch;
}

/** Whether what was pressed here was released in another document, so that it is no click. An element that goes when it is
 * pressed gets none either, and means it so. */
function releasedElsewhere({ el, box, clicked }: Watch): boolean {
  const others = window.length > 0 || window.parent !== window;
  if (clicked || !others || tag(el) === "select" || !isConnected(el)) return false;
  const now = boxOf(el);
  return now.x === box.x && now.y === box.y && now.width === box.width && now.height === box.height;
}

function disarm(): void {
  if (watch?.gesture === "hover") for (const type of MOVES) window.removeEventListener(type, onMove as EventListener, { capture: true });
  watch = undefined;
}

function onPress(event: MouseEvent): void {
  if (!watch || !event.isTrusted || watch.gesture !== "click") return;
  // One whose beginning did not come here went to another document.
  if (watch.hit === "none" && !DOWNS.has(event.type)) watch.hit = "missed";
  if (CLICKS.has(event.type)) watch.clicked = true;
  if (watch.hit === "none") land(watch, event);
  if (watch.hit === "missed") {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}

function onMove(event: MouseEvent): void {
  if (watch && event.isTrusted) land(watch, event);
}

function land(watch: Watch, event: MouseEvent): void {
  const look = new Look();
  const found = landedOn(event, look);
  if (reaches(watch.el, found, look)) {
    watch.hit = "target";
    delete watch.by;
  } else {
    watch.hit = "missed";
    if (found) watch.by = nameCover(found, watch.el, look);
  }
}

/** The innermost element of an event; inside closed roots only the point tells it. */
function landedOn(event: MouseEvent, look: Look): Element | null {
  const target = event.composedPath()[0];
  const named = target instanceof Node && isElement(target) ? target : null;
  const deep = deepAtPoint(event.clientX, event.clientY);
  return named && deep && named !== deep && reaches(named, deep, look) ? deep : (named ?? deep);
}
