// Locator strategies: a selector, or text that a user sees. Text matches as in Playwright: substring and
// case-insensitive, or exact.

import { fail } from "../failure";
import { attr, has, xpath } from "../page/dom";
import { matcher } from "../page/text";
import { contentText } from "../semantics/content";
import type { Look } from "../semantics/look";
import { referencedText } from "../semantics/name";
import { byRole, type ByRole } from "./role";
import type { Scope } from "./scope";
import { select } from "./selector";
import { byText } from "./text";

export type Strategy =
  | { css: string }
  | { xpath: string }
  | ByRole
  | ({ exact?: boolean } & (
      | { text: string }
      | { label: string }
      | { placeholder: string }
      | { alt: string }
      | { title: string }
      | { testid: string }
    ));

export function matching(strategy: Strategy, scope: Scope, look: Look): Element[] {
  if ("css" in strategy) return selected(() => select(strategy.css, scope));
  if ("xpath" in strategy) return selected(() => byXPath(strategy.xpath, scope));
  if ("role" in strategy) return byRole(strategy, scope, look);
  const exact = strategy.exact ?? false;
  if ("text" in strategy) return byText(strategy.text, exact, scope);
  if ("label" in strategy) return byLabel(strategy.label, exact, scope, look);
  if ("placeholder" in strategy) return byAttribute("placeholder", strategy.placeholder, exact, scope);
  if ("alt" in strategy) return byAttribute("alt", strategy.alt, exact, scope);
  if ("title" in strategy) return byAttribute("title", strategy.title, exact, scope);
  if ("testid" in strategy) return scope.elements().filter((el) => attr(el, "data-testid") === strategy.testid);
  return fail({ kind: "invalid", message: "a target is one of ref, css, xpath, role, text, label, placeholder, alt, title, testid, chain" });
}

function selected(search: () => Element[]): Element[] {
  try {
    return search();
  } catch (error) {
    return fail({ kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
}

/** In a scope, a path starts at each holder, even if it is absolute. */
function byXPath(expression: string, scope: Scope): Element[] {
  if (!scope.holders) return xpath(expression);
  const relative = expression.startsWith("/") ? `.${expression}` : expression;
  return scope.inOrder(scope.sift(scope.holders.flatMap((holder) => xpath(relative, holder))));
}

function byAttribute(name: string, wanted: string, exact: boolean, scope: Scope): Element[] {
  const fits = matcher(wanted, exact);
  return scope.elements().filter((el) => has(el, name) && fits(attr(el, name)!));
}

function byLabel(wanted: string, exact: boolean, scope: Scope, look: Look): Element[] {
  const fits = matcher(wanted, exact);
  return scope.elements().filter((el) => {
    const author = attr(el, "aria-label");
    if (author && fits(author)) return true;
    const referenced = referencedText(el, "aria-labelledby", look);
    if (referenced && fits(referenced)) return true;
    return look.labels.of(el).some((label) => fits(contentText(label, look, { control: el })));
  });
}
