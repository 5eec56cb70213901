// Elements that may host a closed shadow root. Only the driver can check, over the protocol, which is slow; so the
// walks collect the few plausible ones, each once.

import { firstChild, is, rectOf } from "../page/dom";
import { shadowOf } from "../page/flat";

const LIMIT = 200;
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

const probed = new WeakSet<Element>();
let waiting: WeakRef<Element>[] = [];

/** Called by a walk for each element. */
export function consider(el: Element, name: string): void {
  const custom = name.includes("-");
  if (!custom && (!HOSTS.has(name) || firstChild(el) !== null)) return;
  if (waiting.length >= LIMIT || probed.has(el) || shadowOf(el) !== null) return;
  if (custom ? !is(el, ":defined") : !hasArea(el)) return;
  probed.add(el);
  waiting.push(new WeakRef(el));
}

/** The number of unchecked candidates. */
export function suspected(): number {
  return waiting.length;
}

/** The candidates since the last call. */
export function candidates(): Element[] {
  const found = waiting.flatMap((ref) => ref.deref() ?? []);
  waiting = [];
  return found;
}

function hasArea(el: Element): boolean {
  const { width, height } = rectOf(el);
  return width > 0 && height > 0;
}
