// Waits for changes: mutations in the document and its shadow roots, and events after which things look different
// without a mutation. Changes are batched per frame.
//
// Some changes cause no event: a shadow root attached later, a media query, a property set by a script. For these, a
// timeout counts as a change.

import { roots } from "./flat";
import { nextFrame } from "./frame";

/** Milliseconds without an event before checking anyway. */
const QUIET_INTERVAL = 500;

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

  /** Resolves to true one frame after a (possible) change, to false at the deadline. */
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

  /** New shadow roots may exist; observing a root twice is harmless. */
  private watch(): void {
    if (!this.grown) return;
    this.grown = false;
    for (const root of roots()) {
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }

  private wokenBefore(deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = Math.min(QUIET_INTERVAL, deadline - performance.now());
      const timer = setTimeout(() => resolve(this.changed), Math.max(0, timeout));
      this.wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
