// A forced click: dispatches pointer and mouse events on the element itself, even if it is covered or not displayed.
// Default actions (follow, submit, toggle) run as well; the events are not trusted (`isTrusted` is false).

import { dispatch, giveFocus, isConnected } from "../page/dom";
import { boxOf } from "../page/geometry";
import { resolveNumber } from "../targets/heal";

export interface ForceArgs {
  num: number;
  button: "left" | "middle" | "right";
  count: number;
  held: ("alt" | "control" | "meta" | "shift")[];
}

/** `MouseEvent.button`, and its bit in `MouseEvent.buttons`. */
const BUTTONS = { left: [0, 1], middle: [1, 4], right: [2, 2] } as const;

export function force(args: ForceArgs): object {
  const { el } = resolveNumber(args.num);
  const [button, pressed] = BUTTONS[args.button];
  const { x, y, width, height } = boxOf(el);
  const [altKey, ctrlKey, metaKey, shiftKey] = (["alt", "control", "meta", "shift"] as const).map((key) => args.held.includes(key));
  const always = { bubbles: true, cancelable: true, composed: true, view: window, button, clientX: x + width / 2, clientY: y + height / 2, altKey, ctrlKey, metaKey, shiftKey };
  const pointer = { pointerId: 1, pointerType: "mouse", isPrimary: true };
  for (let nth = 1; nth <= args.count && isConnected(el); nth++) {
    const mouse = { ...always, detail: nth };
    dispatch(el, new PointerEvent("pointerdown", { ...always, ...pointer, buttons: pressed }));
    if (dispatch(el, new MouseEvent("mousedown", { ...mouse, buttons: pressed }))) giveFocus(el);
    if (args.button === "right") dispatch(el, new PointerEvent("contextmenu", { ...mouse, ...pointer }));
    dispatch(el, new PointerEvent("pointerup", { ...always, ...pointer }));
    dispatch(el, new MouseEvent("mouseup", mouse));
    dispatch(el, new PointerEvent(args.button === "left" ? "click" : "auxclick", { ...mouse, ...pointer }));
    if (args.button === "left" && nth === 2) dispatch(el, new MouseEvent("dblclick", mouse));
  }
  return {};
}
