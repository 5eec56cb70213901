// Steps in the history that stay in the document. Not every browser tells of them.

/** How often a document is looked at where nothing tells that it has another URL. */
const INTERVAL = 100;

export function moves(tell: (url: string) => void): void {
  // In front of all others: a page may stop the event.
  addEventListener("popstate", () => tell(location.href), true);
  // Firefox 140 has no event for `history.pushState`: neither in BiDi nor, as later ones with the Navigation API, in the page.
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
