// Which elements become nodes of the tree, and which texts are already covered by a name.

import { contains, has, nearest, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import type { Look } from "../semantics/look";
import { nameOf, type Name } from "../semantics/name";
import { captionOf } from "../semantics/native";
import { focusable } from "../semantics/operable";
import { INTERACTIVE, roleOf } from "../semantics/role";
import { clickable } from "./clickable";
import { propsOf } from "./props";
import { scrollable } from "./scrolling";
import { node, type TreeNode } from "./tree";
import { includedControl } from "./unseen";

/** State of the walk for a subtree. */
export interface Context {
  /** The text is already part of a name above. */
  told: boolean;
  /** Inside a role whose children are presentational. */
  absorbed: boolean;
}

/** Roles of inline text formatting; included only if they have more than that. */
const INLINE_ROLES = new Set(
  "caption code deletion emphasis generic insertion mark none sectionfooter sectionheader strong subscript superscript time".split(" "),
);

/** Parts of drawings, included only with a name. */
const DRAWN = new Set(["graphics-object", "graphics-symbol"]);

/** Roles with presentational children, except operable ones. */
const CHILDLESS_ROLES = new Set(
  "button checkbox img menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab".split(" "),
);

/** The node of an element, or null if its children replace it. */
export function nodeFor(el: Element, context: Context, look: Look): TreeNode | null {
  const role = roleOf(el, look);
  const tagName = look.facts(el).tag;
  if (tagName === "html") return null;
  const operable = INTERACTIVE.has(role);
  const click = !operable && !(tagName === "label" && includedControl(el, look)) && clickable(el, look, context.absorbed);
  if (context.absorbed && !click && !operable) return null;
  const inline = INLINE_ROLES.has(role);
  const scrolls = scrollable(el, look);
  if (inline && !click && !scrolls && !namedByAria(el, look)) return null;
  const name = nameOf(el, look);
  // Every table has a tbody: include it only if it has more to show.
  if (tagName === "tbody" && !click && !scrolls && !name.text) return null;
  if ((inline || tagName === "svg" || DRAWN.has(role)) && !click && !scrolls && !name.text) return null;
  const props = propsOf(el, role, name.text, look, { click, scrolls, active: el === look.focused });
  return node(el, role === "none" ? "generic" : role, repeats(el, role, name, look) ? "" : name.text, props);
}

function namedByAria(el: Element, look: Look): boolean {
  return !look.facts(el).bare && (has(el, "aria-label") || has(el, "aria-labelledby"));
}

const STRUCTURE = "a, button, h1, h2, h3, h4, h5, h6, img, input, li, p, select, table, textarea, [onclick], [role], [tabindex]";

/** Marks a data table, in contrast to a layout table. */
const DATA_TABLE = ":scope > :is(caption, colgroup, tfoot, thead), :scope > tbody > tr > :is(th, [abbr], [headers], [scope])";

/** A row whose cells have its content, or a cell used for layout: no need to repeat the name. */
function repeats(el: Element, role: string, { from }: Name, look: Look): boolean {
  if (from !== "content") return false;
  if (role === "row") return !focusable(el);
  if ((role !== "cell" && role !== "gridcell") || !contains(el, STRUCTURE)) return false;
  const table = nearest(el, "table");
  return table !== null && look.once("lays out", table, (it) => !has(it, "role") && !contains(it, DATA_TABLE));
}

/** The context inside an included element. */
export function contextInIncluded(told: TreeNode, name: Name, around: Context): Context {
  const picture = told.el !== null && tag(told.el) === "svg";
  return { told: toldInside(told, name, around), absorbed: CHILDLESS_ROLES.has(told.role) && !picture };
}

function toldInside(told: TreeNode, name: Name, around: Context): boolean {
  if (told.props?.value !== undefined) return true;
  if (name.text === "") return around.told;
  return told.name !== "" && name.from === "content";
}

/** The context inside an omitted element: labels, legends and captions are covered by the names they give. */
export function contextInOmitted(el: Element, tagName: string, around: Context, look: Look): Context {
  if (around.told || !NAMING_TAGS.has(tagName)) return around;
  return namesAnother(el, tagName, look) ? { ...around, told: true } : around;
}

const NAMING_TAGS = new Set(["label", "legend", "caption"]);

function namesAnother(el: Element, tagName: string, look: Look): boolean {
  if (tagName === "label") {
    const control = includedControl(el, look);
    return control !== null && nameOf(control, look).from === "label";
  }
  const parent = flatParent(el);
  return parent !== null && captionOf(parent) === el && nameOf(parent, look).from === "native";
}
