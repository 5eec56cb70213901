// Objects of another world. In Firefox, objects of the page's world are visible here through wrappers that allow
// neither iteration nor access to bytes until unwrapped.

declare const XPCNativeWrapper: { unwrap<T>(value: T): T } | undefined;

/** The unwrapped object. Only for data made by the browser itself, which no page could have touched. */
export function unveiled<T>(value: T): T {
  return typeof XPCNativeWrapper === "function" ? (XPCNativeWrapper as { unwrap<T>(value: T): T }).unwrap(value) : value;
}
