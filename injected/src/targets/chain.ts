// A chain narrows a search step by step: elements, descendants, filters, nth.

import { seen } from "../page/visible";
import { matcher } from "../page/text";
import type { Look } from "../semantics/look";
import { resolveNumber } from "./heal";
import { matching, type Strategy } from "./strategies";
import { Scope } from "./scope";
import { phraseOf } from "./text";

export type Step = { ref: number } | Strategy | { nth: number } | { filter: Filter };

/** Conditions, all of which must hold. */
export interface Filter {
  hasText?: string;
  hasNotText?: string;
  /** A matching descendant. */
  has?: Search;
  hasNot?: Search;
  visible?: boolean;
}

/** A search, with the index of the wanted match; negative counts from the end. */
export type Search = { nth?: number } & (Strategy | { chain: Step[] });

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
