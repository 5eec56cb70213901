// Text of ::before and ::after.
//
// Reading both pseudo-element styles of every element would double the cost of a snapshot, so the style sheets are
// searched first for elements that can have generated content. If a sheet is not readable (cross-origin without CORS),
// every element of its root is a candidate.

import { nearest, query, rootOf, sheetsOf, type Root } from "../page/dom";
import { asDisplayed } from "../page/text";
import { attributeText, counted, Counters, COUNTING_ATTRIBUTE, countingSelectors } from "./counters";

export type Where = "::before" | "::after";

export class Generated {
  private readonly possible = new Set<Element>();
  private readonly texts = new Map<Element, Record<Where, string>>();
  private readonly counters = new Map<Root, Counters>();
  private any = false;

  /** Reads a root's style sheets; required before `text` for its elements. */
  scan(root: Root): void {
    if (this.any) return;
    const found = possibleElements(root);
    if (found === "any") this.any = true;
    else for (const el of [...found, ...query(root, "q")]) this.possible.add(el);
  }

  /** The text generated before or after an element's content; with spaces if it is a block. */
  text(el: Element, where: Where): string {
    if (!this.any && !this.possible.has(el)) return "";
    let texts = this.texts.get(el);
    if (!texts) {
      texts = { "::before": this.read(el, "::before"), "::after": this.read(el, "::after") };
      this.texts.set(el, texts);
    }
    return texts[where];
  }

  private read(el: Element, where: Where): string {
    const style = window.getComputedStyle(el, where);
    const { content } = style;
    if (content === "none" || content === "normal" || content === "" || content === '""') return "";
    const { display } = style;
    if (display === "none" || style.visibility !== "visible") return "";
    const text = asDisplayed(spoken(content, (part) => this.say(el, where, part)), style);
    return display === "inline" || text === "" ? text : ` ${text} `;
  }

  private say(el: Element, where: Where, part: string): string {
    if (part.startsWith('"')) return unquoted(part);
    if (part.startsWith("attr(")) return attributeText(el, part);
    if (part.startsWith("counter")) return counted(part, (name) => this.countersOf(el).values(el, where, name));
    // Nested quotations are rare, and their marks depend on the language.
    if (part === "open-quote") return nearest(el, "q q") ? "‘" : "“";
    return part === "close-quote" ? (nearest(el, "q q") ? "’" : "”") : "";
  }

  private countersOf(el: Element): Counters {
    const root = rootOf(el);
    let counters = this.counters.get(root);
    if (!counters) this.counters.set(root, (counters = new Counters(root, counting(root))));
    return counters;
  }
}

/** Selectors of the elements that change or show counters. */
function counting(root: Root): string[] {
  const selectors = [COUNTING_ATTRIBUTE];
  for (const sheet of sheetsOf(root)) {
    const shown = selectorsOf(sheet);
    if (shown === "any") continue;
    selectors.push(...shown, ...countingSelectors(sheet.cssRules).map(withoutPseudo));
  }
  return selectors.filter((selector) => !HOSTED.test(selector));
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

/** Scans by sheet. They outlive a Look and are repeated when rules are added or removed. */
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
    // Nested rules are relative to their parent rule.
    if (inner.length > 0 && rule instanceof CSSStyleRule) return "any";
    selectors.push(...inner, ...own);
  }
  return selectors;
}

const PSEUDO = /::?(?:before|after)\b/gi;
const BARE_PSEUDO = /(^|[\s,>+~(])(?=::?(?:before|after)\b)/gi;

/** Selectors of the elements for which a rule generates content. */
function possibleFor(rule: CSSStyleRule): string[] | "any" {
  const { selectorText } = rule;
  if (!selectorText.includes(":before") && !selectorText.includes(":after")) return [];
  const { content } = rule.style;
  if (content === "" || content === "none" || content === "normal" || content === '""') return [];
  // Hosts, slotted nodes and parts are outside the root of the rule.
  if (HOSTED.test(selectorText)) return "any";
  return [withoutPseudo(selectorText)];
}

const HOSTED = /:host|::slotted|::part/;

function withoutPseudo(selector: string): string {
  return selector.replace(BARE_PSEUDO, "$1*").replace(PSEUDO, "");
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|open-quote|close-quote|\//g;

/** The text of a `content` value; the alternative after a slash replaces the part before it. */
function spoken(content: string, say: (part: string) => string): string {
  const parts: string[] = content.match(TOKEN) ?? [];
  const slash = parts.indexOf("/");
  if (slash < 0) return parts.map(say).join("");
  const alternative = parts.slice(slash + 1).map(say).join("");
  return alternative && ` ${alternative} `;
}

function unquoted(string: string): string {
  return string.slice(1, -1).replace(/\\([0-9a-f]{1,6}\s?|.)/gi, (_, escaped: string) =>
    /^[0-9a-f]/i.test(escaped) ? String.fromCodePoint(Number.parseInt(escaped, 16)) : escaped);
}
