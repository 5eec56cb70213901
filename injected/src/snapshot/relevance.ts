// What is worth telling: which elements become nodes of the tree, and which of their texts a name
// already tells.

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
import { toldControl } from "./unseen";

/** What holds for a whole subtree while it is walked. */
export interface Context {
  /** A name above tells this text already. */
  told: boolean;
  /** Inside a role whose children are part of it. */
  absorbed: boolean;
}

/** Roles that only style running text; they are told when someone made more of them. */
const INLINE_ROLES = new Set(
  "caption code deletion emphasis generic insertion mark none sectionfooter sectionheader strong subscript superscript time".split(" "),
);

/** Parts of drawings, which only a name makes worth telling. */
const DRAWN = new Set(["graphics-object", "graphics-symbol"]);

/** Roles whose descendants are part of them, unless a person can operate one on its own. */
const CHILDLESS_ROLES = new Set(
  "button checkbox img menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab".split(" "),
);

/** The node for an element that is worth telling, or null for one that its children replace. */
export function nodeFor(el: Element, context: Context, look: Look): TreeNode | null {
  const role = roleOf(el, look);
  const tagName = look.facts(el).tag;
  if (tagName === "html") return null;
  const operable = INTERACTIVE.has(role);
  const click = !operable && !(tagName === "label" && toldControl(el, look)) && clickable(el, look, context.absorbed);
  if (context.absorbed && !click && !operable) return null;
  const inline = INLINE_ROLES.has(role);
  const scrolls = scrollable(el, look);
  if (inline && !click && !scrolls && !namedByAria(el, look)) return null;
  const name = nameOf(el, look);
  // Every table has a body: it is worth a line only where it is more than that.
  if (tagName === "tbody" && !click && !scrolls && !name.text) return null;
  if ((inline || tagName === "svg" || DRAWN.has(role)) && !click && !scrolls && !name.text) return null;
  const props = propsOf(el, role, name.text, look, { click, scrolls, active: el === look.focused });
  return node(el, role === "none" ? "generic" : role, repeats(el, role, name, look) ? "" : name.text, props);
}

function namedByAria(el: Element, look: Look): boolean {
  return !look.facts(el).bare && (has(el, "aria-label") || has(el, "aria-labelledby"));
}

const STRUCTURE = "a, button, h1, h2, h3, h4, h5, h6, img, input, li, p, select, table, textarea, [onclick], [role], [tabindex]";

/** What makes a table more than a way to lay things out. */
const DATA_TABLE = ":scope > :is(caption, colgroup, tfoot, thead), :scope > tbody > tr > :is(th, [abbr], [headers], [scope])";

/** A row whose cells tell its content, or a cell that lays out other things: they need not repeat it. */
function repeats(el: Element, role: string, { from }: Name, look: Look): boolean {
  if (from !== "content") return false;
  if (role === "row") return !focusable(el);
  if ((role !== "cell" && role !== "gridcell") || !contains(el, STRUCTURE)) return false;
  const table = nearest(el, "table");
  return table !== null && look.once("lays out", table, (it) => !has(it, "role") && !contains(it, DATA_TABLE));
}

/** What holds inside an element that is told. */
export function contextInTold(told: TreeNode, name: Name, around: Context): Context {
  const picture = told.el !== null && tag(told.el) === "svg";
  return { told: toldInside(told, name, around), absorbed: CHILDLESS_ROLES.has(told.role) && !picture };
}

function toldInside(told: TreeNode, name: Name, around: Context): boolean {
  if (told.props?.value !== undefined) return true;
  if (name.text === "") return around.told;
  return told.name !== "" && name.from === "content";
}

/** What holds inside one that is not: labels, legends and captions are told by the names that they give. */
export function contextInUntold(el: Element, tagName: string, around: Context, look: Look): Context {
  if (around.told || !NAMING_TAGS.has(tagName)) return around;
  return namesAnother(el, tagName, look) ? { ...around, told: true } : around;
}

const NAMING_TAGS = new Set(["label", "legend", "caption"]);

function namesAnother(el: Element, tagName: string, look: Look): boolean {
  if (tagName === "label") {
    const control = toldControl(el, look);
    return control !== null && nameOf(control, look).from === "label";
  }
  const parent = flatParent(el);
  return parent !== null && captionOf(parent) === el && nameOf(parent, look).from === "native";
}
