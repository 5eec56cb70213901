// Motion: whether an animation moves an element. Where none runs on it or around it, it stands still
// and no frame is spent on finding out; otherwise its box must be the same in two successive frames.

import { animationsIn, isShadowRoot, rootOf } from "../page/dom";
import { flatContains } from "../page/flat";
import { boxOf, type Box } from "../page/geometry";

export class Motion {
  private last: { el: Element; box: Box; time: number } | undefined;

  /** Called once a frame. */
  moving(el: Element): boolean {
    const animations = animationsOf(el);
    if (animations.length === 0) return false;
    const box = boxOf(el);
    const time = Number(animations[0]!.timeline?.currentTime ?? 0);
    // What has not begun, or had no frame since the last look, tells nothing by standing still. A hidden
    // tab has no frames at all, and nothing moves in it.
    const told = document.hidden || (time !== this.last?.time && !animations.some(({ pending }) => pending));
    const still = told && this.last?.el === el && same(this.last.box, box);
    this.last = { el, box, time };
    return !still;
  }
}

function same(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** The running animations of an element and of those around it. */
function animationsOf(el: Element): Animation[] {
  const found: Animation[] = [];
  for (let root = rootOf(el); ; root = rootOf(root.host)) {
    found.push(...animationsIn(root).filter((animation) => running(animation) && acts(animation, el)));
    if (!isShadowRoot(root)) return found;
  }
}

function running(animation: Animation): boolean {
  return animation.playState === "running" || animation.pending;
}

function acts(animation: Animation, el: Element): boolean {
  const target = (animation.effect as KeyframeEffect | null)?.target;
  return !!target && flatContains(target, el);
}
