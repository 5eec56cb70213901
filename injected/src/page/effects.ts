// Effects: what the page does after an action, and what it does by itself. One observer hears of all mutations from
// the first look on. It knows whether anything changed since the last look, which nodes change again and again though
// nobody acts (clocks, tickers), and what live regions said.

import { animationsIn, isConnected, query } from "./dom";
import { metShadowRoots } from "./flat";
import { nextFrame } from "./frame";
import { drainAnnouncements, hearLiveRegions, type Announcement } from "./live";

/** Events after which things look different without a mutation. */
const EVENTS = ["transitionend", "animationend", "toggle", "input", "change", "load"];

/** Mutations of a node this far apart, in milliseconds, are two changes of it. */
const APART = 20;

/** How long a node that changed by itself twice is expected to go on, in milliseconds. */
const RESTLESS = 5_000;

/** How many records of one batch are looked at. */
const MOST_RECORDS = 500;

/** How long after the deadline of a watch an effect that has just begun may take to come to rest, in milliseconds. */
const LAST_REST = 100;

/** What the page shows while more is to come. */
const BUSY =
  "[aria-busy='true'], progress, [role='progressbar'], [class*='skeleton' i], [class*='spinner' i], " +
  "form button:disabled:not([type='button']):not([type='reset']), input[type='submit']:disabled";

let observer: MutationObserver | undefined;
/** Whether anything changed since the last look or the begin of an action. */
let changed = true;
/** The same without nodes that change by themselves. */
let stirred = false;
/** Whether an action is under way: what changes is not the page's own doing. */
let acting = false;
let began = 0;
let changes = new WeakMap<Node, { count: number; at: number }>();
const restless = new WeakMap<Node, number>();
let lastRestless = Number.NEGATIVE_INFINITY;
let busyBefore = new WeakSet<Element>();
let wake: (() => void) | undefined;

function note(records: MutationRecord[]): void {
  const now = performance.now();
  changed = true;
  const looked = records.length > MOST_RECORDS ? records.slice(0, MOST_RECORDS) : records;
  let counts = looked.length < records.length;
  for (const record of looked) {
    hearLiveRegions(record);
    if (!isRestless(record.target, now)) counts = true;
  }
  observe();
  if (counts) stir();
}

function stir(): void {
  changed = true;
  stirred = true;
  wake?.();
}

/** Whether a node changes by itself; counts this change of it. */
function isRestless(node: Node, now: number): boolean {
  const known = changes.get(node);
  if (!known) changes.set(node, { count: 1, at: now });
  else if (now - known.at >= APART) {
    known.count++;
    known.at = now;
  }
  if (!acting && known && known.count > 1) {
    restless.set(node, now);
    lastRestless = now;
  }
  return now - (restless.get(node) ?? Number.NEGATIVE_INFINITY) < RESTLESS;
}

/** Observing the document once is enough; shadow roots are observed when they are met. */
function observe(): void {
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  if (!observer) {
    observer = new MutationObserver(note);
    observer.observe(document, all);
    for (const event of EVENTS) window.addEventListener(event, stir, { capture: true, passive: true });
  }
  for (const root of metShadowRoots()) observer.observe(root, all);
}

/** The client is told what is there now. */
export function looked(): void {
  observe();
  // What happened before the look is in it.
  note(observer!.takeRecords());
  changed = false;
  stirred = false;
  acting = false;
  changes = new WeakMap();
}

export interface Before {
  /** Something changed since the last look. */
  changed: boolean;
  /** There are nodes that change by themselves. */
  restless: boolean;
  announced: Announcement[];
}

/** An action is about to begin. */
export function begin(): Before {
  observe();
  const before = { changed, restless: performance.now() - lastRestless < RESTLESS, announced: drainAnnouncements() };
  stirred = false;
  acting = true;
  began = performance.now();
  busyBefore = new WeakSet(busyNow());
  return before;
}

/** Whether the page shows that more is to come of the action. */
export function busy(): boolean {
  return began > 0 && busyNow().some((el) => !busyBefore.has(el) && isConnected(el) && drawn(el));
}

function busyNow(): Element[] {
  return query(document, BUSY);
}

function drawn(el: Element): boolean {
  return (el as Element & { checkVisibility?: () => boolean }).checkVisibility?.() ?? true;
}

/** Waits until something changed and came to rest, or the time is over; whether it did, and whether more is to come. */
export async function watch(args: { timeout: number }): Promise<object> {
  acting = true;
  observe();
  const deadline = performance.now() + args.timeout;
  if (!stirred && args.timeout > 0) await stirredBefore(deadline);
  if (stirred && args.timeout > 0) await rest(deadline + LAST_REST);
  // Whatever comes from here on is the page's own doing.
  acting = false;
  changes = new WeakMap();
  return { changed: stirred, more: busy() || moving() };
}

function stirredBefore(deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
    wake = () => {
      wake = undefined;
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Two frames without a change. */
async function rest(deadline: number): Promise<void> {
  do {
    let more = false;
    wake = () => (more = true);
    for (let frame = 0; frame < 2 && !more; frame++) await (document.hidden ? nextTask() : nextFrame());
    wake = undefined;
    if (!more) return;
  } while (performance.now() < deadline);
}

/** A hidden tab draws no frames, and its timers come late. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** Whether an animation or transition that began with the action runs, and will end. */
function moving(): boolean {
  const now = Number(document.timeline?.currentTime ?? 0);
  const since = now - (performance.now() - began);
  return animationsIn(document).some((animation) => {
    const end = Number(animation.effect?.getComputedTiming().endTime);
    return animation.playState === "running" && Number.isFinite(end) && Number(animation.startTime ?? now) >= since - 20;
  });
}

