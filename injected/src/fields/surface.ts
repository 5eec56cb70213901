// Editors that draw their text themselves. The keyboard goes to an input of no visible size (a text area, an editable
// element, an edit context), and the text is drawn beside it, line by line. Such an input stands for the editor around
// it: it is as visible as the editor, and its value is the text that the editor shows.

import { attr, isElement, rectOf, tag } from "../page/dom";
import { flatContains, flatParent } from "../page/flat";
import type { Look } from "../semantics/look";

/** Inputs with a side of at most so many pixels cannot be read. */
const TINY = 4;
/** An editor is at least so large. */
const MIN_WIDTH = 40;
const MIN_HEIGHT = 14;
/** Ancestors searched for the editor. */
const MAX_DEPTH = 8;
/** Lines read; editors draw what fits the screen. */
const MAX_LINES = 2_000;
/** Elements visited for them. */
const MAX_ELEMENTS = 20_000;

/** Whether an element takes keys through an edit context. */
export function hasEditContext(el: Element): boolean {
  return ((el as Element & { editContext?: unknown }).editContext ?? null) !== null;
}

/** The editor that an input without a visible size belongs to; null for any other element. */
export function surfaceOf(el: Element, look: Look): Element | null {
  if (!takesKeys(el) || !look.exposed(el) || !unreadable(el, look)) return null;
  let at = flatParent(el);
  for (let depth = 0; at && depth < MAX_DEPTH; depth++, at = flatParent(at)) {
    const { width, height } = rectOf(at);
    if (width >= MIN_WIDTH && height >= MIN_HEIGHT) return tag(at) === "body" || tag(at) === "html" ? null : at;
  }
  return null;
}

function takesKeys(el: Element): boolean {
  const name = tag(el);
  if (name === "textarea") return true;
  if (name === "input" || name === "select") return false;
  return (el as HTMLElement).isContentEditable === true || hasEditContext(el);
}

/** Too small, clipped by a parent that is too small, or transparent. An editor moves its input with the caret: one in the flow of the page is not of an editor. */
function unreadable(el: Element, look: Look): boolean {
  const { opacity, position } = look.facts(el).style;
  if ((tiny(el) && position !== "static") || opacity === "0") return true;
  const parent = flatParent(el);
  return parent !== null && tiny(parent) && look.facts(parent).style.overflow !== "visible";
}

function tiny(el: Element): boolean {
  const { width, height } = rectOf(el);
  return width <= TINY || height <= TINY;
}

interface DrawnLine {
  text: string;
  top: number;
  left: number;
  width: number;
}

/** The text that an editor shows, without its line numbers. Lines need not be in document order. */
export function surfaceText(surface: Element, input: Element, look: Look): string {
  const layers = linesIn(surface, input, look);
  const readable = [...layers.values()].filter((lines) => !isGutter(lines, surface));
  const [best] = readable.sort((a, b) => size(b) - size(a) || widest(b) - widest(a));
  if (!best) return "";
  best.sort((a, b) => a.top - b.top || a.left - b.left);
  return joined(best).replaceAll("\u00a0", " ").replaceAll("\u200b", "").trimEnd();
}

/** Parts that stand side by side are one line. */
function joined(lines: DrawnLine[]): string {
  let text = "";
  let top: number | null = null;
  for (const line of lines) {
    if (top !== null) text += Math.abs(line.top - top) < 2 ? "" : "\n";
    text += line.text;
    top = line.top;
  }
  return text;
}

const size = (lines: DrawnLine[]) => lines.reduce((sum, { text }) => sum + text.trim().length, 0);
const widest = (lines: DrawnLine[]) => Math.max(...lines.map(({ width }) => width));

/** Line numbers and the marks beside them: a narrow column. */
function isGutter(lines: DrawnLine[], surface: Element): boolean {
  return widest(lines) < rectOf(surface).width / 4 && lines.every(({ text }) => /^[\d\s\p{P}\p{S}]*$/u.test(text));
}

/** The innermost blocks by kind (tag and first class): an editor draws each layer of it with elements of its own kind. */
function linesIn(surface: Element, input: Element, look: Look): Map<string, DrawnLine[]> {
  const layers = new Map<string, DrawnLine[]>();
  let visited = 0;
  let count = 0;
  const visit = (el: Element): void => {
    if (el === input || ++visited > MAX_ELEMENTS || count > MAX_LINES) return;
    const { display, visible, tag: name } = look.facts(el);
    if (display === "none" || !visible || name === "textarea") return;
    const children = look.children(el).filter(isElement);
    if (children.some((child) => isBlock(child, look))) return children.forEach(visit);
    const { top, left, width, height } = rectOf(el);
    // An empty line may have no width.
    if (height === 0) return;
    const text = el.textContent ?? "";
    const kind = `${name}.${(attr(el, "class") ?? "").trim().split(/\s+/)[0]}`;
    const lines = layers.get(kind);
    const line = { text, top: Math.round(top), left, width };
    if (lines) lines.push(line);
    else layers.set(kind, [line]);
    count++;
  };
  visit(surface);
  return layers;
}

function isBlock(el: Element, look: Look): boolean {
  const { display } = look.facts(el);
  return display !== "none" && display !== "contents" && !display.startsWith("inline");
}

/** The element that pointers and eyes find in place of an input without a visible size. */
export function standIn(el: Element, look: Look): Element {
  return surfaceOf(el, look) ?? el;
}

/** Whether an element is drawn by the editor of some input. */
export function drawnBy(el: Element, surfaces: Iterable<Element>): boolean {
  for (const surface of surfaces) if (flatContains(surface, el)) return true;
  return false;
}
