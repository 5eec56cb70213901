// A Target identifies an element: a number, or a search that must have exactly one visible match.

import { fail, type Mention } from "../failure";
import { seen } from "../page/visible";
import { clean, shorten } from "../page/text";
import { contentText } from "../semantics/content";
import { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { roleOf } from "../semantics/role";
import { search, type Search } from "./chain";
import { resolveNumber, type Resolved } from "./heal";
import { mention } from "./numbers";

export type Target = { ref: number } | Search;

const MANY_SHOWN = 5;
const ALL_SHOWN = 50;

/** The one matching element; several or no matches are failures. */
export function resolve(target: Target, look = new Look()): Resolved {
  if ("ref" in target) return resolveNumber(target.ref);
  const found = meant(search(target, look), look);
  if (found.length === 1) return { el: found[0]!, healed: false };
  if (found.length === 0) fail({ kind: "none" });
  return fail({ kind: "many", count: found.length, matches: found.slice(0, MANY_SHOWN).map((el) => mentionOf(el, look)) });
}

/** The visible matches; hidden ones count only if nothing visible matches. */
export function meant(found: Element[], look: Look): Element[] {
  if (found.length < 2) return found;
  const visible = found.filter((el) => seen(el, look));
  return visible.length > 0 ? visible : found;
}

/** All matching elements, possibly none. */
export function resolveAll(target: Target, look: Look): Element[] {
  return "ref" in target ? [resolveNumber(target.ref).el] : search(target, look);
}

export function find(args: { target: Target; all?: boolean }): object {
  const look = new Look();
  if (!args.all) {
    const count = "ref" in args.target ? 1 : search({ ...args.target, nth: undefined }, look).length;
    return { ...mentionOf(resolve(args.target, look).el, look), count };
  }
  const found = resolveAll(args.target, look);
  const visible = new Set(found.filter((el) => seen(el, look)));
  const matches = found.slice(0, ALL_SHOWN).map((el) => ({ ...mentionOf(el, look), visible: visible.has(el) }));
  return { matches, count: found.length, visible: visible.size };
}

const MENTION_LIMIT = 80;

/** Roles whose content is a value or a choice and does not describe them. */
const CONTENT_IS_VALUE = new Set(["combobox", "listbox", "textbox", "searchbox"]);

/** Describes an element for messages: by its name, or else its text. */
export function mentionOf(el: Element, look: Look): Mention {
  const role = roleOf(el, look);
  const said = () => (CONTENT_IS_VALUE.has(role) ? "" : shorten(clean(contentText(el, look)), MENTION_LIMIT));
  return mention(el, role, nameOf(el, look).text || said());
}
