// Text from content: what an element's subtree says when read aloud as one phrase. This is step 2F of
// the name computation; snapshots and targets use it too.

import { attr, isElement, isText, tag } from "../page/dom";
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
  if (SILENT.has(tag(el))) return "";
  const facts = look.facts(el);
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
        text += spaced(child, look, contribution(child, look, reading));
      }
    }
  }
  for (const owned of look.ownership.childrenOf(el)) text += ` ${contribution(owned, look, reading)} `;
  return text + look.generated.text(el, "::after");
}

/** What one element adds to the phrase of an element around it. */
function contribution(el: Element, look: Look, reading: Reading): string {
  if (el === reading.control) return "";
  if (!reading.hidden && look.excludes(el)) return "";
  if (tag(el) === "br") return " ";
  const { bare } = look.facts(el);
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
  if (value !== null || startsBranch(el, look)) return "";
  const content = contentText(el, look, special(reading) ? reading : undefined);
  return bare || content.trim() ? content : (attr(el, "title") ?? content);
}

/** The group of items below a tree item: they name themselves, not the item above. */
function startsBranch(el: Element, look: Look): boolean {
  if (look.facts(el).bare || attr(el, "role") !== "group") return false;
  const parent = flatParent(el);
  return parent !== null && roleOf(parent, look) === "treeitem";
}

/** Readings that differ from the usual one, whose texts are kept. */
function special({ hidden, referenced, control }: Reading): boolean {
  return !!(hidden || referenced || control);
}

const SILENT = new Set(["script", "style", "template", "noscript"]);

/** Blocks stand apart from their surroundings; words of inline elements may touch. */
function spaced(el: Element, look: Look, text: string): string {
  const { display } = look.facts(el);
  return display === "inline" || display === "contents" ? text : ` ${text} `;
}
