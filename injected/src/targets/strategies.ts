// Means are the ways to look for elements: a selector, or words that a person would use. The words are matched as
// users of Playwright know it: a part of the text in any case, or exactly.

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

export type Means =
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

export function matching(means: Means, scope: Scope, look: Look): Element[] {
  if ("css" in means) return selected(() => select(means.css, scope));
  if ("xpath" in means) return selected(() => byXPath(means.xpath, scope));
  if ("role" in means) return byRole(means, scope, look);
  const exact = means.exact ?? false;
  if ("text" in means) return byText(means.text, exact, scope);
  if ("label" in means) return byLabel(means.label, exact, scope, look);
  if ("placeholder" in means) return byAttribute("placeholder", means.placeholder, exact, scope);
  if ("alt" in means) return byAttribute("alt", means.alt, exact, scope);
  if ("title" in means) return byAttribute("title", means.title, exact, scope);
  if ("testid" in means) return scope.elements().filter((el) => attr(el, "data-testid") === means.testid);
  return fail({ kind: "invalid", message: "a target is one of ref, css, xpath, role, text, label, placeholder, alt, title, testid, chain" });
}

function selected(search: () => Element[]): Element[] {
  try {
    return search();
  } catch (error) {
    return fail({ kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
}

/** Inside elements a path begins at each of them, also one that is written from the root. */
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
