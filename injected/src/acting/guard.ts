// The guard verifies where a pointer gesture lands. Between the check that an element is ready and the delivery of the
// click, the page may have moved. The armed guard checks the event's target; a gesture that misses is hidden from the
// page as a whole.
//
// Its listeners are on the window from document start, before any of the page's. `document.open()` removes them, so
// they are added again whenever the guard is armed.

import type { Mention } from "../failure";
import { asElement, isConnected, isShadowRoot, rootOf, tag } from "../page/dom";
import { rendered } from "../page/effects";
import { holdsDocument } from "../page/frames";
import { boxOf, deepAtPoint, type Box } from "../page/geometry";
import { Look } from "../semantics/look";
import { nameCover, reaches } from "./hit";

/** `press`: of a drag, which is released elsewhere. */
export type Gesture = "click" | "hover" | "press";

interface Watch {
  el: Element;
  gesture: Gesture;
  hit: "target" | "missed" | "none";
  by?: Mention;
  /** The element's box when the guard was armed. */
  box: Box;
  /** Whether a click event followed, on the element or in it. */
  clicked?: boolean;
}

export interface Landing {
  /** `none`: the gesture did not reach this document; `unarmed`: no guard was armed here. */
  hit: Watch["hit"] | "unarmed";
  by?: Mention;
  /** The page is closing itself. */
  closing?: true;
}

const PRESSES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu"];
const DOWNS = new Set(["pointerdown", "mousedown"]);
const CLICKS = new Set(["click", "dblclick", "auxclick", "contextmenu"]);
const MOVES = ["pointermove", "mousemove"];

let watch: Watch | undefined;

/** Receives all gestures instead of the page while a user picks an element. */
export type Interceptor = (event: Event) => void;

const INTERCEPTED = [...PRESSES, ...MOVES, "pointerover", "pointerout", "mouseover", "mouseout", "keydown", "keyup", "keypress"];

let interceptor: Interceptor | undefined;

/** Redirects gestures; `undefined` ends it. */
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

/**
 * Waits until the page is rendered, at most `count` frames, then reports what the guarded gesture hit. With `keep`, the guard
 * stays: the gesture is not over.
 */
export async function frames(args: { count: number; keep?: boolean }): Promise<Landing> {
  const guarded = watch;
  await rendered(args.count, () => guarded?.hit === "none");
  const { hit, by } = landing(guarded);
  // A page that was stuck answers late: the guard may be that of the next gesture by now.
  if (watch === guarded && !args.keep) disarm();
  return { hit, ...(by && { by }), ...((window.top ?? window).closed && { closing: true }) };
}

function landing(guarded: Watch | undefined): Pick<Landing, "hit" | "by"> {
  if (!guarded) return { hit: "unarmed" };
  // Events on a frame element go to the document inside it.
  if (guarded.hit === "none" && holdsDocument(guarded.el)) return { hit: "target" };
  return guarded.hit === "target" && guarded.gesture === "click" && releasedElsewhere(guarded) ? { hit: "none" } : guarded;
}

/**
 * Whether the press landed here but the release in another document, so that no click followed. An element that is
 * removed when pressed gets no click either, and that is intended.
 */
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
  if (!watch || !event.isTrusted || watch.gesture === "hover") return;
  // The press went to another document.
  if (watch.hit === "none" && !DOWNS.has(event.type)) watch.hit = "missed";
  // A press and a release on different elements make a click on what is around both.
  if (CLICKS.has(event.type)) watch.clicked ||= landsOn(watch.el, event);
  if (watch.hit === "none") land(watch, event);
  if (watch.hit === "missed") {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}

function onMove(event: MouseEvent): void {
  if (watch && event.isTrusted) land(watch, event);
}

function landsOn(el: Element, event: MouseEvent): boolean {
  const target = asElement(event.composedPath()[0]);
  // An event in a closed shadow root has the root's host as its target.
  for (let root = rootOf(el); isShadowRoot(root); root = rootOf(root.host)) if (root.host === target) return true;
  return reaches(el, target, new Look());
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

/** The innermost target of an event; inside closed shadow roots only hit testing finds it. */
function landedOn(event: MouseEvent, look: Look): Element | null {
  const named = asElement(event.composedPath()[0]);
  const deep = deepAtPoint(event.clientX, event.clientY);
  return named && deep && named !== deep && reaches(named, deep, look) ? deep : (named ?? deep);
}
