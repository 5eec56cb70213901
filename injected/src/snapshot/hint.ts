// Hints: what the markup suggests for an interactive element without a name. They are marked as hints, not names: a
// tooltip, aria-hidden text, an icon, words of a class.

import { attr, attributeNames, queryIn, tag, textContent } from "../page/dom";
import { flatParent } from "../page/flat";
import { clean, shorten } from "../page/text";
import { INTERACTIVE } from "../semantics/role";
import type { TreeNode } from "./tree";
import { firstWord, meaningfulWords } from "./words";

const LIMIT = 40;

/** Interactive, without a name and without text below it. */
export function lacksName(told: TreeNode): boolean {
  if (told.name !== "" || told.props?.native) return false;
  return (told.props?.clickable === true || (HINTED.has(told.role) && !told.props?.idle)) && !says(told);
}

/** Options and cells are described by their lists and rows. */
const HINTED = new Set([...INTERACTIVE].filter((role) => role !== "option" && role !== "gridcell" && role !== "listbox"));

function says({ role, children }: TreeNode): boolean {
  return role !== "combobox" && role !== "listbox" && children.some((child) => child.name !== "" || says(child));
}

export function addHint(told: TreeNode): void {
  const hint = hintFor(told.el!);
  if (!hint || hint === told.props?.value?.trim() || told.props?.url?.toLowerCase().includes(hint)) return;
  const { description, ...props } = told.props ?? {};
  told.props = description === undefined || description === hint ? { ...props, hint } : { ...props, description, hint };
}

function hintFor(el: Element): string {
  return spoken(el) || iconOf(el) || meaningfulWords(namesOf(el)) || meaningfulWords(classesOf(el), ancestorPrefixes(el));
}

/** Attributes in which libraries keep tooltips. */
const TEXTS = ["title", "data-tooltip", "data-title", "data-original-title", "data-bs-title", "data-bs-original-title", "data-tip", "data-label", "data-hint", "data-content"];

/** Text for users that is not exposed to assistive technology. */
function spoken(el: Element): string {
  for (const name of TEXTS) {
    const text = clean(attr(el, name) ?? "");
    if (text) return shorten(text, LIMIT);
  }
  if (clean(textContent(el)) === "") return "";
  const { innerText } = el as HTMLElement;
  if (FIELDS.has(tag(el)) || typeof innerText !== "string" || innerText.trim().includes("\n")) return "";
  const text = clean(innerText);
  return text.length <= LIMIT ? text : "";
}

const FIELDS = new Set(["input", "select", "textarea"]);

const ICONS = "use, img, image, svg, i, span, mat-icon, [data-icon], [class*=icon], input[type=image]";
const ICON_NAMES = ["data-icon", "data-icon-name", "data-mat-icon-name", "data-lucide", "data-feather", "data-testid"];
const MOST = 8;

/** The names of icons inside the element, or of the element itself. */
function iconOf(el: Element): string {
  for (const icon of [el, ...queryIn(el, ICONS).slice(0, MOST)]) {
    const file = /([^/?#]+?)(?:\.\w+)?(?:[?#].*)?$/.exec(attr(icon, "src") ?? "")?.[1] ?? "";
    const used = /#(.+)$/.exec(attr(icon, "href") ?? attr(icon, "xlink:href") ?? "")?.[1] ?? "";
    const sources = tag(icon) === "use" ? [used] : tag(icon) === "img" || tag(icon) === "input" ? [file] : [];
    const words = meaningfulWords([...sources, ...ICON_NAMES.map((name) => attr(icon, name) ?? "")])
      || (icon === el ? "" : meaningfulWords(classesOf(icon), ancestorPrefixes(el)));
    if (words) return words;
  }
  return "";
}

/** Attributes by which scripts and servers identify an element, most meaningful first. */
const IDENTIFYING_ATTRIBUTES = ["data-action", "data-command", "data-cmd", "data-testid", "data-test", "data-test-id", "data-qa", "data-cy", "name", "id", "autocomplete"];

const NAMING = /^data-.*(?:action|cmd|command|icon|id|key|label|name|tool|type)$/;

function namesOf(el: Element): string[] {
  const known = IDENTIFYING_ATTRIBUTES.filter((name) => attr(el, name));
  const first = known.find((name) => meaningfulWords([attr(el, name)!]));
  if (first) return [attr(el, first)!];
  const others = attributeNames(el).filter((name) => NAMING.test(name) && !TEXTS.includes(name));
  return others.map((name) => attr(el, name)!).filter((value) => value.length <= LIMIT).slice(0, 1);
}

/** Class prefixes of the ancestors: the name of a library or section, not of the element. */
function ancestorPrefixes(el: Element): Set<string> {
  const parent = flatParent(el);
  const around = parent ? [parent, flatParent(parent)] : [];
  return new Set(around.flatMap((it) => (it ? classesOf(it).map(firstWord) : [])));
}

function classesOf(el: Element): string[] {
  return (attr(el, "class") ?? "").split(/\s+/).filter(Boolean).slice(0, 20);
}
