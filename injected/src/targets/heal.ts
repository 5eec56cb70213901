// From a number to its element. Frameworks replace nodes when they render again; a number whose
// element is gone follows to its twin, the one element that now has the same place, provided that
// the place was unmistakable before. Otherwise it is stale, which is said at once.

import { fail } from "../failure";
import { isConnected } from "../page/dom";
import { Look } from "../semantics/look";
import { placesIn } from "../snapshot/place";
import { buildTree } from "../snapshot/walk";
import { elementOf, issued, rebind, traceOf } from "./numbers";

export interface Resolved {
  el: Element;
  healed: boolean;
}

export function resolveNumber(num: number): Resolved {
  if (!issued(num)) fail({ kind: "unknown", ref: num });
  const el = elementOf(num);
  if (el && isConnected(el)) return { el, healed: false };
  const twin = findTwin(num);
  if (twin) {
    rebind(num, twin);
    return { el: twin, healed: true };
  }
  const trace = traceOf(num);
  return fail({ kind: "stale", ref: num, role: trace?.role ?? "", name: trace?.name ?? "" });
}

function findTwin(num: number): Element | null {
  const trace = traceOf(num);
  if (!trace?.unique) return null;
  const places = placesIn(buildTree(new Look()));
  if (places.count(trace.place) !== 1) return null;
  return places.list.find(({ place }) => place === trace.place)?.el ?? null;
}
