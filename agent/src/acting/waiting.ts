// Waiting for text to appear in what a person can see, or to go from it.

import { fail } from "../failure";
import { Changes } from "../page/changes";
import { isElement, isText, pageRoot, tag } from "../page/dom";
import { flatChildren } from "../page/flat";
import { asDisplayed, clean } from "../page/text";
import { Look } from "../semantics/look";

export async function wait(args: { text?: string; gone?: string; timeout: number }): Promise<object> {
  const deadline = performance.now() + args.timeout;
  if (holds(args)) return {};
  const changes = new Changes();
  try {
    while (await changes.next(deadline)) if (holds(args)) return {};
    // A change that nothing announced (a media query, say) still counts at the end.
    if (holds(args)) return {};
  } finally {
    changes.stop();
  }
  return fail({ kind: "timeout", reason: "text" });
}

function holds({ text, gone }: { text?: string; gone?: string }): boolean {
  // Callers know a text from the source or from what style sheets make of its case; both count.
  const readings = visibleText();
  const shows = (wanted: string) => readings.some((reading) => reading.includes(clean(wanted)));
  return (text === undefined || shows(text)) && (gone === undefined || !shows(gone));
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
