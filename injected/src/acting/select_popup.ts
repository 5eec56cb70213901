// Lists of options stay closed. Where an open one is a window of its own, the next click anywhere only closes it, and
// never reaches the page. Nobody needs it open: options are chosen by their names, or with the keys.

import { giveFocus, tag } from "../page/dom";

/** From now on, pressing the pointer on a list of options only gives it the focus. */
export function lists(): void {
  // After the page's own listeners, which see the event as it is.
  window.addEventListener("mousedown", (event) => {
    const target = event.composedPath()[0];
    if (!event.isTrusted || event.button !== 0 || event.defaultPrevented || !(target instanceof Element)) return;
    if (tag(target) !== "select") return;
    const list = target as HTMLSelectElement;
    if (list.multiple || list.size > 1) return;
    event.preventDefault();
    giveFocus(list);
  });
}
