// Resolves a number to its element. Frameworks replace nodes when they render again; a number whose element is gone
// moves to its twin, the only element that now has the same place, if the place was unique before and the twin is where
// the element was removed from. Otherwise it is stale, which is reported at once.

import { fail } from "../failure";
import { isConnected } from "../page/dom";
import { Look } from "../semantics/look";
import { placesIn } from "../snapshot/place";
import { buildTree } from "../snapshot/walk";
import { elementOf, issued, rebind, traceOf } from "./numbers";
import { isWhereWas } from "./removed";

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
  const twin = places.list.find(({ place }) => place === trace.place)?.el ?? null;
  return twin && isWhereWas(twin, elementOf(num)) ? twin : null;
}
