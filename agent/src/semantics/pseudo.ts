// Text that style sheets generate before and after an element's content.
//
// Asking every element for the style of its two pseudo-elements would double the cost of a snapshot, so
// the style sheets are asked first which elements can have generated content. A sheet that may not be
// read (from another origin, without CORS) makes every element of its root a possible one.

import { attr, query, sheetsOf, type Root } from "../page/dom";

export type Where = "::before" | "::after";

export class Generated {
  private readonly possible = new Set<Element>();
  private readonly texts = new Map<Element, Record<Where, string>>();
  private any = false;

  /** Takes a root's style sheets into account; its elements' generated text is known from then on. */
  scan(root: Root): void {
    if (this.any) return;
    const found = possibleElements(root);
    if (found === "any") this.any = true;
    else for (const el of found) this.possible.add(el);
  }

  /** The text generated before or after an element's content; spaced where it is a block. */
  text(el: Element, where: Where): string {
    if (!this.any && !this.possible.has(el)) return "";
    let texts = this.texts.get(el);
    if (!texts) {
      texts = { "::before": generatedText(el, "::before"), "::after": generatedText(el, "::after") };
      this.texts.set(el, texts);
    }
    return texts[where];
  }
}

function possibleElements(root: Root): Element[] | "any" {
  const selectors: string[] = [];
  for (const sheet of sheetsOf(root)) {
    const found = selectorsOf(sheet);
    if (found === "any") return "any";
    selectors.push(...found);
  }
  if (selectors.length === 0) return [];
  try {
    return query(root, selectors.join(","));
  } catch {
    return "any";
  }
}

interface Scan {
  rules: number;
  selectors: string[] | "any";
}

/** Scans by sheet: they outlive a look, and are done again when rules came or went. */
const scans = new WeakMap<CSSStyleSheet, Scan>();

function selectorsOf(sheet: CSSStyleSheet): string[] | "any" {
  if (sheet.disabled) return [];
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return "any";
  }
  let scan = scans.get(sheet);
  if (scan?.rules !== rules.length) {
    scan = { rules: rules.length, selectors: scanRules(rules) };
    scans.set(sheet, scan);
  }
  return scan.selectors;
}

type Grouping = CSSRule & { cssRules?: CSSRuleList; styleSheet?: CSSStyleSheet | null };

function scanRules(rules: CSSRuleList): string[] | "any" {
  const selectors: string[] = [];
  for (const rule of Array.from(rules) as Grouping[]) {
    const inner = rule.styleSheet ? selectorsOf(rule.styleSheet) : rule.cssRules?.length ? scanRules(rule.cssRules) : [];
    const own = rule instanceof CSSStyleRule ? possibleFor(rule) : [];
    if (inner === "any" || own === "any") return "any";
    // Rules nested in a style rule are relative to it.
    if (inner.length > 0 && rule instanceof CSSStyleRule) return "any";
    selectors.push(...inner, ...own);
  }
  return selectors;
}

const PSEUDO = /::?(?:before|after)\b/gi;
const BARE_PSEUDO = /(^|[\s,>+~(])(?=::?(?:before|after)\b)/gi;

/** The selectors of elements for which a rule generates content. */
function possibleFor(rule: CSSStyleRule): string[] | "any" {
  const { selectorText } = rule;
  if (!selectorText.includes(":before") && !selectorText.includes(":after")) return [];
  const { content } = rule.style;
  if (content === "" || content === "none" || content === "normal" || content === '""') return [];
  // Hosts, slotted nodes and parts are not in the root that the rule belongs to.
  if (/:host|::slotted|::part/.test(selectorText)) return "any";
  return [selectorText.replace(BARE_PSEUDO, "$1*").replace(PSEUDO, "")];
}

function generatedText(el: Element, where: Where): string {
  const style = window.getComputedStyle(el, where);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "" || content === '""') return "";
  const { display } = style;
  if (display === "none" || style.visibility !== "visible") return "";
  const text = spoken(el, content);
  return display === "inline" || text === "" ? text : ` ${text} `;
}

const TOKEN = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)/g;

/** The strings of a `content` value; its alternative text after a slash, when it has one. */
function spoken(el: Element, content: string): string {
  const alternative = /\/\s*((?:"(?:[^"\\]|\\.)*"\s*)+)$/.exec(content);
  let text = "";
  for (const [, string, attribute] of (alternative?.[1] ?? content).matchAll(TOKEN)) {
    text += string !== undefined ? string.replace(/\\(.)/g, "$1") : (attr(el, attribute!) ?? "");
  }
  return text;
}
