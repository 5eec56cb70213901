// Converts coordinates of a frame to those of its parent document.

import { fail } from "../failure";
import { rectOf } from "../page/dom";
import { inViewport, type Point } from "../page/geometry";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";
import { coveredAt, nameCover } from "./hit";

/** The point in the parent document; with `anywhere` it may be covered or out of view. */
export function frameOffset(args: { num: number; anywhere?: boolean } & Point): Point {
  const { el } = resolveNumber(args.num);
  const frame = el as HTMLIFrameElement;
  const look = new Look();
  const { style } = look.facts(el);
  const outer = rectOf(el);
  const scaleX = frame.offsetWidth ? outer.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight ? outer.height / frame.offsetHeight : 1;
  const point = {
    x: outer.x + (frame.clientLeft + Number.parseFloat(style.paddingLeft) + args.x) * scaleX,
    y: outer.y + (frame.clientTop + Number.parseFloat(style.paddingTop) + args.y) * scaleY,
  };
  if (args.anywhere) return point;
  if (!inViewport(point)) fail({ kind: "timeout", reason: "outside", ...mentionOf(el, look) });
  const cover = coveredAt(el, point, look);
  if (cover) fail({ kind: "timeout", reason: "covered", ...mentionOf(el, look), by: nameCover(cover, el, look) });
  return point;
}
