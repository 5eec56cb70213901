// A chain narrows down step by step: elements, then elements inside those, those of them that fulfil a condition,
// one of them by its place in the row.

import { seen } from "../page/seen";
import { matcher } from "../page/text";
import type { Look } from "../semantics/look";
import { resolveNumber } from "./heal";
import { matching, type Means } from "./means";
import { Scope } from "./scope";
import { phraseOf } from "./text";

export type Step = { ref: number } | Means | { nth: number } | { filter: Filter };

/** Conditions, all of which must hold. */
export interface Filter {
  hasText?: string;
  hasNotText?: string;
  /** Something inside. */
  has?: Search;
  hasNot?: Search;
  visible?: boolean;
}

/** What elements are looked for by, with the one of them that is meant; from the end where it is negative. */
export type Search = { nth?: number } & (Means | { chain: Step[] });

export function search(wanted: Search, look: Look, scope = new Scope()): Element[] {
  const found = "chain" in wanted ? follow(wanted.chain, scope, look) : matching(wanted, scope, look);
  return wanted.nth === undefined ? found : pick(found, wanted.nth);
}

function follow(steps: Step[], scope: Scope, look: Look): Element[] {
  let found: Element[] | null = null;
  for (const step of steps) {
    if ("filter" in step) found = (found ?? scope.elements()).filter(condition(step.filter, look));
    else if (isNth(step)) found = pick(found ?? scope.elements(), step.nth);
    else if ("ref" in step) found = [resolveNumber(step.ref).el];
    else found = matching(step, found ? new Scope(found) : scope, look);
  }
  return found ?? [];
}

function isNth(step: Step): step is { nth: number } {
  return "nth" in step;
}

function pick(found: Element[], nth: number): Element[] {
  const one = found.at(nth);
  return one ? [one] : [];
}

function condition(filter: Filter, look: Look): (el: Element) => boolean {
  const has = filter.hasText === undefined ? null : matcher(filter.hasText, false);
  const hasNot = filter.hasNotText === undefined ? null : matcher(filter.hasNotText, false);
  const inside = (wanted: Search, el: Element) => search(wanted, look, new Scope([el])).length > 0;
  return (el) =>
    (!has || has(phraseOf(el)))
    && (!hasNot || !hasNot(phraseOf(el)))
    && (!filter.has || inside(filter.has, el))
    && (!filter.hasNot || !inside(filter.hasNot, el))
    && (filter.visible === undefined || filter.visible === seen(el, look));
}
