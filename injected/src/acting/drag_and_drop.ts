// Drag and drop, for browsers whose automation gives a page the begin of a drag and never its end. The
// drag that the page agreed to is kept from the browser; from then on the pointer's own events become those of a drag.

import { deepAtPoint } from "../page/geometry";

const { dispatchEvent } = EventTarget.prototype;

/** A drag that is under way. */
interface Carried {
  source: EventTarget;
  data: DataTransfer;
  over: Element | null;
  /** Whether what the pointer is over takes it. */
  taken: boolean;
}

let carried: Carried | undefined;

/** From now on, drags in this document are carried out here. */
export function drags(): void {
  // After the page's own listeners: whether it agrees, and what is dragged, is known then.
  window.addEventListener("dragstart", onStart);
  window.addEventListener("mousemove", onMove, { capture: true });
  window.addEventListener("mouseup", onUp, { capture: true });
}

function onStart(event: DragEvent): void {
  const source = event.composedPath()[0];
  if (!event.isTrusted || event.defaultPrevented || !event.dataTransfer || !source) return;
  event.preventDefault();
  carried = { source, data: copyOf(event.dataTransfer), over: null, taken: false };
}

/** What is in a drag can only be read while it begins. */
function copyOf(original: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of Array.from(original.types)) {
    if (type !== "Files") copy.setData(type, original.getData(type));
  }
  for (const file of Array.from(original.files)) copy.items.add(file);
  copy.effectAllowed = original.effectAllowed;
  return copy;
}

function onMove(event: MouseEvent): void {
  if (!carried || !event.isTrusted) return;
  fire("drag", carried.source, event);
  const over = deepAtPoint(event.clientX, event.clientY);
  if (over !== carried.over) {
    const left = carried.over;
    carried.over = over;
    if (over) fire("dragenter", over, event);
    if (left) fire("dragleave", left, event);
  }
  carried.taken = over !== null && fire("dragover", over, event);
}

function onUp(event: MouseEvent): void {
  if (!carried || !event.isTrusted) return;
  const { source, over, taken, data } = carried;
  if (over) fire(taken && data.dropEffect !== "none" ? "drop" : "dragleave", over, event);
  if (!taken) data.dropEffect = "none";
  fire("dragend", source, event);
  carried = undefined;
}

/** Tells the page; whether it said that this is its business. */
function fire(type: string, target: EventTarget, at: MouseEvent): boolean {
  const data = carried!.data;
  if (type === "dragenter" || type === "dragover") data.dropEffect = usual(data.effectAllowed);
  const event = new DragEvent(type, {
    bubbles: true,
    composed: true,
    cancelable: type !== "dragleave" && type !== "dragend",
    dataTransfer: data,
    view: window,
    clientX: at.clientX,
    clientY: at.clientY,
    screenX: at.screenX,
    screenY: at.screenY,
    ctrlKey: at.ctrlKey,
    shiftKey: at.shiftKey,
    altKey: at.altKey,
    metaKey: at.metaKey,
  });
  return !dispatchEvent.call(target, event);
}

/** What a drag does unless the page says otherwise. */
function usual(allowed: DataTransfer["effectAllowed"]): DataTransfer["dropEffect"] {
  if (allowed === "uninitialized" || allowed === "all" || allowed.endsWith("Move")) return "move";
  return allowed.startsWith("copy") ? "copy" : (allowed as DataTransfer["dropEffect"]);
}
