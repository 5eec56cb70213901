// Decodes values; see encode.ts.

import { fromBase64, viewOf } from "./bytes";
import type { Encoded } from "./encode";

const WORDS = new Map<string, unknown>([
  ["null", null], ["undefined", undefined], ["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity], ["-0", -0],
]);

export function decode(encoded: Encoded | undefined, known = new Map<number, object>()): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if ("ref" in encoded) return known.get(encoded.ref);
  if ("v" in encoded) return WORDS.get(encoded.v);
  if ("d" in encoded) return new Date(encoded.d);
  // IndexedDB stores no URL objects; foreign state files may contain one.
  if ("u" in encoded) return encoded.u;
  if ("bi" in encoded) return BigInt(encoded.bi);
  if ("tx" in encoded) return Array.from(new Uint16Array(fromBase64(encoded.tx).buffer), (unit) => String.fromCharCode(unit)).join("");
  if ("r" in encoded) return new RegExp(encoded.r.p, encoded.r.f);
  if ("e" in encoded) return errorOf(encoded.e);
  if ("ta" in encoded) return viewOf(fromBase64(encoded.ta.b), encoded.ta.k);
  if ("ab" in encoded) return fromBase64(encoded.ab.b).buffer;
  if ("bl" in encoded) return blobOf(encoded.bl);
  if ("bo" in encoded) return Object(decode(encoded.bo, known));
  if ("a" in encoded) return filled([] as unknown[], encoded.id, known, (list) => {
    for (const item of encoded.a) {
      if (isHole(item)) list.length++;
      else list.push(decode(item, known));
    }
  });
  if ("m" in encoded) return filled(new Map<unknown, unknown>(), encoded.id, known, (map) => {
    for (const [key, value] of decode(encoded.m, known) as [unknown, unknown][]) map.set(key, value);
  });
  if ("se" in encoded) return filled(new Set<unknown>(), encoded.id, known, (set) => {
    for (const item of decode(encoded.se, known) as unknown[]) set.add(item);
  });
  if ("o" in encoded) return filled({}, encoded.id, known, (object) => {
    // Define instead of assign: a key may be `__proto__`.
    for (const { k, v } of encoded.o) {
      Object.defineProperty(object, k, { value: decode(v, known), enumerable: true, configurable: true, writable: true });
    }
  });
  throw new TypeError(`a value is encoded in an unknown way: ${Object.keys(encoded)}`);
}

function isHole(item: Encoded): boolean {
  return typeof item === "object" && "v" in item && item.v === "hole";
}

/** Registered before it is filled, since it may contain itself. */
function filled<T extends object>(empty: T, id: number, known: Map<number, object>, fill: (value: T) => void): T {
  known.set(id, empty);
  fill(empty);
  return empty;
}

function errorOf({ n, m, s }: { n: string; m: string; s: string }): Error {
  const error = new Error(m);
  error.name = n;
  error.stack = s;
  return error;
}

function blobOf({ b, t, n, l }: { b: string; t: string; n?: string; l?: number }): Blob {
  const bytes = [fromBase64(b)];
  return n === undefined ? new Blob(bytes, { type: t }) : new File(bytes, n, { type: t, lastModified: l });
}
