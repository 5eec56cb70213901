// Drag and drop for engines whose protocol starts a drag but never delivers its end. The drag that the page accepted is
// cancelled in the browser; pointer events are translated to drag events from then on.

import { deepAtPoint } from "../page/geometry";

const { dispatchEvent } = EventTarget.prototype;

/** A drag in progress. */
interface ActiveDrag {
  source: EventTarget;
  data: DataTransfer;
  over: Element | null;
  /** Whether the element under the pointer accepts the drop. */
  taken: boolean;
}

let activeDrag: ActiveDrag | undefined;

/** Enables emulated drags in this document. */
export function drags(): void {
  // After the page's own listeners, when it is known whether the page cancels the drag and what it carries.
  window.addEventListener("dragstart", onStart);
  window.addEventListener("mousemove", onMove, { capture: true });
  window.addEventListener("mouseup", onUp, { capture: true });
}

function onStart(event: DragEvent): void {
  const source = event.composedPath()[0];
  if (!event.isTrusted || event.defaultPrevented || !event.dataTransfer || !source) return;
  event.preventDefault();
  activeDrag = { source, data: copyOf(event.dataTransfer), over: null, taken: false };
}

/** Drag data is readable only during `dragstart`. */
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
  if (!activeDrag || !event.isTrusted) return;
  fire("drag", activeDrag.source, event);
  const over = deepAtPoint(event.clientX, event.clientY);
  if (over !== activeDrag.over) {
    const left = activeDrag.over;
    activeDrag.over = over;
    if (over) fire("dragenter", over, event);
    if (left) fire("dragleave", left, event);
  }
  activeDrag.taken = over !== null && fire("dragover", over, event);
}

function onUp(event: MouseEvent): void {
  if (!activeDrag || !event.isTrusted) return;
  const { source, over, taken, data } = activeDrag;
  const refused = data.dropEffect === "none" && keepsEffects();
  if (over) fire(taken && !refused ? "drop" : "dragleave", over, event);
  if (!taken) data.dropEffect = "none";
  fire("dragend", source, event);
  activeDrag = undefined;
}

/** Whether data that a script made can have an effect. In WebKit it stays "none". */
function keepsEffects(): boolean {
  const data = new DataTransfer();
  data.dropEffect = "move";
  return data.dropEffect === "move";
}

/** Dispatches a drag event; returns whether the page cancelled it, that is, handled it. */
function fire(type: string, target: EventTarget, at: MouseEvent): boolean {
  const data = activeDrag!.data;
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

/** The default drop effect. */
function usual(allowed: DataTransfer["effectAllowed"]): DataTransfer["dropEffect"] {
  if (allowed === "uninitialized" || allowed === "all" || allowed.endsWith("Move")) return "move";
  return allowed.startsWith("copy") ? "copy" : (allowed as DataTransfer["dropEffect"]);
}
