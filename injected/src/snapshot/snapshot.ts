// A snapshot is the Tree as a flat list: each node with its depth, and every element with its number.

import { fail } from "../failure";
import { promises } from "../fields/promises";
import { holds, pageTitle, tag } from "../page/dom";
import { flatParent } from "../page/flat";
import { busy, looked, restlessElements } from "../page/effects";
import { boxOf } from "../page/geometry";
import { drainAnnouncements, type Announcement } from "../page/live";
import { clean, shorten } from "../page/text";
import { seen } from "../page/visible";
import { Look } from "../semantics/look";
import { resolveNumber } from "../targets/heal";
import { leaveTrace, numbered, numberOf } from "../targets/numbers";
import { mentionOf } from "../targets/target";
import { suspected } from "./candidates";
import { markupOf, type Markup } from "./markup";
import { placesIn } from "./place";
import type { Props } from "./props";
import { node, type TreeNode } from "./tree";
import { buildTree, TEXT_LIMIT } from "./walk";

export type Line = [depth: number, num: number, role: string, name: string, props?: Props & { markup?: Markup }];

export interface Snapshot {
  title: string;
  url: string;
  nodes: Line[];
  /** The number of omitted nodes. */
  more?: number;
  /** The number of possible hosts of closed shadow roots, available from candidates(). */
  hosts?: number;
  /** The numbers of elements that a popup hides while it is open: shown before, and again when it closes. */
  behind?: number[];
  /** The page shows a loading indicator. */
  busy?: true;
  /** The focused element is a field where input has effects elsewhere. */
  promises?: true;
  /** The numbers of elements that change on their own. */
  restless?: number[];
  /** Announcements of live regions that are no longer visible. */
  announced?: Announcement[];
}

interface Wanted {
  root?: number;
  maxNodes?: number;
  html?: boolean;
  bounds?: boolean;
  told?: boolean;
  fullTexts?: number;
}

const DEFAULT_LIMIT = 50_000;

/**
 * With `html`, every element has its markup, and its text even if its name repeats it; with `bounds`, its box. With
 * `told`, the client sees this snapshot: later changes are relative to it. With `fullTexts`, texts directly in the root
 * have up to so many characters.
 */
export function snapshot(args: Wanted): Snapshot {
  const wanted = args.root === undefined ? null : resolveNumber(args.root).el;
  const look = new Look();
  const html = args.html ?? false;
  const tree = buildTree(look, html, args.fullTexts === undefined ? null : { root: wanted, limit: args.fullTexts });
  markFocus(tree, look);
  const told = wanted ? subtree(tree, wanted, look, args.fullTexts) : tree.children;
  const lines = new Lines(args.maxNodes ?? DEFAULT_LIMIT, html ? look : null, args.bounds ?? false);
  const more = lines.addAll(told, 0);
  // Traces always come from the tree with names: twins are searched in that one.
  leaveTraces(html ? buildTree(look) : tree);
  const result: Snapshot = { title: clean(pageTitle()), url: location.href, nodes: lines.list };
  if (more > 0) result.more = more;
  const hosts = suspected();
  if (hosts > 0) result.hosts = hosts;
  if (args.told) {
    if (look.behind.length > 0) result.behind = look.behind;
    looked();
    const restless = restlessElements(numbered).map(numberOf);
    if (restless.length > 0) result.restless = restless;
    if (busy()) result.busy = true;
    if (look.focused && promises(look.focused, look)) result.promises = true;
    const announced = drainAnnouncements();
    if (announced.length > 0) result.announced = announced;
  }
  return result;
}

class Lines {
  readonly list: Line[] = [];

  /** With a Look, elements get their markup. */
  constructor(private readonly limit: number, private readonly markup: Look | null, private readonly bounds: boolean) {}

  /** Adds nodes with their descendants; returns how many did not fit. */
  addAll(nodes: TreeNode[], depth: number): number {
    let cut = 0;
    for (const node of nodes) cut += this.list.length >= this.limit ? sizeOf(node) : this.add(node, depth);
    return cut;
  }

  private add(node: TreeNode, depth: number): number {
    const line: Line = [depth, node.el ? numberOf(node.el) : 0, node.role, node.name];
    this.list.push(line);
    const cut = this.addAll(node.children, depth + 1);
    let props = cut > 0 ? { ...node.props, cut } : node.props;
    if (this.bounds && node.el) props = { ...props, box: boxOf(node.el) };
    if (this.markup && node.el) line[4] = { ...props, markup: markupOf(node, node.el, this.markup) };
    else if (props) line[4] = props;
    return cut;
  }
}

/** If the focused element is not in the tree (editors with a hidden field), its nearest included ancestor is active. */
function markFocus(tree: TreeNode, look: Look): void {
  const { focused } = look;
  if (!focused || tag(focused) === "body" || tag(focused) === "html") return;
  const path = focusPath(tree, focused);
  const holder = path.at(-1);
  if (!holder || holder.props?.active || path.some((node) => node.props?.active)) return;
  holder.props = { ...holder.props, active: true };
}

/** The nodes around an element, outermost first. */
function focusPath(tree: TreeNode, focused: Element): TreeNode[] {
  const around = new Set<Node>();
  for (let at: Node | null = focused; at; at = flatParent(at)) around.add(at);
  const path: TreeNode[] = [];
  for (let at: TreeNode | undefined = tree; at; ) {
    at = at.children.find((child) => child.el !== null && around.has(child.el));
    if (at) path.push(at);
  }
  return path;
}

function sizeOf(node: TreeNode): number {
  return node.children.reduce((size, child) => size + sizeOf(child), 1);
}

function leaveTraces(tree: TreeNode): void {
  const places = placesIn(tree);
  for (const { el, role, name, place } of places.list) {
    // Truncated nodes were not shown and need no number yet.
    if (numbered(el)) leaveTrace(numberOf(el), { role, name, place, unique: places.count(place) === 1 });
  }
}

/** The node of an element; for an element that is not in the tree, the nodes in its place, or else its text. */
function subtree(tree: TreeNode, wanted: Element, look: Look, longest = TEXT_LIMIT): TreeNode[] {
  const exact = find(tree, (el) => el === wanted);
  if (exact.length > 0) return exact;
  const inside = find(tree, (el) => holds(wanted, el));
  if (inside.length > 0) return inside;
  const text = seen(wanted, look) ? clean((wanted as HTMLElement).innerText ?? "") : "";
  if (text === "") return fail({ kind: "timeout", reason: "hidden", ...mentionOf(wanted, new Look()) });
  const shown = shorten(text, longest);
  return [node(null, "text", shown, { full: true, ...(shown === text ? {} : { truncated: text.length }) })];
}

function find(node: TreeNode, wanted: (el: Element) => boolean): TreeNode[] {
  return node.children.flatMap((child) => (child.el && wanted(child.el) ? [child] : find(child, wanted)));
}
