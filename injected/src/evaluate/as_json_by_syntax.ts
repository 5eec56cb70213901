// The same as as_json.ts, for an engine that serializes maps, nodes and cycles itself and never refuses a value. Runs in
// the page's main world, around the script.
//
// Nothing of the page is called but `toJSON`, only syntax is used: the page may have replaced every function. What says
// nothing of how it is written stays itself.

/** The values around a value, innermost first. */
type Around = [value: object, around: Around] | undefined;

export default function asJson(value: unknown, around?: Around): unknown {
  if (value === null || typeof value !== "object") return value;
  for (let outer = around; outer; outer = outer[1]) if (outer[0] === value) return value;
  let whole: object = value;
  let own: Record<string, unknown>;
  const isList = value.constructor === [].constructor;
  try {
    const writes = value as { toJSON?: unknown };
    if (typeof writes.toJSON === "function") {
      const written: unknown = writes.toJSON();
      if (written === null || typeof written !== "object") return written;
      whole = written;
    }
    own = (isList ? whole : { ...whole }) as Record<string, unknown>;
  } catch (error) {
    if (!around) throw error;
    return whole;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in own) {
    const written = asJson(own[key], [whole, around]);
    // NaN is the only value that is not itself.
    if (written === own[key] || written !== written) continue;
    copy ??= isList ? listOf(whole as unknown[]) : own;
    copy[key] = written;
  }
  return copy ?? whole;
}

/** A copy of a list, made without a function of the page. */
function listOf(list: unknown[]): Record<string, unknown> {
  const copy: unknown[] = [];
  for (let at = 0; at < list.length; at++) copy[at] = list[at];
  return copy as unknown as Record<string, unknown>;
}
