// Waits for visible text or an element to appear or disappear.

import { Failure, fail, type Mention, type Problem } from "../failure";
import { Changes } from "../page/changes";
import { isElement, isText, pageRoot, tag } from "../page/dom";
import { flatChildren } from "../page/flat";
import { seen } from "../page/visible";
import { asDisplayed, clean, shorten } from "../page/text";
import { Look } from "../semantics/look";
import { mentionOf, resolveAll, type Target } from "../targets/target";

/** A text, or a regular expression. */
export type TextPattern = string | { pattern: string; flags: string };

/** The condition: texts, or an element in a state. */
export interface WaitArgs {
  text?: TextPattern;
  gone?: TextPattern;
  target?: Target;
  state?: "attached" | "detached" | "visible" | "hidden";
}

export async function wait(args: WaitArgs & { timeout: number }): Promise<object> {
  const deadline = performance.now() + args.timeout;
  const holds = args.target ? () => stateCondition(args.target!, args.state) : textCondition(args);
  let met = holds();
  if (met) return met;
  const changes = new Changes();
  try {
    while (await changes.next(deadline)) if ((met = holds())) return met;
    // Check once more at the deadline: some changes (a media query) cause no event.
    if ((met = holds())) return met;
  } finally {
    changes.stop();
  }
  return fail(args.target ? instead(args.target) : { kind: "timeout", reason: "text", text: shorten(visibleText()[0]!, MAX_ACTUAL_TEXT) });
}

/** Maximum characters of actual text in the error. */
const MAX_ACTUAL_TEXT = 300;

/** Null while the condition does not hold; the element that satisfies it, if there is one. */
type Met = Partial<Mention> | null;

function stateCondition(target: Target, state: WaitArgs["state"]): Met {
  const look = new Look();
  const there = present(target, look, state === "detached" || state === "hidden");
  const shown = there.find((el) => seen(el, look));
  if (state === "detached") return there.length === 0 ? {} : null;
  if (state === "hidden") return shown ? null : {};
  const met = state === "attached" ? there[0] : shown;
  return met ? mentionOf(met, look) : null;
}

/** The matching elements. A ref whose element no longer exists satisfies a wait for its removal. */
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
  return { kind: "timeout", reason: "element", state: seen(told, look) ? "visible" : "hidden", ...mentionOf(told, look) };
}

/** Whether one text is visible and another is not, at the time of the call. */
function textCondition({ text, gone }: WaitArgs): () => Met {
  const shown = text === undefined ? () => true : textMatcher(text);
  const left = gone === undefined ? () => false : textMatcher(gone);
  return () => {
    // Callers know a text from the source or as `text-transform` shows it; both count.
    const readings = visibleText();
    return (text === undefined || readings.some(shown)) && !readings.some(left) ? {} : null;
  };
}

function textMatcher(wanted: TextPattern): (reading: string) => boolean {
  if (typeof wanted === "string") return (reading) => reading.includes(clean(wanted));
  try {
    const pattern = new RegExp(wanted.pattern, wanted.flags.replace(/[gy]/g, ""));
    return (reading) => pattern.test(reading);
  } catch (error) {
    return fail({ kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
}

const VALUES = new Set(["input", "textarea", "select", "iframe", "object", "video", "audio", "canvas"]);

/** The document's visible text, as displayed and as written, without field values. */
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
