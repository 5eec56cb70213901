// Text as it leaves the page: valid Unicode on one line, without characters that hide or reorder text.

// Controls, soft hyphens, zero-width marks, bidirectional controls, byte order marks. The zero-width joiner stays:
// emoji need it.
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
// Private use characters: glyphs of icon fonts.
const PRIVATE = /\p{Co}/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** One line of well-formed text: white space collapsed, no invisible characters, no icon glyphs. */
export function clean(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return wellFormed(text).replace(INVISIBLE, "").replace(PRIVATE, "").replace(/\s+/g, " ").trim();
}

/** The same for values, where line breaks and spaces matter. */
export function cleanValue(value: string): string {
  return wellFormed(value).replace(INVISIBLE, "");
}

export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

const BLANK = /^\s*$/;

/** Applies `text-transform`, as the browser does for assistive technology. */
export function asDisplayed(text: string, style: { readonly textTransform: string }): string {
  if (BLANK.test(text)) return text;
  switch (style.textTransform) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(/(^|[\s\p{P}])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
    default:
      return text;
  }
}

export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${wellFormed(text.slice(0, limit - 1))}…`;
}

/** Text comparison: substring and case-insensitive, or exact. */
export function matcher(wanted: string, exact: boolean): (text: string) => boolean {
  const whole = clean(wanted);
  if (exact) return (text) => clean(text) === whole;
  const part = whole.toLowerCase();
  return (text) => clean(text).toLowerCase().includes(part);
}
