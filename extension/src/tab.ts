// One tab that a server uses. Its session id is its tab id, so that it means the same after the worker was restarted; Chrome
// keeps the debugger attached meanwhile.

import { Refusal, noteSetup, quietly, withoutCookies } from "./cdp";
import { removeForeignFrames } from "./frames";
import { type Grant, saveSetup, setups } from "./state";

/** When attaching is tried again after the debugger was thrown out, in milliseconds. */
const RETRIES = [0, 50, 150, 500, 1500];

/** How long after a command a tab is still drawn, in milliseconds. */
const DRAWN = 5_000;

// What commands say when a frame of another extension has come.
const THROWN_OUT = /different extension|Detached|not attached/;

type Send = (message: object) => void;

export class Tab {
  targetId = "";
  // Whether the server was told of it.
  told = false;
  // Whether the server itself records a screencast.
  filmed = false;
  // Runs while it is drawn for us.
  private drawn?: ReturnType<typeof setTimeout>;
  // Resolves when the debugger is attached again, while it is not.
  private recovery?: Promise<void>;
  // The document that the server knows of.
  private loader = "";

  readonly sessionId: string;

  constructor(readonly id: number, readonly grant: Grant, private readonly send: Send) {
    this.sessionId = `${id}`;
  }

  // Attaches, and tells the server of the tab.
  async introduce(openerId?: string): Promise<void> {
    const { targetInfo } = await this.attached(() => this.raw("Target.getTargetInfo"));
    this.targetId = targetInfo.targetId;
    if (this.told) return;
    this.told = true;
    this.send({
      method: "Target.attachedToTarget",
      params: { sessionId: this.sessionId, targetInfo: this.described(targetInfo, openerId), waitingForDebugger: false },
    });
  }

  described(targetInfo: any, openerId?: string): object {
    return { ...targetInfo, openerId, type: "page", attached: true, browserContextId: "default" };
  }

  // Sends a command, at once where nothing is in the way: commands of one tab keep their order.
  async command(method: string, params?: object, child?: string): Promise<any> {
    if (!child) this.note(method, params);
    if (this.recovery) await this.recovery;
    if (/^Page\.st(art|op)Screencast$/.test(method)) {
      this.dim();
      this.filmed = method === "Page.startScreencast";
    } else this.draw();
    try {
      return await this.raw(method, params, child);
    } catch (error) {
      if (child || !/not attached|different extension/.test(String(error)) || this.grant.mode === "stopped") throw error;
      await this.recover();
      return this.raw(method, params);
    }
  }

  // Chrome draws a hidden tab once a second, unless it is filmed: while it is used, it is.
  private draw(): void {
    if (this.filmed) return;
    if (!this.drawn) quietly(this.raw("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 }));
    clearTimeout(this.drawn);
    this.drawn = setTimeout(() => this.dim(), DRAWN);
  }

  private dim(): void {
    if (this.drawn) quietly(this.raw("Page.stopScreencast"));
    clearTimeout(this.drawn);
    this.drawn = undefined;
  }

  raw(method: string, params?: object, sessionId?: string): Promise<any> {
    return chrome.debugger.sendCommand({ tabId: this.id, sessionId }, method, params);
  }

  // An event of the tab or of one of its frames and workers.
  forward(child: string | undefined, method: string, params: any): void {
    if (method === "Page.screencastFrame" && !this.filmed) return;
    if (!this.grant.storage && /^(Network|Fetch)\./.test(method)) params = withoutCookies(params);
    if (/^Target\.(at|de)tached/.test(method)) params = { ...params, sessionId: `${this.id}:${params.sessionId}` };
    if (method === "Page.frameNavigated" && !child && !params.frame.parentId) this.loader = params.frame.loaderId;
    this.send({ method, params, sessionId: child ? `${this.id}:${child}` : this.sessionId });
  }

  // The debugger was thrown out, but the tab is there: attaches again and sets everything up as it was.
  recover(): Promise<void> {
    // One that is still attached would not tell the worlds of the document again.
    this.recovery ??= this.detach().then(() => this.attached(() => this.setUpAgain())).finally(() => (this.recovery = undefined));
    return this.recovery;
  }

  async detach(): Promise<void> {
    this.dim();
    await quietly(chrome.debugger.detach({ tabId: this.id }));
  }

  // It can no longer be used.
  gone(): void {
    const { sessionId, targetId } = this;
    if (this.told) this.send({ method: "Target.detachedFromTarget", params: { sessionId, targetId } });
    setups.delete(this.id);
    saveSetup(this.id);
  }

  // Attaches and does something with the tab, again where Chrome throws the debugger out for what can be mended.
  private async attached<T>(work: () => Promise<T>): Promise<T> {
    let last: unknown;
    for (const wait of RETRIES) {
      await pause(wait);
      try {
        await this.attach();
        return await work();
      } catch (error) {
        last = error;
        if (THROWN_OUT.test(String(error))) {
          await removeForeignFrames(this.id);
          await this.detach();
        } else if (/Cannot access|gallery|No tab|stopped/.test(String(error))) break;
      }
    }
    throw last;
  }

  private async attach(): Promise<void> {
    // A discarded tab can be attached to and then never answers.
    if ((await chrome.tabs.get(this.id)).discarded) {
      await chrome.tabs.reload(this.id);
      await until(this.id, (tab) => !tab.discarded);
    }
    // Stop may come while it is tried again.
    if (this.grant.mode === "stopped") throw new Refusal("stopped");
    await chrome.debugger.attach({ tabId: this.id }, "1.3").catch((error) => {
      if (!/already attached/.test(error.message)) throw error;
    });
  }

  private async setUpAgain(): Promise<void> {
    const { frameTree } = await this.raw("Page.getFrameTree");
    this.forward(undefined, "Runtime.executionContextsCleared", {});
    if (frameTree.frame.loaderId !== this.loader) this.tellFrames(frameTree);
    const setup = Object.values(setups.get(this.id) ?? {});
    await Promise.all(setup.map(([method, params]) => this.raw(method, params).catch((error) => {
      if (THROWN_OUT.test(String(error))) throw error;
    })));
  }

  // The document changed while nobody listened.
  private tellFrames({ frame, childFrames = [] }: any): void {
    if (frame.parentId) this.forward(undefined, "Page.frameAttached", { frameId: frame.id, parentFrameId: frame.parentId });
    this.forward(undefined, "Page.frameNavigated", { frame, type: "Navigation" });
    for (const child of childFrames) this.tellFrames(child);
  }

  private note(method: string, params?: object): void {
    const setup = setups.get(this.id) ?? {};
    if (!noteSetup(setup, method, params)) return;
    setups.set(this.id, setup);
    saveSetup(this.id);
  }
}

/** Waits until a tab is so, for a while. */
export async function until(id: number, is: (tab: ChromeTab) => boolean): Promise<void> {
  for (let left = 100; left > 0 && !is(await chrome.tabs.get(id)); left--) await pause(50);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
