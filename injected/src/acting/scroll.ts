// Scrolls elements into view at once, regardless of the page's scroll behaviour.

import { scrollIntoView } from "../page/dom";
import { boxOf, type Box } from "../page/geometry";
import { seen } from "../page/visible";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";

// A sticky header or footer may cover one position and not another, so later attempts use other positions.
const PLACES: ScrollLogicalPosition[] = ["center", "end", "start", "nearest"];

export const POSITIONS = PLACES.length;

export function bringIntoView(el: Element, attempt: number): void {
  scrollTo(el, PLACES[attempt % PLACES.length]!);
}

export function scroll(args: { num: number; block?: ScrollLogicalPosition }): Box & { visible: boolean } {
  const { el } = resolveNumber(args.num);
  scrollTo(el, args.block ?? "center");
  const box = boxOf(el);
  return { ...box, visible: seen(el, new Look()) && overlapsViewport(box) };
}

function scrollTo(el: Element, block: ScrollLogicalPosition): void {
  scrollIntoView(el, { block, inline: block === "nearest" ? "nearest" : "center", behavior: "instant" });
}

function overlapsViewport({ x, y, width, height }: Box): boolean {
  return x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
}
