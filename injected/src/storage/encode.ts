// Encodes structured-cloneable values as JSON. Values that JSON can represent stay as they are. All others are encoded
// in the form of Playwright's storage state files: {v} for undefined, NaN and the like, {d} dates, {u} URLs, {bi}
// bigints, {r} regular expressions, {e} errors, {ta} and {ab} bytes in base64, {a} arrays, {o} objects, {m} maps and
// {se} sets, with {ref} to an earlier `id`. Our additions are {bl} for blobs and files, {bo} for boxed primitives, {tx}
// for text with invalid Unicode, and array holes.

import type { Allowance } from "./allowance";
import { kindOfBytes, toBase64, type BytesKind } from "./bytes";

export type Encoded =
  | boolean | number | string
  | { v: "null" | "undefined" | "NaN" | "Infinity" | "-Infinity" | "-0" | "hole" }
  | { d: string } | { u: string } | { bi: string } | { tx: string }
  | { e: { n: string; m: string; s: string } } | { r: { p: string; f: string } }
  | { ta: { b: string; k: BytesKind } } | { ab: { b: string } } | { bl: EncodedBlob } | { bo: Encoded }
  | { a: Encoded[]; id: number } | { o: { k: string; v: Encoded }[]; id: number }
  | { m: Encoded; id: number } | { se: Encoded; id: number }
  | { ref: number };

export interface EncodedBlob {
  b: string;
  t: string;
  /** Name and time of a file. */
  n?: string;
  l?: number;
}

/** A value that cannot be exported from the browser. */
export class NotExportable {
  constructor(readonly what: string) {}
}

/** Encodes one value of a record: plain if JSON can represent it. */
export class Encoder {
  /** Blobs are read later: the transaction would end meanwhile. */
  readonly blobs: { blob: Blob; into: EncodedBlob }[] = [];

  constructor(private readonly allowance: Allowance) {}

  record(value: unknown): { plain: unknown } | { encoded: Encoded } {
    if (isJson(value, new Set())) {
      this.allowance.take(JSON.stringify(value).length);
      return { plain: value };
    }
    return { encoded: new Walk(this.allowance, this.blobs).encode(value) };
  }
}

/** Whether JSON can represent it; not with repeated or cyclic references. */
function isJson(value: unknown, seen: Set<object>): boolean {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || seen.has(value)) return false;
  seen.add(value);
  if (Array.isArray(value)) {
    const { length } = Object.keys(value);
    return length === value.length && value.every((item) => isJson(item, seen));
  }
  return kindOf(value) === "Object" && Object.entries(value).every(([key, item]) => wellFormed(key) && isJson(item, seen));
}

class Walk {
  private readonly seen = new Map<object, number>();

  constructor(private readonly allowance: Allowance, private readonly blobs: Encoder["blobs"]) {}

  encode(value: unknown): Encoded {
    this.allowance.take(12);
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "number":
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { v: Object.is(value, -0) ? "-0" : (String(value) as "NaN") };
      case "boolean":
        return value;
      case "bigint":
        return { bi: String(value) };
      case "object":
        return value === null ? { v: "null" } : this.object(value);
      default:
        return { v: "undefined" };
    }
  }

  private text(text: string): Encoded {
    this.allowance.take(text.length);
    if (wellFormed(text)) return text;
    return { tx: this.base64(new Uint8Array(Uint16Array.from(text, (_, at) => text.charCodeAt(at)).buffer)) };
  }

  private object(value: object): Encoded {
    const known = this.seen.get(value);
    if (known !== undefined) return { ref: known };
    switch (kindOf(value)) {
      case "Date":
        return { d: (value as Date).toJSON() ?? "" };
      case "URL":
        return { u: String(value) };
      case "RegExp":
        return { r: { p: (value as RegExp).source, f: (value as RegExp).flags } };
      case "Error": {
        const { name, message, stack } = value as Error;
        return { e: { n: name, m: message, s: stack ?? "" } };
      }
      case "Blob":
      case "File":
        return { bl: this.blob(value as Blob) };
      case "ArrayBuffer":
        return { ab: { b: this.base64(new Uint8Array(value as ArrayBuffer)) } };
      case "Boolean":
      case "Number":
      case "String":
      case "BigInt":
        return { bo: this.encode(value.valueOf()) };
    }
    if (ArrayBuffer.isView(value)) return this.view(value);
    return this.holder(value);
  }

  /** Objects that contain others, perhaps themselves. */
  private holder(value: object): Encoded {
    const id = this.seen.size + 1;
    this.seen.set(value, id);
    switch (kindOf(value)) {
      case "Array":
        return { a: this.list(value as unknown[]), id };
      case "Map":
        return { m: this.encode(Array.from(value as Map<unknown, unknown>)), id };
      case "Set":
        return { se: this.encode(Array.from(value as Set<unknown>)), id };
      case "Object":
        return { o: Object.entries(value).map(([k, item]) => ({ k, v: this.encode(item) })), id };
      default:
        throw new NotExportable(kindOf(value));
    }
  }

  private list(list: unknown[]): Encoded[] {
    return Array.from(list, (item, at) => {
      const encoded = this.encode(item);
      return at in list ? encoded : { v: "hole" };
    });
  }

  private view(view: ArrayBufferView): Encoded {
    const kind = kindOfBytes(view);
    if (!kind) throw new NotExportable(kindOf(view));
    return { ta: { b: this.base64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)), k: kind } };
  }

  private blob(blob: Blob): EncodedBlob {
    this.allowance.take(Math.ceil(blob.size / 3) * 4);
    const into: EncodedBlob = { b: "", t: blob.type };
    if (blob instanceof File) Object.assign(into, { n: blob.name, l: blob.lastModified });
    this.blobs.push({ blob, into });
    return into;
  }

  private base64(bytes: Uint8Array): string {
    this.allowance.take(Math.ceil(bytes.length / 3) * 4);
    return toBase64(bytes);
  }
}

/** The type of a value from any world or realm. */
function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function wellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
