// Text from content: what an element's subtree says when read aloud as one phrase. This is step 2F of
// the name computation; snapshots and targets use it too.

import { attr, isElement, isText } from "../page/dom";
import { flatParent } from "../page/flat";
import { asDisplayed } from "../page/text";
import { embeddedValue } from "./embedded";
import type { Look } from "./look";
import { referencedText } from "./name";
import { nativeName } from "./native";
import { roleOf } from "./role";

export interface Reading {
  /** The phrase was asked for although it is hidden: hidden parts count. */
  hidden?: boolean;
  /** The phrase was asked for by aria-labelledby: further references are not followed. */
  referenced?: boolean;
  /** The control that the phrase labels: it does not name itself. */
  control?: Element;
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

/** What one element adds to the phrase of an element around it, apart from it where it is no running text. */
function contribution(el: Element, look: Look, reading: Reading): string {
  if (el === reading.control) return " ";
  if (!reading.hidden && look.excludes(el)) return "";
  const { tag, bare } = look.facts(el);
  if (tag === "br") return " ";
  const alternative = alternativeText(el, bare, look, reading);
  if (alternative !== null) return ` ${alternative} `;
  const content = contentText(el, look, special(reading) ? reading : undefined);
  const text = bare || content.trim() ? content : (attr(el, "title") ?? content);
  return spaced(el, look, reading, text);
}

/** What stands for an element in place of its content; null where its content does. */
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

/** Items below an item of a tree or a menu: they name themselves, not the item above. */
function startsBranch(el: Element, look: Look): boolean {
  if (look.facts(el).bare) return false;
  const role = attr(el, "role");
  if (role !== "group" && role !== "menu") return false;
  const parent = look.ownership.ownerOf(el) ?? flatParent(el);
  const above = parent && roleOf(parent, look);
  return above === "treeitem" || (role === "menu" && above === "menuitem");
}

/** Readings that differ from the usual one, whose texts are kept. */
function special({ hidden, referenced, control }: Reading): boolean {
  return !!(hidden || referenced || control);
}

/** What has no text of its own, or only one for when it cannot be shown, or one that repeats how others are read. */
const SILENT = new Set("script style template noscript object iframe frame embed video audio rp rt".split(" "));

/** Shown in place of text, and apart from it. */
const REPLACED = new Set("canvas img input object iframe frame embed video audio".split(" "));

/** Controls that are made of other elements stand apart as native ones do. */
const CONTROLS = new Set("button checkbox combobox listbox menuitem option radio searchbox slider spinbutton switch tab textbox".split(" "));

/** Blocks stand apart from their surroundings; words of inline elements may touch. */
function spaced(el: Element, look: Look, reading: Reading, text: string): string {
  const { display, tag, bare } = look.facts(el);
  const inline = display === "inline" && (!reading.hidden || look.rendered(el));
  if (inline && !(REPLACED.has(tag) && roleOf(el, look) !== "none") && (bare || !CONTROLS.has(attr(el, "role") ?? ""))) return text;
  return text === "" && display.startsWith("inline-") && !REPLACED.has(tag) ? "" : ` ${text} `;
}
