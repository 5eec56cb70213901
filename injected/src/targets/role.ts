// Elements by role, name and states.

import { clean, matcher } from "../page/text";
import type { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import { disabled } from "../semantics/operable";
import { roleOf } from "../semantics/role";
import { CHECKABLE, checkedState, expandedState, levelOf, pressedState, selectedState } from "../semantics/states";
import type { Scope } from "./scope";

export interface ByRole extends States {
  role: string;
  name?: string;
  /** `true`: the whole name, ignoring case; `"case"`: exact; default: substring. */
  exact?: boolean | "case";
  includeHidden?: boolean;
}

/** Required states. */
export interface States {
  checked?: boolean;
  disabled?: boolean;
  expanded?: boolean;
  level?: number;
  pressed?: boolean;
  selected?: boolean;
}

export function byRole(wanted: ByRole, scope: Scope, look: Look): Element[] {
  const role = wanted.role.toLowerCase();
  const one = role === "image" ? "img" : role === "presentation" ? "none" : role;
  const named = wanted.name === undefined ? null : nameMatcher(wanted.name, wanted.exact ?? false);
  const states = conditions(wanted, one);
  return scope.elements().filter((el) =>
    roleOf(el, look) === one
    && (wanted.includeHidden || look.exposed(el))
    && states.every((holds) => holds(el))
    && (!named || named(nameOf(el, look).text)));
}

function nameMatcher(name: string, exact: boolean | "case"): (text: string) => boolean {
  if (exact !== true) return matcher(name, exact === "case");
  const whole = clean(name).toLowerCase();
  return (text) => clean(text).toLowerCase() === whole;
}

type Check = (el: Element, role: string) => unknown;

/** How to read each state; undefined if it does not apply. */
const STATES: Record<keyof States, Check> = {
  checked: (el, role) => CHECKABLE.has(role) && checkedState(el),
  disabled,
  expanded: expandedState,
  level: levelOf,
  pressed: pressedState,
  selected: selectedState,
};

/** The required states as predicates. */
function conditions(wanted: States, role: string): ((el: Element) => boolean)[] {
  const states = Object.keys(STATES) as (keyof States)[];
  return states.filter((state) => wanted[state] !== undefined).map((state) => (el) => STATES[state](el, role) === wanted[state]);
}
