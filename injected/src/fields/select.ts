// Selects options of a native select by value, label or position ("#3", or a number). The select gets neither pointer
// events nor focus: a custom list that the page shows instead would open, and nothing would close it.

import { fail } from "../failure";
import { is, tag } from "../page/dom";
import { clean } from "../page/text";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { announce, controlOf } from "./field";
import { noteStandIn } from "./stand_in";

export interface Choice {
  value: string;
  label: string;
}

const OPTIONS_SHOWN = 20;

/** A plain string is matched in all ways. */
export type Wanted = string | { value: string } | { label: string } | { index: number };

/** With `only`, replaces the selection; otherwise adds to it if the select allows several. */
export function select(args: { num: number; values: Wanted[]; only?: boolean }): { selected: Choice[]; before: Choice[]; changed: boolean; unseen: boolean } {
  const el = controlOf(resolveNumber(args.num).el);
  if (tag(el) !== "select") {
    fail({ kind: "misfit", message: `<${tag(el)}> is not a select; click it, then click the option that it shows` });
  }
  // A label may lead to one that the page hides behind a list of its own, which would go on showing the old choice.
  if (!new Look().rendered(el)) {
    fail({ kind: "misfit", message: "the select is hidden; click what the page shows in its place, then click the option that it shows" });
  }
  const box = el as HTMLSelectElement;
  const before = chosen(box);
  const options = args.values.map((value) => findOption(box, value));
  if (args.only && !box.multiple && new Set(options).size !== 1) {
    fail({ kind: "misfit", message: `this select takes one option, not ${options.length}`, options: labelsOf(box) });
  }
  const unseen = noteStandIn(box);
  const changed = args.only && box.multiple ? chooseOnly(box, options) : box.multiple ? chooseSeveral(options, args.values.length === 0 ? box : null) : chooseOne(options.at(-1));
  if (changed) announce(box);
  return { selected: chosen(box), before, changed, unseen };
}

function chosen(box: HTMLSelectElement): Choice[] {
  return Array.from(box.selectedOptions, ({ value, label }) => ({ value, label: clean(label) }));
}

function chooseOne(option: HTMLOptionElement | undefined): boolean {
  if (!option || option.selected) return false;
  option.selected = true;
  return true;
}

function chooseOnly(box: HTMLSelectElement, wanted: HTMLOptionElement[]): boolean {
  const turned = Array.from(box.options).filter((option) => option.selected !== wanted.includes(option));
  for (const option of turned) option.selected = !option.selected;
  return turned.length > 0;
}

/** Adds to the selection; an empty list of options clears `cleared`. */
function chooseSeveral(options: HTMLOptionElement[], cleared: HTMLSelectElement | null): boolean {
  const turned = cleared ? Array.from(cleared.selectedOptions) : options.filter(({ selected }) => !selected);
  for (const option of turned) option.selected = cleared === null;
  return turned.length > 0;
}

function findOption(box: HTMLSelectElement, wanted: Wanted): HTMLOptionElement {
  const options = Array.from(box.options);
  const found = lookedUp(options, wanted);
  if (!found) return fail({ kind: "misfit", message: `no option ${told(wanted)}`, options: labelsOf(box) });
  if (is(found, ":disabled")) fail({ kind: "misfit", message: `option "${clean(found.label)}" is disabled` });
  return found;
}

function lookedUp(options: HTMLOptionElement[], wanted: Wanted): HTMLOptionElement | undefined {
  const byValue = (wanted: string) => options.find(({ value }) => value === wanted);
  const byLabel = (label: string) =>
    options.find((option) => clean(option.label) === label) ?? options.find((option) => clean(option.label).toLowerCase() === label.toLowerCase());
  if (typeof wanted === "string") {
    const label = clean(wanted);
    return byValue(wanted) ?? byLabel(label) ?? (/^#\d+$/.test(label) ? options[Number(label.slice(1))] : undefined);
  }
  if ("value" in wanted) return byValue(wanted.value);
  return "label" in wanted ? byLabel(clean(wanted.label)) : options[wanted.index];
}

function told(wanted: Wanted): string {
  if (typeof wanted === "string") return `"${clean(wanted)}"`;
  if ("value" in wanted) return `with the value "${wanted.value}"`;
  return "label" in wanted ? `"${clean(wanted.label)}"` : `at index ${wanted.index}`;
}

function labelsOf(box: HTMLSelectElement): string[] {
  return Array.from(box.options).slice(0, OPTIONS_SHOWN).map((option) => clean(option.label));
}
