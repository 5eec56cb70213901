// Keeps the popups of native selects closed. Where the popup is a separate window, the next click only closes it and
// never reaches the page. Nothing needs it open: options are selected by name or with keys.

import { asElement, giveFocus, tag } from "../page/dom";

/** From now on, pressing the pointer on a select only focuses it. */
export function closeSelectPopups(): void {
  // After the page's own listeners, which see the event unchanged.
  window.addEventListener("mousedown", (event) => {
    if (!event.isTrusted || event.button !== 0 || event.defaultPrevented) return;
    const target = asElement(event.composedPath()[0]);
    if (!target || tag(target) !== "select") return;
    const list = target as HTMLSelectElement;
    if (list.multiple || list.size > 1) return;
    event.preventDefault();
    giveFocus(list);
  });
}
