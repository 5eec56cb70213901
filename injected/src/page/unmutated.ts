// What a page changes without a mutation or an event: values and states of fields that a script sets, and the rules of
// style sheets.

import { query, sheetsOf, tag } from "./dom";

/** Fields compared; a form has fewer. */
const MAX_FIELDS = 200;
const MAX_SHEETS = 200;
/** Characters compared at both ends of a value, and its length. */
const MAX_VALUE = 100;
/** Milliseconds between two comparisons. */
const EVERY = 40;

let known = "";
let compared = 0;

/** The current state is known. */
export function noteState(): void {
  known = state();
}

/** Whether the state differs from the known one, which it then is. */
export function stateChanged(): boolean {
  const now = state();
  if (now === known) return false;
  known = now;
  return true;
}

/** The same, for callers that ask in every frame. */
export function stateChangedInFrame(time: number): boolean {
  if (time - compared < EVERY) return false;
  compared = time;
  return stateChanged();
}

function state(): string {
  const fields = query(document, "input, textarea, select").slice(0, MAX_FIELDS).map(stateOf);
  return [...fields, ...sheetsOf(document).slice(0, MAX_SHEETS).map(sheetStateOf)].join("\0");
}

function stateOf(field: Element): string {
  if (tag(field) === "select") return String((field as HTMLSelectElement).selectedIndex);
  const { value, checked, indeterminate } = field as HTMLInputElement;
  const compared = value.length > 2 * MAX_VALUE ? `${value.length}${value.slice(0, MAX_VALUE)}${value.slice(-MAX_VALUE)}` : value;
  return `${compared}\x01${checked}${indeterminate}`;
}

function sheetStateOf(sheet: CSSStyleSheet): string {
  try {
    return `${sheet.disabled}${sheet.cssRules.length}`;
  } catch {
    // Of another origin: only its owner can change it, by another element.
    return "";
  }
}
