// Steps in the history that stay in the document. Not every browser tells of them.

export function moves(tell: (url: string) => void): void {
  // In front of all others: a page may stop the event.
  addEventListener("popstate", () => tell(location.href), true);
}
