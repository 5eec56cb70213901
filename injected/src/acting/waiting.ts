// Waiting for text or an element to appear in what a person can see, or to go from it.

import { Failure, fail, type Mention, type Problem } from "../failure";
import { Changes } from "../page/changes";
import { isElement, isText, pageRoot, tag } from "../page/dom";
import { flatChildren } from "../page/flat";
import { seen } from "../page/seen";
import { asDisplayed, clean, shorten } from "../page/text";
import { Look } from "../semantics/look";
import { mentionOf, resolveAll, type Target } from "../targets/target";

/** A text, or a pattern that one must fit. */
export type Wording = string | { pattern: string; flags: string };

/** What is waited for: texts, or an element in a state. */
export interface Awaited {
  text?: Wording;
  gone?: Wording;
  target?: Target;
  state?: "attached" | "detached" | "visible" | "hidden";
}

export async function wait(args: Awaited & { timeout: number }): Promise<object> {
  const deadline = performance.now() + args.timeout;
  const holds = args.target ? () => stands(args.target!, args.state) : said(args);
  let met = holds();
  if (met) return met;
  const changes = new Changes();
  try {
    while (await changes.next(deadline)) if ((met = holds())) return met;
    // A change that nothing announced (a media query, say) still counts at the end.
    if ((met = holds())) return met;
  } finally {
    changes.stop();
  }
  return fail(args.target ? instead(args.target) : { kind: "timeout", reason: "text", instead: shorten(visibleText()[0]!, TOLD) });
}

/** How much is told of what is there instead. */
const TOLD = 300;

/** Null as long as it does not hold; the element that it holds for, where it is about one. */
type Met = Partial<Mention> | null;

function stands(target: Target, state: Awaited["state"]): Met {
  const look = new Look();
  const there = present(target, look, state === "detached" || state === "hidden");
  const shown = there.find((el) => seen(el, look));
  if (state === "detached") return there.length === 0 ? {} : null;
  if (state === "hidden") return shown ? null : {};
  const met = state === "attached" ? there[0] : shown;
  return met ? mentionOf(met, look) : null;
}

/** The elements that are meant. One that is gone for good is what some wait for. */
function present(target: Target, look: Look, leaving: boolean): Element[] {
  try {
    return resolveAll(target, look);
  } catch (error) {
    if (leaving && error instanceof Failure && error.problem.kind === "stale") return [];
    throw error;
  }
}

function instead(target: Target): Problem {
  const look = new Look();
  const there = present(target, look, true);
  const told = there.find((el) => seen(el, look)) ?? there[0];
  if (!told) return { kind: "timeout", reason: "element" };
  return { kind: "timeout", reason: "element", instead: seen(told, look) ? "visible" : "hidden", ...mentionOf(told, look) };
}

/** Whether a text is there and another is not, in the page as it is then. */
function said({ text, gone }: Awaited): () => Met {
  const shown = text === undefined ? () => true : wording(text);
  const left = gone === undefined ? () => false : wording(gone);
  return () => {
    // Callers know a text from the source or from what style sheets make of its case; both count.
    const readings = visibleText();
    return (text === undefined || readings.some(shown)) && !readings.some(left) ? {} : null;
  };
}

function wording(wanted: Wording): (reading: string) => boolean {
  if (typeof wanted === "string") return (reading) => reading.includes(clean(wanted));
  try {
    const pattern = new RegExp(wanted.pattern, wanted.flags.replace(/[gy]/g, ""));
    return (reading) => pattern.test(reading);
  } catch (error) {
    return fail({ kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
}

const VALUES = new Set(["input", "textarea", "select", "iframe", "object", "video", "audio", "canvas"]);

/** The document's visible text, as displayed and as written; what fields hold is not part of it. */
function visibleText(): string[] {
  const look = new Look();
  let text = "";
  let written = "";
  const add = (data: string, displayed = data) => {
    text += displayed;
    written += data;
  };
  const read = (el: Element): void => {
    if (VALUES.has(tag(el)) || look.leavesOut(el)) return;
    const facts = look.facts(el);
    const { display, visible } = facts;
    const apart = display !== "inline" && display !== "contents";
    if (apart) add(" ");
    const hidesSome = look.hidesSome(el);
    for (const child of flatChildren(el)) {
      if (isText(child)) {
        if (visible && !hidesSome) add(child.data, asDisplayed(child.data, facts));
      } else if (isElement(child) && !(hidesSome && look.hidesChild(el, child))) read(child);
    }
    if (apart || tag(el) === "br") add(" ");
  };
  const root = pageRoot();
  if (root) read(root);
  return text === written ? [clean(text)] : [clean(text), clean(written)];
}
