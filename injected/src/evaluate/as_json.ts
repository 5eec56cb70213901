// The value of a user's script, made ready to be sent as JSON. Runs in the page's main world, around the script.
//
// What says how it is written as JSON (`toJSON` of a date, a URL, a box), at any depth, is written like that, which the
// browser itself does not do. The rest is left to the browser, to send or to refuse: nodes, maps, functions, cycles, what is
// nested too deep, windows of other origins. So is everything where the page has broken what it takes to look.

const DEEPEST = 999;

export default function asJson(root: unknown): unknown {
  if (root === null || typeof root !== "object") return root;
  let done: Map<object, unknown>;
  const sent = (value: unknown, depth: number): unknown => {
    if (value === null || typeof value !== "object" || depth > DEEPEST) return value;
    if (done.has(value)) return done.get(value);
    done.set(value, value);
    let out: unknown = value;
    try {
      const own = value as Record<string, unknown>;
      if (Array.isArray(value)) {
        const list: unknown[] = [];
        for (let at = 0; at < value.length; at++) list[at] = sent(value[at], depth + 1);
        out = list;
      } else if (typeof own.toJSON === "function") {
        out = sent(own.toJSON(), depth + 1);
      } else if (Object.prototype.toString.call(value) === "[object Object]") {
        out = Object.fromEntries(Object.keys(own).map((key) => [key, sent(own[key], depth + 1)]));
      }
    } catch {
      out = value;
    }
    done.set(value, out);
    return out;
  };
  try {
    done = new Map();
    return sent(root, 0);
  } catch {
    return root;
  }
}
