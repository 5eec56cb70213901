// Waits for one mutation of the document. It has an observer of its own: the accounting of effects in `effects.ts` must not
// notice that somebody else is watching.

import { metShadowRoots } from "./flat";

/** Resolves to true at the first mutation or edit, to false when the time is over. */
export function nextMutation(args: { timeout: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (changed: boolean) => {
      observer.disconnect();
      clearTimeout(timer);
      for (const event of EVENTS) window.removeEventListener(event, changedByEvent, true);
      resolve(changed);
    };
    const changedByEvent = () => finish(true);
    const observer = new MutationObserver(() => finish(true));
    const timer = setTimeout(() => finish(false), args.timeout);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
    for (const root of metShadowRoots()) observer.observe(root, all);
    for (const event of EVENTS) window.addEventListener(event, changedByEvent, { capture: true, passive: true });
  });
}

/** Events that change what a snapshot shows without a mutation. */
const EVENTS = ["input", "change", "toggle"];
