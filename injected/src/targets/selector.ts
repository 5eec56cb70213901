// CSS selectors that pierce shadow roots: "x-card button" finds the button in a shadow root. Only the descendant
// combinator pierces; a segment between two of them must match within one root.

import { is, query, queryIn } from "../page/dom";
import { allElements, roots } from "../page/flat";
import { outer, type Scope } from "./scope";

/** Matches in a scope. A selector that begins with a combinator or contains `:scope` is relative to each holder. */
export function select(selector: string, scope: Scope): Element[] {
  if (!scope.holders) return selectInPage(selector);
  const relative = /^\s*[>+~]/.test(selector) ? `:scope ${selector}` : selector;
  if (!relative.includes(":scope")) return scope.sift(selectInPage(selector));
  return scope.inOrder(scope.holders.flatMap((holder) => queryIn(holder, relative)));
}

function selectInPage(selector: string): Element[] {
  const direct = query(document, selector);
  if (roots().length === 1) return direct;
  const choices = split(selector, ",").map((choice) => segmentsOf(choice));
  return allElements().filter((el) => choices.some((segments) => fits(el, segments)));
}

function fits(el: Element, segments: string[]): boolean {
  let at: Element | null = el;
  if (!is(el, segments.at(-1)!)) return false;
  // The nearest matching ancestor leaves the most room for the segments before.
  for (const segment of segments.slice(0, -1).reverse()) {
    do at = outer(at!);
    while (at && !is(at, segment));
    if (!at) return false;
  }
  return true;
}

/** Splits a complex selector at its descendant combinators. */
function segmentsOf(selector: string): string[] {
  const words = split(selector.trim(), " ").filter((word) => word !== "");
  const segments: string[] = [];
  let joined = false;
  for (const word of words) {
    const combinator = /^[>+~]$/.test(word);
    if (segments.length > 0 && (combinator || joined || /^[>+~]/.test(word))) segments[segments.length - 1] += ` ${word}`;
    else segments.push(word);
    joined = combinator || /[>+~]$/.test(word);
  }
  return segments;
}

/** Splits at a character outside quotes, brackets and parentheses. */
function split(text: string, at: "," | " "): string[] {
  const parts = [""];
  let depth = 0;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "\\") {
      parts[parts.length - 1] += char + (text[++i] ?? "");
      continue;
    }
    if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    const splits = depth === 0 && !quote && (at === " " ? /\s/.test(char) : char === at);
    if (splits) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}
