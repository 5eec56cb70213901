// Implicit roles of HTML elements: a table for the plain ones, functions for those that depend on attributes or
// ancestors.

import { attr, has, is, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import { listens } from "../page/listeners";
import { described, innerDrawing } from "./drawing";
import type { Look } from "./look";
import { editingHost, focusable } from "./operable";
import { explicitRole, namedByAuthor, roleOf } from "./role";

type Rule = string | ((el: Element, look: Look) => string);

const RULES = new Map<string, Rule>(Object.entries({
  a: linkRole,
  address: "group",
  area: linkRole,
  article: "article",
  aside: (el, look) => (namedByAuthor(el) || !within(el, look, SECTIONS) ? "complementary" : "generic"),
  audio: "audio",
  blockquote: "blockquote",
  button: "button",
  canvas: "canvas",
  caption: "caption",
  circle: symbolRole,
  code: "code",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dialog: "dialog",
  dir: "list",
  dt: "term",
  ellipse: symbolRole,
  em: "emphasis",
  embed: "embed",
  fieldset: "group",
  figcaption: "caption",
  figure: "figure",
  footer: (el, look) => (within(el, look, LANDMARK_SCOPES) ? "sectionfooter" : "contentinfo"),
  foreignObject: groupRole,
  form: "form",
  frame: "iframe",
  g: groupRole,
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  header: (el, look) => (within(el, look, LANDMARK_SCOPES) ? "sectionheader" : "banner"),
  hgroup: "group",
  hr: "separator",
  html: "document",
  iframe: "iframe",
  image: (el, look) => (described(el, look) ? "img" : "generic"),
  img: imageRole,
  input: inputRole,
  ins: "insertion",
  li: (el, look) => (inDissolvedList(el, look) ? "none" : "listitem"),
  line: symbolRole,
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  object: "object",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  path: symbolRole,
  polygon: symbolRole,
  polyline: symbolRole,
  progress: "progressbar",
  rect: symbolRole,
  s: "deletion",
  search: "search",
  section: (el) => (namedByAuthor(el) ? "region" : "generic"),
  select: (el) => (has(el, "multiple") || (el as HTMLSelectElement).size > 1 ? "listbox" : "combobox"),
  strong: "strong",
  sub: "subscript",
  summary: (el) => (summarises(el) ? "button" : "generic"),
  sup: "superscript",
  svg: (el, look) => (innerDrawing(el) ? groupRole(el, look) : "img"),
  symbol: groupRole,
  table: "table",
  tbody: (el, look) => tablePart(el, look, "rowgroup"),
  td: (el, look) => tablePart(el, look, "cell"),
  textarea: "textbox",
  tfoot: (el, look) => tablePart(el, look, "rowgroup"),
  th: (el, look) => tablePart(el, look, headerRole(el)),
  thead: (el, look) => tablePart(el, look, "rowgroup"),
  time: "time",
  tr: (el, look) => tablePart(el, look, "row"),
  ul: "list",
  use: (el, look) => (described(el, look) ? "graphics-object" : "generic"),
  video: "video",
} satisfies Record<string, Rule>));

export function implicitRole(el: Element, look: Look): string {
  const rule = RULES.get(tag(el));
  const role = rule === undefined ? "generic" : typeof rule === "string" ? rule : rule(el, look);
  // An editable element is a text box, whatever its tag.
  return !look.facts(el).bare && (role === "generic" || role === "paragraph") && editingHost(el) ? "textbox" : role;
}

/** A link without href that handles clicks is still used as a link. */
function linkRole(el: Element, look: Look): string {
  return has(el, "href") || has(el, "xlink:href") || listens(el, look.facts(el).bare) ? "link" : "generic";
}

function imageRole(el: Element): string {
  const decorative = attr(el, "alt") === "" && !namedByAuthor(el) && !focusable(el);
  return decorative ? "none" : "img";
}

const INPUT_ROLES: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};
const SUGGESTING = new Set("text search email tel url number date month week time datetime-local".split(" "));

function inputRole(el: Element): string {
  const type = (el as HTMLInputElement).type;
  if (SUGGESTING.has(type) && (el as HTMLInputElement).list) return "combobox";
  return INPUT_ROLES[type] ?? "textbox";
}

function symbolRole(el: Element, look: Look): string {
  return described(el, look) ? "graphics-symbol" : "generic";
}

function groupRole(el: Element, look: Look): string {
  return described(el, look) ? "group" : "generic";
}

function summarises(el: Element): boolean {
  const parent = el.parentElement;
  return parent !== null && tag(parent) === "details" && is(el, "summary:first-of-type");
}

/** The items of a list with role="none" lose their roles too. */
function inDissolvedList(el: Element, look: Look): boolean {
  const parent = flatParent(el);
  return parent !== null && LISTS.has(tag(parent)) && roleOf(parent, look) === "none";
}

const LISTS = new Set(["ul", "ol", "menu"]);

/** A row, cell or row group has its role only inside a table exposed as a table. */
function tablePart(el: Element, look: Look, role: string): string {
  let at = flatParent(el);
  while (at && tag(at) !== "table") at = flatParent(at);
  const table = at ? roleOf(at, look) : "generic";
  if (table === "table") return role;
  if (table === "grid" || table === "treegrid") return role === "cell" ? "gridcell" : role;
  return "generic";
}

function headerRole(el: Element): string {
  const scope = attr(el, "scope")?.toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = el.parentElement;
  if (!row) return "columnheader";
  // Next to data cells it is a row header; among headers or in the first row, a column header.
  const beside = Array.from(row.children).some((cell) => tag(cell) === "td");
  const heads = beside && (row.firstElementChild === el || row.previousElementSibling !== null);
  return heads ? "rowheader" : "columnheader";
}

const SECTIONS = new Set(["article", "complementary", "navigation"]);
const LANDMARK_SCOPES = new Set(["article", "complementary", "main", "navigation"]);
const SECTION_TAGS = new Set(["article", "aside", "nav", "section"]);

function within(el: Element, look: Look, scopes: Set<string>): boolean {
  for (let at = flatParent(el); at; at = flatParent(at)) {
    if (scopes.has(roleOf(at, look)) || (SECTION_TAGS.has(tag(at)) && explicitRole(at) === null)) return true;
  }
  return false;
}
