// Same-document navigations, which not every engine reports.

/** Polling interval in milliseconds, where no event reports a new URL. */
const INTERVAL = 100;

export function moves(tell: (url: string) => void): void {
  // In the capture phase on the window: a page may stop the event.
  addEventListener("popstate", () => tell(location.href), true);
  // Firefox 140 has no event for `history.pushState`: neither in BiDi nor, as later versions have with the Navigation
  // API, in the page.
  if (!("navigation" in window)) watch(tell);
}

function watch(tell: (url: string) => void): void {
  let last = location.href;
  setInterval(() => {
    if (location.href === last) return;
    last = location.href;
    tell(last);
  }, INTERVAL);
}
