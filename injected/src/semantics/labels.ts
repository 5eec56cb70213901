// Labels by control. The browser's `labels` walks the whole document for each control; asking each label for its
// control takes one walk for all.

import { query, rootOf, tag, type Root } from "../page/dom";

export class Labels {
  private readonly roots = new Map<Root, Map<Element, Element[]>>();

  of(control: Element): readonly Element[] {
    if (!labelable(control)) return NONE;
    const root = rootOf(control);
    let labels = this.roots.get(root);
    if (!labels) {
      labels = labelsIn(root);
      this.roots.set(root, labels);
    }
    return labels.get(control) ?? NONE;
  }
}

const NONE: readonly Element[] = [];
const LABELABLE = new Set(["input", "textarea", "select", "button", "meter", "output", "progress"]);

function labelable(el: Element): boolean {
  const name = tag(el);
  return LABELABLE.has(name) || name.includes("-");
}

function labelsIn(root: Root): Map<Element, Element[]> {
  const labels = new Map<Element, Element[]>();
  for (const label of query(root, "label")) {
    const { control } = label as HTMLLabelElement;
    if (!control) continue;
    const known = labels.get(control);
    if (known) known.push(label);
    else labels.set(control, [label]);
  }
  return labels;
}
