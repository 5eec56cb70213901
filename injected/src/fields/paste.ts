// Pastes text into an editor, as from the clipboard: editors complete and indent what is typed, and leave alone what is
// pasted.

import { dispatch } from "../page/dom";
import { resolveNumber } from "../targets/heal";

/** Whether the editor took the text; one that did not is to be typed into. */
export function paste(args: { num: number; text: string }): object {
  const { el } = resolveNumber(args.num);
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", args.text);
  // Firefox takes the text by members of its own.
  const text = { clipboardData, dataType: "text/plain", data: args.text };
  const event = new ClipboardEvent("paste", { ...text, bubbles: true, cancelable: true, composed: true });
  dispatch(el, event);
  return { taken: event.defaultPrevented };
}
