// Whether an element can be seen: it takes part in the layout, is visible, and is drawn somewhere.

import type { Look } from "../semantics/look";
import { drawnRects } from "./geometry";

export function seen(el: Element, look: Look): boolean {
  return look.rendered(el) && look.facts(el).visible && drawnRects(el, look).length > 0;
}
