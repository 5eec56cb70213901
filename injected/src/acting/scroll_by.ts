// Scrolling on request: by a distance, to a position or to an element; instant or smooth. Returns the final position
// and whether anything moved.

import type { Mention } from "../failure";
import { scrollIntoView, scrollPosition, scrollRoom, scrollTo, styleOf } from "../page/dom";
import { flatParent } from "../page/flat";
import { nextFrame } from "../page/frame";
import { boxOf, deepAtPoint, type Point } from "../page/geometry";
import { seen } from "../page/visible";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";

export interface TravelArgs {
  /** The element to scroll, or with `block` the element to scroll into view; the page by default. */
  num?: number;
  by?: Point;
  to?: Partial<Point>;
  block?: ScrollLogicalPosition;
  smooth: boolean;
  timeout: number;
}

export interface Arrival extends Point {
  moved: boolean;
  /** Whether the requested element is in view. */
  visible?: boolean;
  /** The element that scrolled instead, because the page has nothing to scroll. */
  instead?: Mention;
}

/** A smooth scroll without movement for this many frames has ended; fewer after `scrollend`, since several may run. */
const STILL = 8;
const STILL_AFTER_END = 3;

export async function scrollBy(args: TravelArgs): Promise<Arrival> {
  const behavior = args.smooth ? "smooth" : "instant";
  const named = args.num === undefined ? null : resolveNumber(args.num).el;
  const page = document.scrollingElement ?? document.documentElement;
  if (named && args.block) {
    const { block } = args;
    const go = () => scrollIntoView(named, { block, inline: block === "nearest" ? "nearest" : "center", behavior });
    const moved = await runScroll(() => boxOf(named), go, args);
    return { ...scrollPosition(page), moved, visible: inSight(named) };
  }
  const along = { x: args.by ? args.by.x !== 0 : args.to?.x !== undefined, y: args.by ? args.by.y !== 0 : args.to?.y !== undefined };
  const scroller = !named ? scrollTarget(page, along) : named === document.body || named === document.documentElement ? page : named;
  const from = scrollPosition(scroller);
  const left = args.to ? args.to.x ?? from.x : from.x + args.by!.x;
  const top = args.to ? args.to.y ?? from.y : from.y + args.by!.y;
  const moved = await runScroll(() => scrollPosition(scroller), () => scrollTo(scroller, { left, top, behavior }), args);
  const arrival: Arrival = { ...scrollPosition(scroller), moved };
  if (!named && scroller !== page) arrival.instead = mentionOf(scroller, new Look());
  return arrival;
}

/** The page; if it cannot scroll, what the wheel would scroll at the centre of the viewport. */
function scrollTarget(page: Element, along: { x: boolean; y: boolean }): Element {
  const roomy = (el: Element) => {
    const room = scrollRoom(el);
    return (along.x && room.x > 0) || (along.y && room.y > 0);
  };
  if (roomy(page)) return page;
  for (let at: Element | null = deepAtPoint(innerWidth / 2, innerHeight / 2); at; at = flatParent(at)) {
    const { overflowX, overflowY } = styleOf(at);
    const rolls = (overflow: string) => overflow === "auto" || overflow === "scroll";
    if (((along.x && rolls(overflowX)) || (along.y && rolls(overflowY))) && roomy(at)) return at;
  }
  return page;
}

/** Runs a scroll to its end; returns whether anything moved. */
async function runScroll(place: () => Point, go: () => void, { smooth, timeout }: TravelArgs): Promise<boolean> {
  const before = place();
  const differs = (one: Point, other: Point) => Math.abs(one.x - other.x) >= 1 || Math.abs(one.y - other.y) >= 1;
  let enough = STILL;
  const end = () => (enough = STILL_AFTER_END);
  window.addEventListener("scrollend", end, { capture: true });
  go();
  const deadline = performance.now() + timeout;
  let last = before;
  // Not every engine fires `scrollend`, and a scroll without movement fires none.
  for (let still = 0; smooth && still < enough && performance.now() < deadline; ) {
    await nextFrame();
    const now = place();
    still = now.x === last.x && now.y === last.y ? still + 1 : 0;
    last = now;
  }
  window.removeEventListener("scrollend", end, { capture: true });
  return differs(before, place());
}

function inSight(el: Element): boolean {
  const { x, y, width, height } = boxOf(el);
  return seen(el, new Look()) && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
}
