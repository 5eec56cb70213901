// Live regions: toasts, alerts, status texts. Many disappear before the next snapshot, so their texts are kept until
// they are reported or visible in a snapshot.

import { attr, isConnected, isElement, nearest, parentNode, queryIn, textContent } from "./dom";
import { clean, shorten } from "./text";

const LIVE = "[aria-live='polite'], [aria-live='assertive'], [role='alert'], [role='status'], [role='log'], output";

/** Limits: texts in total, texts per region, characters per text. */
const MOST = 20;
const MOST_OF_ONE = 3;
const LONGEST = 200;

/** A text announced by a live region. */
export interface Announcement {
  role: string;
  text: string;
}

/** A region with this many texts is a clock or a log: read it in a snapshot instead. */
const MAX_PER_LIVE_REGION = 30;

const heard = new WeakMap<Element, number>();
let kept: { region: Element; text: string; role: string }[] = [];

/** Records the texts of live regions affected by a mutation. */
export function hearLiveRegions({ target, addedNodes, type }: MutationRecord): void {
  const around = isElement(target) ? target : parentNode(target);
  const region = isElement(around) ? nearest(around, LIVE) : null;
  if (region) return hear(region);
  if (type !== "childList") return;
  for (const added of Array.from(addedNodes).slice(0, MOST)) {
    if (!isElement(added)) continue;
    if (nearest(added, LIVE) === added) hear(added);
    else queryIn(added, LIVE).slice(0, MOST_OF_ONE).forEach(hear);
  }
}

function hear(region: Element): void {
  const text = said(region);
  if (!text || kept.some((one) => one.region === region && one.text === text)) return;
  const times = (heard.get(region) ?? 0) + 1;
  heard.set(region, times);
  if (times > MAX_PER_LIVE_REGION) return;
  const others = kept.filter((one) => one.region === region);
  if (others.length >= MOST_OF_ONE) kept.splice(kept.indexOf(others[0]!), 1);
  if (kept.length < MOST) kept.push({ region, text, role: roleOf(region) });
}

function said(region: Element): string {
  const shown = (region as Element & { checkVisibility?: () => boolean }).checkVisibility?.() ?? true;
  return shown ? shorten(clean(textContent(region)), LONGEST) : "";
}

function roleOf(region: Element): string {
  const role = attr(region, "role");
  if (role) return role;
  return attr(region, "aria-live") === "assertive" ? "alert" : "status";
}

/** The announced texts that are no longer visible, each once. Others are seen in the snapshot that is taken now. */
export function drainAnnouncements(): Announcement[] {
  const gone = goneAnnouncements();
  kept = [];
  return gone;
}

/** The announced texts that are no longer visible, each once. Others are kept: no snapshot is taken now. */
export function goneAnnouncements(): Announcement[] {
  const gone = kept.filter(({ region, text }) => !isConnected(region) || !said(region).includes(text));
  kept = kept.filter((one) => !gone.includes(one));
  return gone.map(({ role, text }) => ({ role, text }));
}
