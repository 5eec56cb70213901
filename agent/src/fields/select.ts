// Choosing options of a native select, by value, by label, or by position ("#3").

import { fail } from "../failure";
import { giveFocus, is, tag } from "../page/dom";
import { clean } from "../page/text";
import { resolveNumber } from "../targets/heal";
import { announce, controlOf } from "./field";

export interface Choice {
  value: string;
  label: string;
}

const OPTIONS_SHOWN = 20;

export function select(args: { num: number; values: string[] }): { selected: Choice[]; before: Choice[] } {
  const el = controlOf(resolveNumber(args.num).el);
  if (tag(el) !== "select") {
    fail({ kind: "misfit", message: `<${tag(el)}> is not a select; click it, then click the option that it shows` });
  }
  const box = el as HTMLSelectElement;
  const before = chosen(box);
  const options = args.values.map((value) => findOption(box, value));
  const changed = box.multiple ? chooseSeveral(options, args.values.length === 0 ? box : null) : chooseOne(box, options.at(-1));
  if (changed) announce(box);
  return { selected: chosen(box), before };
}

function chosen(box: HTMLSelectElement): Choice[] {
  return Array.from(box.selectedOptions, ({ value, label }) => ({ value, label: clean(label) }));
}

function chooseOne(box: HTMLSelectElement, option: HTMLOptionElement | undefined): boolean {
  if (!option || option.selected) return false;
  giveFocus(box);
  option.selected = true;
  return true;
}

/** Adds to what is chosen; an empty list of options clears `cleared`. */
function chooseSeveral(options: HTMLOptionElement[], cleared: HTMLSelectElement | null): boolean {
  const turned = cleared ? Array.from(cleared.selectedOptions) : options.filter(({ selected }) => !selected);
  for (const option of turned) option.selected = cleared === null;
  return turned.length > 0;
}

function findOption(box: HTMLSelectElement, wanted: string): HTMLOptionElement {
  const options = Array.from(box.options);
  const label = clean(wanted);
  const found = options.find(({ value }) => value === wanted)
    ?? options.find((option) => clean(option.label) === label)
    ?? options.find((option) => clean(option.label).toLowerCase() === label.toLowerCase())
    ?? (/^#\d+$/.test(label) ? options[Number(label.slice(1))] : undefined);
  if (!found) {
    const labels = options.slice(0, OPTIONS_SHOWN).map((option) => clean(option.label));
    return fail({ kind: "misfit", message: `no option "${label}"`, options: labels });
  }
  if (is(found, ":disabled")) fail({ kind: "misfit", message: `option "${clean(found.label)}" is disabled` });
  return found;
}
