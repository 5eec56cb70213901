// Element picker: highlights the element under the pointer; a click picks it, Escape cancels. Until then the page
// receives no gestures.
//
// The outline is in a closed shadow root in the top layer, so that the page can neither style nor cover it.

import { Failure, type Mention } from "../failure";
import { isElement } from "../page/dom";
import { boxOf, deepAtPoint } from "../page/geometry";
import { Look } from "../semantics/look";
import { mentionOf } from "../targets/target";
import { intercept } from "./guard";

let picking: Picking | undefined;

/** The element that the user picks in this frame; `none` if they cancel or pick in another frame. */
export function pick(args: { timeout: number }): Promise<Mention> {
  unpick();
  picking = new Picking(args.timeout);
  return picking.picked;
}

/** Cancels the picker. */
export function unpick(): object {
  picking?.end(new Failure({ kind: "none" }));
  return {};
}

class Picking {
  private readonly outline = new Outline();
  private readonly timer: ReturnType<typeof setTimeout>;
  private settle!: { resolve: (mention: Mention) => void; reject: (why: unknown) => void };
  readonly picked = new Promise<Mention>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  constructor(timeout: number) {
    this.timer = setTimeout(() => this.end(new Failure({ kind: "timeout", reason: "picked" })), timeout);
    intercept((event) => this.hear(event));
  }

  end(outcome: Mention | Failure): void {
    if (picking === this) picking = undefined;
    clearTimeout(this.timer);
    this.outline.remove();
    intercept(undefined);
    if (outcome instanceof Failure) this.settle.reject(outcome);
    else this.settle.resolve(outcome);
  }

  private hear(event: Event): void {
    if (event instanceof KeyboardEvent) {
      if (event.type === "keydown" && event.key === "Escape") this.end(new Failure({ kind: "misfit", message: "given up" }));
      return;
    }
    const over = this.under(event as MouseEvent);
    if (event.type === "click" && over) this.end(mentionOf(over, new Look()));
    else if (event.type === "mousemove" || event.type === "pointermove") this.outline.show(over);
  }

  private under(event: MouseEvent): Element | null {
    const found = deepAtPoint(event.clientX, event.clientY);
    return found && isElement(found) ? found : null;
  }
}

/** The outline around an element. */
class Outline {
  private host: HTMLElement | undefined;
  private frame: HTMLElement | undefined;

  show(el: Element | null): void {
    if (!el) return this.remove();
    if (!this.host?.isConnected) this.draw();
    const { x, y, width, height } = boxOf(el);
    const style = this.frame!.style;
    style.transform = `translate(${x}px, ${y}px)`;
    style.width = `${width}px`;
    style.height = `${height}px`;
  }

  remove(): void {
    this.host?.remove();
    this.host = this.frame = undefined;
  }

  private draw(): void {
    const host = document.createElement("div");
    // The pointer must reach the element below.
    host.style.cssText = "all:initial!important;position:fixed!important;inset:0!important;margin:0!important;border:0!important;padding:0!important;width:auto!important;height:auto!important;background:none!important;pointer-events:none!important;z-index:2147483647!important";
    host.popover = "manual";
    const root = host.attachShadow({ mode: "closed" });
    this.frame = document.createElement("div");
    this.frame.style.cssText = "position:absolute;left:0;top:0;box-sizing:border-box;border:2px solid #1a73e8;background:rgba(26,115,232,.2);pointer-events:none";
    root.append(this.frame);
    document.documentElement.append(host);
    host.showPopover?.();
    this.host = host;
  }
}
