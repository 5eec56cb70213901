// CSS counters: the text of `counter(chapter)` in generated content. Browsers do not expose counter values to scripts,
// so they are computed from the style sheets, over the few elements that use counters, in document order.

import { attr, holds, parentNode, query, type Root } from "../page/dom";

type Where = "::before" | "::after";

/** A counter in its scope: the creating element's following siblings and their descendants. */
interface Counter {
  scope: Node | null;
  value: number;
}

type Values = ReadonlyMap<string, number[]>;

const NOTHING: Values = new Map();

export class Counters {
  private readonly at = new Map<Element, Record<Where, Values>>();
  private readonly open = new Map<string, Counter[]>();

  /** Computes counters for a root: `selectors` match the elements that use counters. */
  constructor(root: Root, selectors: string[]) {
    for (const el of query(root, selectors.join(","))) this.pass(el);
  }

  /** The values of a counter at an element, outermost first. */
  values(el: Element, where: Where, name: string): number[] {
    return this.at.get(el)?.[where].get(name) ?? [];
  }

  private pass(el: Element): void {
    for (const counters of this.open.values()) {
      while (counters.length > 0 && counters.at(-1)!.scope !== null && !holds(counters.at(-1)!.scope!, el)) counters.pop();
    }
    this.apply(window.getComputedStyle(el), parentNode(el));
    this.at.set(el, { "::before": this.seen(el, "::before"), "::after": this.seen(el, "::after") });
  }

  private seen(el: Element, where: Where): Values {
    const style = window.getComputedStyle(el, where);
    const { content } = style;
    if (content !== "none" && content !== "normal") this.apply(style, el);
    if (!content.includes("counter")) return NOTHING;
    return new Map(Array.from(this.open, ([name, counters]) => [name, counters.map(({ value }) => value)]));
  }

  private apply(style: CSSStyleDeclaration, scope: Node | null): void {
    for (const [name, value] of pairs(style.counterReset)) this.reset(name, value, scope);
    for (const [name, value] of pairs(style.counterIncrement)) this.counter(name, scope).value += value;
    for (const [name, value] of pairs(style.counterSet)) this.counter(name, scope).value = value;
  }

  private reset(name: string, value: number, scope: Node | null): void {
    const counters = this.open.get(name) ?? [];
    if (counters.at(-1)?.scope === scope) counters.pop();
    this.open.set(name, [...counters, { scope, value }]);
  }

  private counter(name: string, scope: Node | null): Counter {
    if (!this.open.get(name)?.length) this.reset(name, 0, scope);
    return this.open.get(name)!.at(-1)!;
  }
}

/** Parses `chapter 0 section 2` into pairs. */
function pairs(list: string): [name: string, value: number][] {
  const found = (list ?? "").matchAll(/(?!none\b)([a-zA-Z_-][\w-]*)\s+(-?\d+)/g);
  return Array.from(found, ([, name, value]) => [name!, Number(value)]);
}

/** Formats `counter(name, style?)` or `counters(name, "separator", style?)` of a `content` property. */
export function counted(call: string, values: (name: string) => number[]): string {
  const parts = /^counters?\(\s*([\w-]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)"\s*)?(?:,\s*([\w-]+)\s*)?\)$/.exec(call);
  if (!parts) return "";
  const [, name, separator, style = "decimal"] = parts;
  const all = values(name!);
  const shown = call.startsWith("counters") ? all : all.slice(-1);
  return shown.map((value) => written(value, style)).join(separator ?? "");
}

const ROMAN: [number, string][] = [
  [1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"],
];

function written(value: number, style: string): string {
  if (style === "none") return "";
  if (style === "decimal-leading-zero") return String(value).padStart(2, "0");
  const upper = style.startsWith("upper-");
  const text = /-roman$/.test(style) ? roman(value) : /-(alpha|latin)$/.test(style) ? letters(value) : String(value);
  return upper ? text.toUpperCase() : text;
}

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  let text = "";
  let rest = value;
  for (const [worth, sign] of ROMAN) for (; rest >= worth; rest -= worth) text += sign;
  return text;
}

function letters(value: number): string {
  if (value < 1) return String(value);
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}

/** Selectors of a sheet's elements that change counters, themselves or in a pseudo-element. */
export function countingSelectors(rules: CSSRuleList): string[] {
  const selectors: string[] = [];
  for (const rule of Array.from(rules) as (CSSRule & { cssRules?: CSSRuleList })[]) {
    if (rule.cssRules?.length) selectors.push(...countingSelectors(rule.cssRules));
    if (!(rule instanceof CSSStyleRule)) continue;
    const { counterReset, counterIncrement, counterSet } = rule.style;
    if (counterReset || counterIncrement || counterSet) selectors.push(rule.selectorText);
  }
  return selectors;
}

/** Elements whose style attribute changes counters. */
export const COUNTING_ATTRIBUTE = "[style*=counter]";

/** The text of `attr()` in generated content. */
export function attributeText(el: Element, call: string): string {
  const [, name] = /^attr\(\s*([\w-]+)/.exec(call) ?? [];
  return name ? (attr(el, name) ?? "") : "";
}
