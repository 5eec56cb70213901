// Nodes that change in regular intervals, whatever is done on the page: clocks, tickers.

/** Changes of a clock, and how much their intervals may differ: timers are late under load. */
const TICKS = 4;
const REGULAR = 1.5;

/** Milliseconds: closer changes are one, and slower clocks are found between actions. */
const APART = 20;
const SLOWEST = 400;

const times = new WeakMap<Node, number[]>();
/** Nodes that stopped when they were watched: what they show are effects. */
const cleared = new WeakSet<Node>();

/** Counts a change of a node; whether it has changed regularly since before the action. */
export function ticks(node: Node, now: number, began: number): boolean {
  const known = times.get(node) ?? [];
  if (known.length === 0) times.set(node, known);
  else if (now - known.at(-1)! < APART) return false;
  known.push(now);
  if (known.length > TICKS) known.shift();
  if (known.length < TICKS || known[0]! >= began || cleared.has(node)) return false;
  const intervals = intervalsOf(known);
  return Math.max(...intervals) <= Math.min(SLOWEST, Math.min(...intervals) * REGULAR);
}

/** The time in which all of these would change again. */
export function longestInterval(nodes: Node[]): number {
  return Math.max(...nodes.flatMap((node) => intervalsOf(times.get(node) ?? []))) * REGULAR;
}

export function lastTick(node: Node): number {
  return times.get(node)?.at(-1) ?? 0;
}

export function clear(node: Node): void {
  cleared.add(node);
}

function intervalsOf(known: number[]): number[] {
  return known.slice(1).map((time, i) => time - known[i]!);
}
