// Actionability: waits until an element can be used, and reports what prevents it.
//
// A Need is one condition. Needs are checked in order with a fresh Look; the first that fails is the Obstacle. An
// existing element is checked every frame, a missing one when the page changes.

import { fail, Failure, type Mention, type Obstacle } from "../failure";
import { readOnly } from "../fields/field";
import { promises } from "../fields/promises";
import { standIn } from "../fields/surface";
import { Changes } from "../page/changes";
import { isConnected, tag } from "../page/dom";
import { flatContains } from "../page/flat";
import { nextFrame } from "../page/frame";
import { boxOf, drawnRects, inViewport, spotsIn, type Box, type Point } from "../page/geometry";
import { seen } from "../page/visible";
import { Look } from "../semantics/look";
import { disabled } from "../semantics/operable";
import { mentionOf, resolve, type Target } from "../targets/target";
import { arm, type Gesture } from "./guard";
import { coveredAt, dialogOf, passesPointer, nameCover } from "./hit";
import { Motion } from "./motion";
import { bringIntoView, POSITIONS } from "./scroll";

export type Need = "attached" | "visible" | "stable" | "enabled" | "editable" | "hit";

export interface ReadyArgs {
  target: Target;
  needs: Need[];
  timeout: number;
  arm?: Gesture;
  position?: Point;
}

export interface Ready extends Mention, Point {
  tag: string;
  type?: string;
  box: Box;
  healed?: true;
  /** Typing is expected to cause effects elsewhere (suggestions, results). */
  promises?: true;
}

interface Judgement {
  obstacle?: Obstacle;
  cover?: Element;
  point?: Point;
}

export async function ready(args: ReadyArgs): Promise<Ready> {
  const deadline = performance.now() + args.timeout;
  let { el, healed } = await appear(args.target, deadline);
  const attempt = new Attempt(args);
  for (;;) {
    const look = new Look();
    const judgement = attempt.judge(el, look);
    if (!judgement.obstacle) return report(el, healed, judgement.point, args, look);
    if (performance.now() >= deadline) fail(timeout(el, judgement, look));
    await nextFrame();
    if (!isConnected(el)) {
      const found = await appear(args.target, deadline);
      healed ||= found.healed;
      el = found.el;
    }
  }
}

/** Waits until the target matches an element. */
async function appear(target: Target, deadline: number) {
  let changes: Changes | undefined;
  try {
    for (;;) {
      try {
        return resolve(target);
      } catch (failure) {
        const absent = failure instanceof Failure && failure.problem.kind === "none";
        if (!absent) throw failure;
        changes ??= new Changes();
        if (!(await changes.next(deadline))) throw failure;
      }
    }
  } finally {
    changes?.stop();
  }
}

/** One attempt to use an element; keeps state between checks. */
class Attempt {
  private readonly motion = new Motion();
  private tries = 0;

  constructor(private readonly args: ReadyArgs) {}

  judge(el: Element, look: Look): Judgement {
    const needs = (need: Need) => this.args.needs.includes(need);
    const stand = needs("visible") || needs("hit") ? visibleStandIn(el, look) : el;
    if (!stand) return { obstacle: "hidden" };
    const moving = needs("stable") && this.motion.moving(stand);
    const steady = moving ? this.motion.steady() : null;
    if (moving && !steady) return { obstacle: "moving" };
    if (needs("enabled") && disabled(el)) return { obstacle: "disabled" };
    if (needs("editable") && readOnly(el)) return { obstacle: "readonly" };
    if (steady && needs("hit")) return reachablePoint(el, [steady], look);
    return needs("hit") ? this.aim(el, stand, look) : {};
  }

  private aim(el: Element, stand: Element, look: Look): Judgement {
    let aimed = aimAt(el, stand, this.args.position, look);
    // A fixed element may cover this scroll position: try each other position once.
    if (aimed.obstacle === "outside" || (aimed.obstacle && this.tries < POSITIONS)) {
      bringIntoView(stand, this.tries++);
      aimed = aimAt(el, stand, this.args.position, look);
    }
    return aimed;
  }
}

/** The element itself if visible; for a hidden check box, radio button or file input its visible label; for the input of an editor the editor. */
function visibleStandIn(el: Element, look: Look): Element | null {
  const editor = standIn(el, look);
  if (seen(editor, look)) return editor;
  if (tag(el) !== "input" || !["checkbox", "radio", "file"].includes((el as HTMLInputElement).type)) return null;
  return look.labels.of(el).find((label) => seen(label, look)) ?? null;
}

function aimAt(el: Element, stand: Element, position: Point | undefined, look: Look): Judgement {
  const box = boxOf(stand);
  if (!position) return reachablePoint(el, drawnRects(stand, look), look);
  const point = { x: box.x + position.x, y: box.y + position.y };
  return inViewport(point) ? judged(el, [point], look) : { obstacle: "outside" };
}

/** A point in the element's rectangles that the pointer can reach. */
function reachablePoint(el: Element, rects: Box[], look: Look): Judgement {
  return judged(el, spotsIn(rects), look);
}

function judged(el: Element, spots: Point[], look: Look): Judgement {
  let cover: Element | undefined;
  for (const point of spots) {
    const found = coveredAt(el, point, look);
    if (!found) return { point };
    cover ??= found;
  }
  if (!cover) return { obstacle: "outside" };
  // A modal dialog may take the pointer from the whole page behind it.
  const through = passesPointer(el, look) && (flatContains(cover, el) || !dialogOf(cover, el, look));
  return { obstacle: through ? "through" : "covered", cover };
}

function timeout(el: Element, { obstacle, cover }: Judgement, look: Look) {
  const by = cover ? { by: nameCover(cover, el, look) } : {};
  return { kind: "timeout" as const, reason: obstacle!, ...mentionOf(el, look), ...by };
}

function report(el: Element, healed: boolean, aimed: Point | undefined, args: ReadyArgs, look: Look): Ready {
  if (args.arm) arm(el, args.arm);
  const box = boxOf(visibleStandIn(el, look) ?? el);
  const { x, y } = aimed ?? spotsIn(drawnRects(el, look))[0] ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const result: Ready = { ...mentionOf(el, look), tag: tag(el), x, y, box };
  const { type } = el as HTMLInputElement;
  if (typeof type === "string" && type) result.type = type;
  if (healed) result.healed = true;
  if (!args.needs.includes("hit") && args.needs.includes("enabled") && promises(el, look)) result.promises = true;
  return result;
}
