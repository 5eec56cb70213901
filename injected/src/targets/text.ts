// Elements by text as written in the document; `text-transform` and visibility do not matter.

import { isElement, isText, pageRoot, tag } from "../page/dom";
import { flatChildren } from "../page/flat";
import { matcher } from "../page/text";
import type { Scope } from "./scope";

const TEXTLESS = new Set(["head", "script", "style", "noscript", "template", "title"]);

/** The innermost elements that contain the text. */
export function byText(wanted: string, exact: boolean, scope: Scope): Element[] {
  const fits = matcher(wanted, exact);
  const contains = matcher(wanted, false);
  const found = new Set<Element>();
  const inside = (el: Element): boolean => {
    let inner = false;
    for (const child of flatChildren(el)) if (isElement(child)) inner = search(child) || inner;
    return inner;
  };
  const search = (el: Element): boolean => {
    if (TEXTLESS.has(tag(el)) || !contains(phraseOf(el))) return false;
    if (inside(el)) return true;
    if (!fits(phraseOf(el))) return false;
    found.add(el);
    return true;
  };
  if (scope.holders) for (const holder of scope.holders) inside(holder);
  else if (pageRoot()) search(pageRoot()!);
  return scope.inOrder([...found]);
}

/** The text content of an element; the value of a button. */
export function phraseOf(el: Element): string {
  const name = tag(el);
  if (name === "input") {
    const { type, value } = el as HTMLInputElement;
    return type === "submit" || type === "button" || type === "reset" ? value : "";
  }
  if (name === "textarea") return "";
  let text = "";
  for (const child of flatChildren(el)) {
    if (isElement(child)) text += TEXTLESS.has(tag(child)) ? "" : phraseOf(child);
    else if (isText(child)) text += child.data;
  }
  return text;
}
