// Frames of other extensions: Chrome detaches the debugger from a tab that has one, and lets nobody attach until it is gone.

import { quietly } from "./cdp";

/** Removes such frames from a tab's documents, also from closed shadow roots. */
export async function removeForeignFrames(tabId: number): Promise<void> {
  await quietly(chrome.scripting.executeScript({ target: { tabId, allFrames: true }, func: removeThem }));
}

/** Runs in the page, alone: it can use nothing from this file. */
function removeThem(): void {
  const visit = (root: Document | ShadowRoot): void => {
    for (const el of root.querySelectorAll("*")) {
      if (el instanceof HTMLIFrameElement && /^chrome-extension:/i.test(el.src)) el.remove();
      const inner = el instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(el) : null;
      if (inner) visit(inner);
    }
  };
  visit(document);
}
