// Stability check: whether an animation moves an element. Without a running animation on it or an ancestor it is stable
// at once; otherwise its box must be equal in two successive frames.

import { animationsIn, isShadowRoot, rootOf } from "../page/dom";
import { flatContains } from "../page/flat";
import { boxOf, type Box } from "../page/geometry";

/** Frames to observe an infinite animation, and the minimum size of the area that stays covered. */
const FRAMES_SEEN = 6;
const SMALLEST = 4;

export class Motion {
  private last: { el: Element; box: Box; time: number } | undefined;
  /** Boxes of the latest frames, while only infinite animations move the element. */
  private boxes: Box[] = [];

  /** The intersection of the latest boxes of an infinitely animated element. */
  steady(): Box | null {
    if (this.boxes.length < FRAMES_SEEN) return null;
    const latest = this.boxes.slice(-FRAMES_SEEN);
    const [left, top] = [Math.max(...latest.map(({ x }) => x)), Math.max(...latest.map(({ y }) => y))];
    const width = Math.min(...latest.map((box) => box.x + box.width)) - left;
    const height = Math.min(...latest.map((box) => box.y + box.height)) - top;
    return width >= SMALLEST && height >= SMALLEST ? { x: left, y: top, width, height } : null;
  }

  /** Call once per frame. */
  moving(el: Element): boolean {
    const animations = animationsOf(el);
    if (animations.length === 0) return false;
    const box = boxOf(el);
    const time = Number(animations[0]!.timeline?.currentTime ?? 0);
    // A pending animation, or one without a frame since the last check, proves nothing by not moving. A hidden tab has
    // no frames, and nothing moves in it.
    const told = document.hidden || (time !== this.last?.time && !animations.some(({ pending }) => pending));
    const still = told && this.last?.el === el && same(this.last.box, box);
    if (told && animations.every(endless)) this.boxes.push(box);
    else this.boxes = [];
    this.last = { el, box, time };
    return !still;
  }
}

function endless(animation: Animation): boolean {
  return animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
}

function same(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** The running animations of an element and its ancestors. */
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
