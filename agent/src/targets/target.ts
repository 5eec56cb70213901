// A Target says which element is meant: a number, a selector, or words that a person would use. The
// words are matched as users of Playwright know it: a part of the text in any case, or exactly.

import { fail, type Mention } from "../failure";
import { attr, has, isElement, isText, pageRoot, tag, xpath } from "../page/dom";
import { allElements, flatChildren } from "../page/flat";
import { clean, matcher, shorten } from "../page/text";
import { contentText } from "../semantics/content";
import { Look } from "../semantics/look";
import { nameOf, referencedText } from "../semantics/name";
import { roleOf } from "../semantics/role";
import { resolveNumber, type Resolved } from "./heal";
import { mention } from "./numbers";
import { select } from "./selector";

export type Target = { nth?: number; exact?: boolean } & (
  | { ref: number }
  | { css: string }
  | { xpath: string }
  | { role: string; name?: string }
  | { text: string }
  | { label: string }
  | { placeholder: string }
  | { alt: string }
  | { title: string }
  | { testid: string }
);

const MANY_SHOWN = 5;
const ALL_SHOWN = 50;

/** The one element that is meant; several, or none, are failures. */
export function resolve(target: Target, look = new Look()): Resolved {
  if ("ref" in target) return resolveNumber(target.ref);
  const found = matches(target, look);
  const picked = pick(found, target.nth);
  if (picked.length === 1) return { el: picked[0]!, healed: false };
  if (picked.length === 0) fail({ kind: "none" });
  return fail({ kind: "many", count: found.length, matches: found.slice(0, MANY_SHOWN).map((el) => mentionOf(el, look)) });
}

export function find(args: { target: Target; all?: boolean }): object {
  const look = new Look();
  if (!args.all) {
    const count = "ref" in args.target ? 1 : matches(args.target, look).length;
    return { ...mentionOf(resolve(args.target, look).el, look), count };
  }
  const found = "ref" in args.target ? [resolve(args.target, look).el] : pick(matches(args.target, look), args.target.nth);
  return { matches: found.slice(0, ALL_SHOWN).map((el) => mentionOf(el, look)), count: found.length };
}

const MENTION_LIMIT = 80;

/** Roles whose content is a value or a choice, and says nothing of what they are. */
const SAY_NOTHING = new Set(["combobox", "listbox", "textbox", "searchbox"]);

/** An element as messages name it: by its name, or failing that by what it says. */
export function mentionOf(el: Element, look: Look): Mention {
  const role = roleOf(el, look);
  const said = () => (SAY_NOTHING.has(role) ? "" : shorten(clean(contentText(el, look)), MENTION_LIMIT));
  return mention(el, role, nameOf(el, look).text || said());
}

function pick(found: Element[], nth: number | undefined): Element[] {
  if (nth === undefined) return found;
  const one = found.at(nth);
  return one ? [one] : [];
}

function matches(target: Exclude<Target, { ref: number }>, look: Look): Element[] {
  const exact = target.exact ?? false;
  if ("css" in target) return selected(() => select(target.css));
  if ("xpath" in target) return selected(() => xpath(target.xpath));
  if ("role" in target) return byRole(target.role, target.name, exact, look);
  if ("text" in target) return byText(target.text, exact);
  if ("label" in target) return byLabel(target.label, exact, look);
  if ("placeholder" in target) return byAttribute("placeholder", target.placeholder, exact);
  if ("alt" in target) return byAttribute("alt", target.alt, exact);
  if ("title" in target) return byAttribute("title", target.title, exact);
  if ("testid" in target) return allElements().filter((el) => attr(el, "data-testid") === target.testid);
  return fail({ kind: "invalid", message: "a target is one of ref, css, xpath, role, text, label, placeholder, alt, title, testid" });
}

function selected(search: () => Element[]): Element[] {
  try {
    return search();
  } catch (error) {
    return fail({ kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
}

function byAttribute(name: string, wanted: string, exact: boolean): Element[] {
  const fits = matcher(wanted, exact);
  return allElements().filter((el) => has(el, name) && fits(attr(el, name)!));
}

function byRole(role: string, name: string | undefined, exact: boolean, look: Look): Element[] {
  const wanted = role.toLowerCase() === "image" ? "img" : role.toLowerCase();
  const same = (a: string) => clean(a).toLowerCase();
  const fits = name === undefined ? () => true : exact ? (text: string) => same(text) === same(name) : matcher(name, false);
  return allElements().filter((el) => roleOf(el, look) === wanted && look.exposed(el) && fits(nameOf(el, look).text));
}

function byLabel(wanted: string, exact: boolean, look: Look): Element[] {
  const fits = matcher(wanted, exact);
  return allElements().filter((el) => {
    const author = attr(el, "aria-label");
    if (author && fits(author)) return true;
    const referenced = referencedText(el, "aria-labelledby", look);
    if (referenced && fits(referenced)) return true;
    return look.labels.of(el).some((label) => fits(contentText(label, look, { control: el })));
  });
}

const TEXTLESS = new Set(["head", "script", "style", "noscript", "template", "title"]);

/** The smallest elements that contain the text. */
function byText(wanted: string, exact: boolean): Element[] {
  const fits = matcher(wanted, exact);
  const contains = matcher(wanted, false);
  const found: Element[] = [];
  const search = (el: Element): boolean => {
    if (TEXTLESS.has(tag(el)) || !contains(phraseOf(el))) return false;
    let inner = false;
    for (const child of flatChildren(el)) if (isElement(child)) inner = search(child) || inner;
    if (inner) return true;
    if (fits(phraseOf(el))) {
      found.push(el);
      return true;
    }
    return false;
  };
  const root = pageRoot();
  if (root) search(root);
  return found;
}

/** All text below an element as it is written; a button's is its value. */
function phraseOf(el: Element): string {
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
