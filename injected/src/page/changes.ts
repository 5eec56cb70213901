// Waiting for the page to change: mutations in the document and its shadow roots, and the events
// after which things look different without one. Changes are gathered up to the next frame.
//
// Some changes nothing announces: a shadow root that an element gets later, a media query, a property set by a
// script. For their sake a silence counts as a change, too.

import { roots } from "./flat";
import { nextFrame } from "./frame";

/** How long nothing is heard before one looks all the same, in milliseconds. */
const SILENCE = 500;

const EVENTS = ["transitionend", "animationend", "load", "scroll", "resize", "toggle", "change", "slotchange", "focusin"];

export class Changes {
  private changed = false;
  private grown = true;
  private wake: (() => void) | undefined;
  private readonly observer = new MutationObserver((records) => {
    this.grown ||= records.some(({ addedNodes }) => addedNodes.length > 0);
    this.note();
  });
  private readonly note = (): void => {
    this.changed = true;
    this.wake?.();
  };

  constructor() {
    this.watch();
    for (const event of EVENTS) window.addEventListener(event, this.note, { capture: true, passive: true });
  }

  /** Resolves true one frame after something changed, or may have; false when the deadline is first. */
  async next(deadline: number): Promise<boolean> {
    if (!this.changed && !(await this.wokenBefore(deadline))) {
      if (performance.now() >= deadline) return false;
      this.grown = true;
    }
    this.changed = false;
    await nextFrame();
    this.watch();
    return true;
  }

  stop(): void {
    this.observer.disconnect();
    for (const event of EVENTS) window.removeEventListener(event, this.note, { capture: true });
  }

  /** Shadow roots may have come; observing a root twice is harmless. */
  private watch(): void {
    if (!this.grown) return;
    this.grown = false;
    for (const root of roots()) {
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }

  private wokenBefore(deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const patience = Math.min(SILENCE, deadline - performance.now());
      const timer = setTimeout(() => resolve(this.changed), Math.max(0, patience));
      this.wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
