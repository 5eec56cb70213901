// Name from content: the text of an element's subtree. This is step 2F of the name computation; snapshots and targets
// use it too.

import { attr, isElement, isText } from "../page/dom";
import { flatParent } from "../page/flat";
import { asDisplayed } from "../page/text";
import { embeddedValue } from "./embedded";
import type { Look } from "./look";
import { referencedText } from "./name";
import { nativeName } from "./native";
import { roleOf } from "./role";

export interface Reading {
  /** The root is hidden but was referenced: hidden parts count. */
  hidden?: boolean;
  /** Computed for aria-labelledby: further references are not followed. */
  referenced?: boolean;
  /** The labelled control: it does not contribute to its own name. */
  control?: Element;
  /** Without what is drawn over the page, such as the popup of the control. */
  flowing?: boolean;
}

export function contentText(el: Element, look: Look, reading?: Reading): string {
  if (reading) return readContent(el, look, reading);
  const facts = look.facts(el);
  return (facts.content ??= readContent(el, look, {}));
}

function readContent(el: Element, look: Look, reading: Reading): string {
  const facts = look.facts(el);
  if (SILENT.has(facts.tag)) return "";
  const audible = reading.hidden || facts.visible;
  let text = look.generated.text(el, "::before");
  const plain = look.plainText(el);
  if (plain !== null) text += audible ? asDisplayed(plain, facts) : "";
  else {
    const hidesSome = !reading.hidden && look.hidesSome(el);
    for (const child of look.children(el)) {
      if (isText(child)) text += audible && !hidesSome ? asDisplayed(child.data, facts) : "";
      else if (isElement(child)) {
        if (look.ownership.claimed(child) || (hidesSome && look.hidesChild(el, child))) continue;
        text += contribution(child, look, reading);
      }
    }
  }
  const owned = look.ownership.childrenOf(el);
  if (owned.length > 0) text += " ";
  for (const child of owned) text += contribution(child, look, reading);
  return text + look.generated.text(el, "::after");
}

/** The contribution of one element to its ancestor's text, separated by spaces if it is not inline. */
function contribution(el: Element, look: Look, reading: Reading): string {
  if (el === reading.control) return " ";
  if (!reading.hidden && look.excludes(el)) return "";
  const { tag, bare, style } = look.facts(el);
  if (tag === "br") return " ";
  if (reading.flowing && (style.position === "absolute" || style.position === "fixed")) return "";
  const alternative = alternativeText(el, bare, look, reading);
  if (alternative !== null) return ` ${alternative} `;
  const content = contentText(el, look, special(reading) ? reading : undefined);
  const text = bare || content.trim() ? content : (attr(el, "title") ?? content);
  return spaced(el, look, reading, text);
}

/** The text alternative of an element; null if its content counts instead. */
function alternativeText(el: Element, bare: boolean, look: Look, reading: Reading): string | null {
  if (!bare && !reading.referenced) {
    const labelled = referencedText(el, "aria-labelledby", look);
    if (labelled) return labelled;
  }
  const value = embeddedValue(el, look);
  if (value) return value;
  const label = bare ? null : attr(el, "aria-label")?.trim();
  if (label) return label;
  const native = nativeName(el, look);
  if (native) return native;
  return value !== null || startsBranch(el, look) ? "" : null;
}

/** Nested items of a tree or menu: they are not part of the name of the item above. */
function startsBranch(el: Element, look: Look): boolean {
  if (look.facts(el).bare) return false;
  const role = attr(el, "role");
  if (role !== "group" && role !== "menu") return false;
  const parent = look.ownership.ownerOf(el) ?? flatParent(el);
  const above = parent && roleOf(parent, look);
  return above === "treeitem" || (role === "menu" && above === "menuitem");
}

/** Whether a reading differs from the default one, whose texts are cached. */
function special({ hidden, referenced, control }: Reading): boolean {
  return !!(hidden || referenced || control);
}

/** Elements without text of their own, with fallback text only, or with text that repeats how others are pronounced. */
const SILENT = new Set("script style template noscript object iframe frame embed video audio rp rt".split(" "));

/** Replaced elements, separated from text by spaces. */
const REPLACED = new Set("canvas img input object iframe frame embed video audio".split(" "));

/** Custom controls are separated by spaces like native ones. */
const CONTROLS = new Set("button checkbox combobox listbox menuitem option radio searchbox slider spinbutton switch tab textbox".split(" "));

/** Blocks are separated by spaces; inline elements are not. */
function spaced(el: Element, look: Look, reading: Reading, text: string): string {
  const { display, tag, bare } = look.facts(el);
  const inline = display === "inline" && (!reading.hidden || look.rendered(el));
  if (inline && !(REPLACED.has(tag) && roleOf(el, look) !== "none") && (bare || !CONTROLS.has(attr(el, "role") ?? ""))) return text;
  return text === "" && display.startsWith("inline-") && !REPLACED.has(tag) ? "" : ` ${text} `;
}
