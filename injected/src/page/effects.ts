// Effects: what the page changes after an action, and what it changes on its own. One observer records all mutations
// from the first snapshot on: whether anything changed since the last snapshot, which nodes change repeatedly without
// an action (clocks, tickers), and what live regions announced.

import { noteRemoved } from "../targets/removed";
import { animationsIn, isConnected, isElement, parentNode, query } from "./dom";
import { flatParent, metShadowRoots } from "./flat";
import { nextFrame, nextIdle, nextTask } from "./frame";
import { drainAnnouncements, hearLiveRegions, type Announcement } from "./live";
import { clear, lastTick, longestInterval, ticks } from "./ticks";
import { noteState, stateChanged, stateChangedInFrame } from "./unmutated";

/** Events after which things look different without a mutation. */
const EVENTS = ["transitionend", "animationend", "toggle", "input", "change", "load"];

/** Mutations of a node at least this many milliseconds apart count as two changes. */
const APART = 20;

/** Milliseconds for which a node that changed twice on its own is expected to continue. */
const SELF_CHANGE_WINDOW = 5_000;

/** Nodes remembered that change on their own. */
const MAX_RESTLESS = 50;

/** Maximum records examined per batch. */
const MAX_RECORDS = 500;

/** Milliseconds that an effect which has just begun may run past the deadline of a watch. */
const REST_GRACE = 100;

/** Selector of loading indicators. */
const BUSY =
  "[aria-busy='true'], progress, [role='progressbar'], [class*='skeleton' i], [class*='spinner' i], " +
  "form button:disabled:not([type='button']):not([type='reset']), input[type='submit']:disabled";

let observer: MutationObserver | undefined;
/** Whether anything changed since the last snapshot or the start of an action. */
let changed = true;
/** The same, without nodes that change on their own. */
let changedByAction = false;
/** Nodes that changed as a clock does, and whether anything else changed. */
const suspects = new Set<Node>();
let certain = false;
/** Whether an action is running: changes are then attributed to it. */
let acting = false;
let began = 0;
let changes = new WeakMap<Node, { count: number; at: number }>();
const restless = new WeakMap<Node, number>();
const restlessNodes: WeakRef<Node>[] = [];
let lastRestless = Number.NEGATIVE_INFINITY;
let busyBefore = new WeakSet<Element>();
let wake: (() => void) | undefined;
/** Counts changes, to see whether a frame made some. */
let noted = 0;

function note(records: MutationRecord[]): void {
  const now = performance.now();
  changed = true;
  noted++;
  const looked = records.length > MAX_RECORDS ? records.slice(0, MAX_RECORDS) : records;
  let counts = looked.length < records.length;
  certain ||= counts;
  for (const record of looked) {
    hearLiveRegions(record);
    noteRemoved(record);
    const regular = ticks(record.target, now, began);
    if (changesByItself(record.target, now)) {
      // A clock goes on being one, however long the actions follow each other at once.
      if (regular) markRestless(record.target, now);
      continue;
    }
    counts = true;
    if (regular || suspects.has(record.target)) suspects.add(record.target);
    else certain = true;
  }
  observe();
  if (counts) stir();
}

function stir(): void {
  changed = true;
  changedByAction = true;
  wake?.();
}

/** An event, or a change without one: no clock. */
function stirCertainly(): void {
  certain = true;
  stir();
}

/** Whether a node changes on its own; counts this change. */
function changesByItself(node: Node, now: number): boolean {
  const known = changes.get(node);
  if (!known) changes.set(node, { count: 1, at: now });
  else if (now - known.at >= APART) {
    known.count++;
    known.at = now;
  }
  if (!acting && known && known.count > 1) markRestless(node, now);
  return now - (restless.get(node) ?? Number.NEGATIVE_INFINITY) < SELF_CHANGE_WINDOW;
}

function markRestless(node: Node, now: number): void {
  restless.set(node, now);
  lastRestless = now;
  if (restlessNodes.some((one) => one.deref() === node)) return;
  restlessNodes.push(new WeakRef(node));
  if (restlessNodes.length > MAX_RESTLESS) restlessNodes.shift();
}

/** The elements that change on their own, or the nearest ones around them for which `wanted` holds. */
export function restlessElements(wanted: (el: Element) => boolean): Element[] {
  const since = performance.now() - SELF_CHANGE_WINDOW;
  const current = restlessNodes.flatMap((one) => one.deref() ?? []).filter((node) => (restless.get(node) ?? 0) > since);
  return current.flatMap((node) => {
    let at: Node | null = node;
    while (at && !(isElement(at) && wanted(at))) at = isElement(at) ? flatParent(at) : parentNode(at);
    return at ? [at as Element] : [];
  });
}

/** Observes the document once; shadow roots are observed when found. */
function observe(): void {
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  if (!observer) {
    observer = new MutationObserver(note);
    observer.observe(document, all);
    for (const event of EVENTS) window.addEventListener(event, stirCertainly, { capture: true, passive: true });
  }
  for (const root of metShadowRoots()) observer.observe(root, all);
}

/** The client now knows the current state. */
export function looked(): void {
  observe();
  // Pending records are part of the snapshot.
  note(observer!.takeRecords());
  noteState();
  changed = false;
  changedByAction = false;
  certain = false;
  suspects.clear();
  acting = false;
  changes = new WeakMap();
}

export interface Before {
  /** Something changed since the last snapshot. */
  changed: boolean;
  /** Some nodes change on their own. */
  restless: boolean;
  announced: Announcement[];
}

/** Marks the start of an action. */
export function begin(): Before {
  observe();
  // Not only what the observer sees.
  const differs = stateChanged();
  changed ||= differs;
  const before = { changed, restless: performance.now() - lastRestless < SELF_CHANGE_WINDOW, announced: drainAnnouncements() };
  changedByAction = false;
  acting = true;
  certain = false;
  suspects.clear();
  began = performance.now();
  busyBefore = new WeakSet(busyNow());
  return before;
}

/** Whether the page shows a loading indicator. */
export function busy(): boolean {
  return began > 0 && busyNow().some((el) => !busyBefore.has(el) && isConnected(el) && drawn(el));
}

function busyNow(): Element[] {
  return query(document, BUSY);
}

function drawn(el: Element): boolean {
  return (el as Element & { checkVisibility?: () => boolean }).checkVisibility?.() ?? true;
}

/**
 * Waits until something changed and the page came to rest, or the timeout passed; returns whether it changed and
 * whether it is still loading.
 */
export async function watch(args: { timeout: number }): Promise<object> {
  acting = true;
  observe();
  const deadline = performance.now() + args.timeout;
  if (!changedByAction && args.timeout > 0) await stirredBefore(deadline);
  while (changedByAction && !certain && suspects.size > 0 && performance.now() < deadline) await passClocks(deadline);
  if (changedByAction && args.timeout > 0) await rest(deadline + REST_GRACE);
  // Later changes are the page's own.
  acting = false;
  changes = new WeakMap();
  return { changed: changedByAction, more: busy() || moving() };
}

/**
 * Only nodes changed that have changed regularly. Between calls that follow each other at once, a clock looks like an
 * effect of each; but it goes on.
 */
async function passClocks(deadline: number): Promise<void> {
  const all = [...suspects];
  const since = performance.now();
  const until = Math.min(deadline, since + longestInterval(all));
  const ticked = () => all.filter((node) => lastTick(node) > since);
  while (!certain && ticked().length < all.length && performance.now() < until) await stirredBefore(until);
  // Something else is the effect.
  if (certain) return;
  const clocks = ticked();
  clocks.forEach((node) => markRestless(node, performance.now()));
  suspects.clear();
  if (clocks.length < all.length) {
    all.filter((node) => !clocks.includes(node)).forEach(clear);
    certain = true;
  } else {
    changedByAction = false;
    await stirredBefore(deadline);
  }
}

function stirredBefore(deadline: number): Promise<void> {
  return new Promise((resolve) => {
    // After input, Chromium runs a page's idle callbacks only between frames; a still page has none.
    let frame = requestAnimationFrame(function next(time) {
      frame = requestAnimationFrame(next);
      if (stateChangedInFrame(time)) stirCertainly();
    });
    const done = () => {
      wake = undefined;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, deadline - performance.now()));
    wake = done;
  });
}

/**
 * Waits until what ran before is rendered: for one frame until the page is idle, and for more while they change the page
 * or `pending` holds, at most `most`.
 */
export async function rendered(most: number, pending: () => boolean): Promise<void> {
  // In a document that was just loaded; what it does until the first snapshot is not a change of its own.
  if (!observer) acting = true;
  observe();
  for (let frame = 0; frame < most; frame++) {
    const before = noted;
    await nextFrame();
    await nextIdle();
    if (noted === before && !pending()) return;
  }
}

/** Waits for two frames without a change. */
async function rest(deadline: number): Promise<void> {
  do {
    let more = false;
    wake = () => (more = true);
    // A hidden tab has no frames, and its timers are throttled.
    for (let frame = 0; frame < 2 && !more; frame++) await (document.hidden ? nextTask() : nextFrame());
    wake = undefined;
    if (!more) return;
  } while (performance.now() < deadline);
}

/** Whether a finite animation or transition that started with the action is running. */
function moving(): boolean {
  const now = Number(document.timeline?.currentTime ?? 0);
  const since = now - (performance.now() - began);
  return animationsIn(document).some((animation) => {
    const end = Number(animation.effect?.getComputedTiming().endTime);
    return animation.playState === "running" && Number.isFinite(end) && Number(animation.startTime ?? now) >= since - 20;
  });
}

