// Accessible names as defined by accname 1.2 and HTML-AAM, and computed by Chromium. Step numbers in comments are those
// of https://www.w3.org/TR/accname-1.2/#computation-steps
//
// A Name has a text and a source: a name from content is not repeated as text in the snapshot.

import { attr, has, referenced, rootOf, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import { clean } from "../page/text";
import { contentText } from "./content";
import { embeddedValue } from "./embedded";
import type { Look } from "./look";
import { nativeName } from "./native";
import { editingHost, focusable } from "./operable";
import { LINKS, roleOf } from "./role";

export interface Name {
  text: string;
  from: "author" | "label" | "native" | "content" | "";
}

const NAMELESS: Name = { text: "", from: "" };

const NAMED_BY_CONTENT = new Set(
  [
    ...LINKS,
    ...`button cell checkbox columnheader doc-subtitle gridcell heading menuitem menuitemcheckbox menuitemradio option
    radio rowheader switch tab term tooltip treeitem`.split(/\s+/),
  ],
);

export function nameOf(el: Element, look: Look): Name {
  const facts = look.facts(el);
  return (facts.name ??= computeName(el, look));
}

/** Roles named from content: rows only in interactive grids, and nothing that is being edited. */
function namedByContent(el: Element, role: string, look: Look): boolean {
  if (role === "row") return focusable(el) || inGrid(el, look);
  return NAMED_BY_CONTENT.has(role) && (look.facts(el).bare || !editingHost(el));
}

function inGrid(row: Element, look: Look): boolean {
  let at = flatParent(row);
  while (at && BETWEEN.has(roleOf(at, look))) at = flatParent(at);
  const role = at && roleOf(at, look);
  return role === "grid" || role === "treegrid";
}

/** Roles allowed between a row and its grid. */
const BETWEEN = new Set(["generic", "none", "rowgroup"]);

function computeName(el: Element, look: Look): Name {
  const role = roleOf(el, look);
  look.enter(rootOf(el));
  const { bare } = look.facts(el);
  if (!bare) {
    // 2B
    const labelledBy = referencedText(el, "aria-labelledby", look);
    if (labelledBy) return { text: labelledBy, from: "author" };
    // 2D
    const label = clean(attr(el, "aria-label") ?? "");
    if (label) return { text: label, from: "author" };
  }
  // 2E
  if (role !== "none") {
    const labelled = labelText(el, look);
    if (labelled) return { text: labelled, from: "label" };
    const native = clean(nativeName(el, look) ?? "");
    if (native) return { text: native, from: "native" };
  }
  // 2F
  if (namedByContent(el, role, look) && tag(el) !== "input" && tag(el) !== "select") {
    // A hidden element that is asked for its name still uses its content.
    const content = clean(contentText(el, look, look.exposed(el) ? undefined : { hidden: true }));
    if (content) return { text: content, from: "content" };
  }
  // 2I
  return bare ? NAMELESS : tooltip(el, role);
}

/** Roles for which ARIA prohibits naming; their tooltip is only a description. */
const UNNAMEABLE = new Set(
  `code definition deletion emphasis generic insertion mark paragraph strong subscript suggestion superscript term
  time`.split(/\s+/),
);

function takesTooltip(el: Element, role: string): boolean {
  return !UNNAMEABLE.has(role) || EXPLAINED.has(tag(el)) || tag(el).includes("-") || has(el, "tabindex");
}

/** Elements without a role that the browser still exposes. */
const EXPLAINED = new Set(["abbr", "dfn", "dl", "label", "legend", "ruby"]);

function tooltip(el: Element, role: string): Name {
  const title = takesTooltip(el, role) ? clean(attr(el, "title") ?? "") : "";
  if (title) return { text: title, from: "author" };
  const placeholder = has(el, "placeholder") || has(el, "aria-placeholder")
    ? clean(attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "")
    : "";
  return placeholder ? { text: placeholder, from: "native" } : NAMELESS;
}

/** The text of the elements that an attribute such as aria-labelledby references, hidden ones included. */
export function referencedText(el: Element, attribute: string, look: Look): string {
  if (!has(el, attribute)) return "";
  const parts = referenced(el, attribute).map((target) => referencedName(target, el, look));
  return clean(parts.join(" "));
}

/** The text of a referenced element: label, value or content, without following references again. */
function referencedName(target: Element, from: Element, look: Look): string {
  const label = clean(attr(target, "aria-label") ?? "");
  if (label) return label;
  if (target !== from) {
    const value = embeddedValue(target, look);
    if (value !== null) return value || labelText(target, look) || clean(attr(target, "title") ?? "");
  }
  const labelled = labelText(target, look);
  if (labelled) return labelled;
  const native = clean(nativeName(target, look) ?? "");
  if (native) return native;
  const content = clean(contentText(target, look, { hidden: !look.exposed(target), referenced: true }));
  return content || clean(attr(target, "title") ?? "");
}

function labelText(el: Element, look: Look): string {
  const labels = look.labels.of(el);
  if (labels.length === 0) return "";
  const exposed = look.exposed(el);
  const parts = labels.map((label) => {
    // A hidden label of an exposed control does not count.
    if (exposed && !look.includes(label)) return "";
    const author = clean(attr(label, "aria-label") ?? "") || referencedText(label, "aria-labelledby", look);
    return author || shortLabel(label, el, look);
  });
  return clean(parts.join(" "));
}

/** Longer labels hold more than a name. */
const LABEL_LIMIT = 150;

/** The text of a label; a picker that opens inside it is not part of it, although the browser counts it. */
function shortLabel(label: Element, control: Element, look: Look): string {
  const text = contentText(label, look, { control });
  if (text.length <= LABEL_LIMIT) return text;
  const flowing = contentText(label, look, { control, flowing: true });
  return flowing.trim() === "" ? text : flowing;
}
