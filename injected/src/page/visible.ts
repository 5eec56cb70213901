// Visibility: in the layout, not hidden, and with a non-empty box.

import type { Look } from "../semantics/look";
import { drawnRects } from "./geometry";

export function seen(el: Element, look: Look): boolean {
  return look.rendered(el) && look.facts(el).visible && drawnRects(el, look).length > 0;
}
