// Native names (step 2E): alternative texts, captions, legends, button values. Labels are not included, because they
// count only for the element's own name, not inside another's.

import { attr, isElement, tag } from "../page/dom";
import { flatChildren } from "../page/flat";
import { contentText } from "./content";
import { inDrawing, titleOf } from "./drawing";
import type { Look } from "./look";

/** The native name, or null if the element has none. */
export function nativeName(el: Element, look: Look): string | null {
  switch (tag(el)) {
    case "img":
    case "area":
      return attr(el, "alt");
    case "input":
      return inputName(el as HTMLInputElement);
    case "fieldset":
      return childText(el, "legend", look);
    case "table":
      return childText(el, "caption", look) ?? attr(el, "summary");
    case "a":
      return inDrawing(el) ? (drawnName(el, look) ?? attr(el, "xlink:title")) : null;
    case "svg":
    case "circle":
    case "defs":
    case "ellipse":
    case "foreignObject":
    case "g":
    case "image":
    case "line":
    case "path":
    case "polygon":
    case "polyline":
    case "rect":
    case "symbol":
    case "text":
    case "tspan":
    case "use":
      return drawnName(el, look);
    case "optgroup":
    case "option":
      return attr(el, "label");
    default:
      return null;
  }
}

const BUTTON_NAMES: Record<string, string> = { submit: "Submit", reset: "Reset" };

function inputName(input: HTMLInputElement): string | null {
  switch (input.type) {
    case "button":
      return input.value;
    case "submit":
    case "reset":
      return attr(input, "value") ?? BUTTON_NAMES[input.type]!;
    case "file":
      return input.multiple ? "Choose Files" : "Choose File";
    case "image":
      return attr(input, "alt") || attr(input, "value") || attr(input, "title") || "Submit";
    default:
      return null;
  }
}

/** The caption, legend or similar child that names its parent. */
export function captionOf(el: Element): Element | null {
  const caption = CAPTIONS[tag(el)];
  return caption ? childNamed(el, caption) : null;
}

const CAPTIONS: Record<string, string> = { fieldset: "legend", table: "caption" };

function childText(el: Element, name: string, look: Look): string | null {
  const child = childNamed(el, name);
  return child && contentText(child, look);
}

/** A title is not rendered, but names its part of the drawing. */
function drawnName(el: Element, look: Look): string | null {
  const title = titleOf(el);
  return title && contentText(title, look, { hidden: true });
}

function childNamed(el: Element, name: string): Element | null {
  for (const child of flatChildren(el)) if (isElement(child) && tag(child) === name) return child;
  return null;
}
