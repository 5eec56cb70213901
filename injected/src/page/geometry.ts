// Element geometry and hit testing.

import type { Look } from "../semantics/look";
import { atPoint, isElement, rectOf, rectsOf } from "./dom";
import { flatChildren, shadowOf } from "./flat";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export function boxOf(el: Element): Box {
  const { x, y, width, height } = rectOf(el);
  return { x, y, width, height };
}

/** The rectangles of an element, or of its children if it has none. */
export function drawnRects(el: Element, look: Look): Box[] {
  const own = rectsOf(el).filter(({ width, height }) => width > 0 && height > 0);
  if (own.length > 0) return own;
  const { style, display } = look.facts(el);
  if (display !== "contents" && style.overflow !== "visible") return [];
  for (const child of flatChildren(el)) {
    if (!isElement(child) || !look.rendered(child) || !look.facts(child).visible) continue;
    const rects = drawnRects(child, look);
    if (rects.length > 0) return rects;
  }
  return [];
}

/** The innermost element at a point, through shadow roots. */
export function deepAtPoint(x: number, y: number): Element | null {
  let found = atPoint(document, x, y);
  for (let shadow = found && shadowOf(found); shadow; shadow = found && shadowOf(found)) {
    const inner = atPoint(shadow, x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

export function inViewport({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

// Centre first, then outwards.
const SPOTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];
const RECTS_TRIED = 4;

/** Candidate points in the visible parts of rectangles, best first. */
export function spotsIn(rects: Box[]): Point[] {
  const shown = rects.map(clipToViewport).filter(({ width, height }) => width > 0 && height > 0).slice(0, RECTS_TRIED);
  const spots = shown.flatMap((box) => SPOTS.map(([across, down]) => ({ x: box.x + box.width * across, y: box.y + box.height * down })));
  const middles = shown.map((_, i) => spots[i * SPOTS.length]!);
  return [...middles, ...spots.filter((spot) => !middles.includes(spot))];
}

function clipToViewport({ x, y, width, height }: Box): Box {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  return { x: left, y: top, width: Math.min(innerWidth, x + width) - left, height: Math.min(innerHeight, y + height) - top };
}
