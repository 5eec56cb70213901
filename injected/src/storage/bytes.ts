// Bytes as base64, and typed array types by the short names of storage state files.

const KINDS = {
  i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array, ui32: Uint32Array,
  f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array, dv: DataView,
};

/** `dv` (DataView) is our own addition. */
export type BytesKind = keyof typeof KINDS;

export function kindOfBytes(view: ArrayBufferView): BytesKind | undefined {
  const name = Object.prototype.toString.call(view).slice(8, -1);
  return (Object.keys(KINDS) as BytesKind[]).find((kind) => KINDS[kind].name === name);
}

export function viewOf(bytes: Uint8Array<ArrayBuffer>, kind: BytesKind): ArrayBufferView {
  const View = KINDS[kind] as new (buffer: ArrayBuffer) => ArrayBufferView;
  return new View(bytes.buffer);
}

/** Bytes converted per call: each is a call argument. */
const CHUNK = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
