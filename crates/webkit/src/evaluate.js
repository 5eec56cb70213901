(root) => {
  // Makes of a value what is sent: whatever says how it is written as JSON (a date, a URL), at any depth, is written like
  // that, which the browser itself does not do. A page that overwrote what this needs gets its value as it is.
  if (root === null || typeof root !== "object") return root;
  let done;
  const sent = (value, depth) => {
    if (value === null || typeof value !== "object" || depth > 999) return value;
    if (done.has(value)) return done.get(value);
    done.set(value, value);
    let out = value;
    try {
      const list = Array.isArray(value);
      if (!list && typeof value.toJSON === "function") out = sent(value.toJSON(), depth + 1);
      else if (list) {
        out = [];
        for (let i = 0; i < value.length; i++) out[i] = sent(value[i], depth + 1);
      } else if (Object.prototype.toString.call(value) === "[object Object]") {
        out = Object.fromEntries(Object.keys(value).map((key) => [key, sent(value[key], depth + 1)]));
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
