// Objects of another world. In some browsers what the page's world made can be seen from here, but neither walked
// through nor its bytes be read, until that is asked for.

declare const XPCNativeWrapper: { unwrap<T>(value: T): T } | undefined;

/** The same object as the page sees it. Only for data that the browser itself made, which no page had in its hands. */
export function unveiled<T>(value: T): T {
  return typeof XPCNativeWrapper === "function" ? (XPCNativeWrapper as { unwrap<T>(value: T): T }).unwrap(value) : value;
}
