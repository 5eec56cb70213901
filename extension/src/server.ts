// The connection to one server, and the commands that come over it.

import { actionOf, type Command, Refusal, errorOf, touchesStorage, withheld } from "./cdp";
import { type Entry, nonce, proof } from "./pairing";
import { navigate } from "./page";
import { answer } from "./root";
import { type Grant, grantFor, grants, instance, saveGrants } from "./state";
import { dress, goOn, of, release, resume, tabs } from "./tabs";

/** The server reads no longer messages, in bytes. */
const LONGEST = 64 << 20;
/** Chrome ends a worker that has had nothing to do for 30 s; protocol pings do not count. */
const KEEP_ALIVE = 20_000;
/** How long tabs stay attached after the connection broke. */
const GRACE = 5_000;
/** Events that wait for the connection. */
const OUTBOX = 5_000;
/** When a server that another browser uses is asked again. */
const BUSY_RETRY = 10_000;

const PAUSED = "the person took over the browser: Pause, Stop, or Cancel in the debugging bar";
const NO_STORAGE = "the person has not allowed cookies and storage";
const NO_TAB = "the tab was closed or left the agent's tab group";

export class Server {
  grant?: Grant;
  isOpen = false;
  // When it last had something to do.
  lastUsed = 0;
  private socket?: WebSocket;
  private outbox: object[] = [];
  // Commands without an answer so far.
  private pending = new Set<Command>();
  private retryAt = 0;
  private begun?: Promise<void>;
  private leaving?: ReturnType<typeof setTimeout>;

  constructor(readonly entry: Entry, private readonly live: Map<string, Server>, private readonly changed: () => void) {
    this.grant = grants.get(entry.id);
  }

  // Connects unless it is connected or about to be.
  connect(): void {
    if (this.socket || Date.now() < this.retryAt) return;
    const socket = (this.socket = new WebSocket(`ws://127.0.0.1:${this.entry.port}/extension`));
    const mine = nonce();
    let step: (data: any) => void = (data) => void this.verify(socket, mine, data).then((next) => (step = next));
    socket.onopen = () => socket.send(JSON.stringify({ hello: { v: 1, nonce: mine, browser: instance } }));
    socket.onmessage = (event) => step(JSON.parse(event.data));
    const beat = setInterval(() => this.isOpen && socket.send("{}"), KEEP_ALIVE);
    socket.onclose = () => {
      clearInterval(beat);
      this.closed();
    };
  }

  // Sends an event, or keeps it until the connection is back.
  send(message: object): void {
    if (this.isOpen) this.post(message);
    else if (this.outbox.length < OUTBOX) this.outbox.push(message);
  }

  // The server is gone for good.
  end(): void {
    this.socket?.close();
  }

  // Takes the browser away from the server, or gives it back.
  async setMode(mode: Grant["mode"]): Promise<void> {
    const { grant } = this;
    if (!grant) return;
    const before = grant.mode;
    grant.mode = mode;
    saveGrants();
    if (mode !== "on") for (const command of this.pending) this.reply(command, { error: errorOf(withheld(PAUSED)) });
    if (mode === "stopped") await Promise.all(of(grant).map((tab) => tab.detach()));
    if (mode === "on") await goOn(grant, before === "stopped");
    this.changed();
  }

  private async verify(socket: WebSocket, mine: string, { nonce: theirs, mac }: any): Promise<(message: Command) => void> {
    const { token, id, name } = this.entry;
    if (mac !== (await proof(token, "server", mine, theirs))) {
      socket.close();
      return () => {};
    }
    socket.send(JSON.stringify({ mac: await proof(token, "extension", theirs, mine) }));
    this.grant = grantFor(id, name, this.live);
    return (message) => void this.take(message);
  }

  // The first message says whether the server goes on with sessions that it has.
  private async begin(grant: Grant, resumes: boolean): Promise<void> {
    clearTimeout(this.leaving);
    this.leaving = undefined;
    await dress(grant);
    if (resumes) await resume(grant);
    else this.outbox = [];
    this.isOpen = true;
    for (const message of this.outbox.splice(0)) this.post(message);
    this.changed();
  }

  private closed(): void {
    this.socket = undefined;
    this.isOpen = false;
    const { grant } = this;
    if (grant) this.leaving ??= setTimeout(() => this.isOpen || void release(grant), GRACE);
    this.changed();
  }

  private async take({ id, method, params, sessionId }: Command): Promise<void> {
    const { grant } = this;
    if (!method || !grant) return;
    if (method === "Cicerone.begin") this.begun = this.begin(grant, params.resumes);
    if (method === "Cicerone.busy") this.retryAt = Date.now() + BUSY_RETRY;
    // Its tabs are known again only then.
    await this.begun;
    if (id === undefined) return;
    const command = { id, sessionId };
    this.pending.add(command);
    try {
      this.reply(command, { result: (await this.perform(grant, method, params, sessionId)) ?? {} });
    } catch (error) {
      this.reply(command, { error: errorOf(grant.mode === "on" ? error : withheld(PAUSED)) });
    }
  }

  // Answers a command, unless it was answered when the person took over.
  private reply(command: Command, answer: object): void {
    if (this.pending.delete(command)) this.post({ ...command, ...answer });
  }

  private perform(grant: Grant, method: string, params: any, sessionId = ""): Promise<object | void> {
    this.check(grant, method, params);
    if (!sessionId) return answer(grant, method, params);
    const [tabId, child] = sessionId.split(":");
    const tab = tabs.get(Number(tabId));
    if (tab?.grant !== grant) throw withheld(NO_TAB);
    return method === "Page.navigate" ? navigate(tab, params) : tab.command(method, params, child);
  }

  // Refuses what the person has not allowed.
  private check(grant: Grant, method: string, params: any): void {
    this.lastUsed = Date.now();
    if (/^(Target\.(setAutoAttach|get)|Browser\.)/.test(method)) return;
    if (grant.mode !== "on") throw withheld(PAUSED);
    if (!grant.storage && touchesStorage(method, params)) throw withheld(NO_STORAGE);
    grant.lastAction = actionOf(method, params) ?? grant.lastAction;
    this.changed();
  }

  private post(message: any): void {
    const text = JSON.stringify(message);
    // A character has up to three bytes.
    if (text.length < LONGEST / 3 || new Blob([text]).size < LONGEST) return this.socket?.send(text);
    if (message.id) this.post({ ...message, result: undefined, error: errorOf(new Refusal("an answer of over 64 MB")) });
  }
}
