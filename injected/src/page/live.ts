// Live regions: toasts, alerts and status texts. Many are gone before anybody looks, so what they said is kept until
// it is told, or until it can be seen in a look.

import { attr, isConnected, isElement, nearest, parentNode, queryIn, textContent } from "./dom";
import { clean, shorten } from "./text";

const LIVE = "[aria-live='polite'], [aria-live='assertive'], [role='alert'], [role='status'], [role='log'], output";

/** How much is kept: texts in all, of one region, and characters of one text. */
const MOST = 20;
const MOST_OF_ONE = 3;
const LONGEST = 200;

/** Something that a live region said. */
export interface Announcement {
  role: string;
  text: string;
}

/** A region that says so much is a clock or a log; what it says can be read when one looks. */
const TALKATIVE = 30;

const heard = new WeakMap<Element, number>();
let kept: { region: Element; text: string; role: string }[] = [];

/** Keeps what the live regions that a mutation concerns say. */
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
  if (times > TALKATIVE) return;
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

/** What was said and cannot be seen any more, each once. */
export function drainAnnouncements(): Announcement[] {
  const gone = kept.filter(({ region, text }) => !isConnected(region) || !said(region).includes(text));
  kept = [];
  return gone.map(({ role, text }) => ({ role, text }));
}
