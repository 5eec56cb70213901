// The service worker: finds servers, connects to them, and hands them what happens in their tabs.

import { quietly } from "./cdp";
import { entries } from "./pairing";
import { type Grant, grants, restored, saveGrants } from "./state";
import { Server } from "./server";
import { type View, badge } from "./view";
import * as tabs from "./tabs";

/** How often servers are looked for, in milliseconds. */
const LOOK = 1_500;

const servers = new Map<string, Server>();
const changed = (): void => badge([...servers.values()]);
let looking = false;
let period = 0;

async function look(): Promise<void> {
  if (looking) return;
  looking = true;
  try {
    await restored;
    const there = await entries();
    for (const [id, server] of servers) {
      if (server.isOpen || there.some((entry) => entry.id === id)) continue;
      servers.delete(id);
      server.end();
    }
    await wake(there.length > 0);
    for (const entry of there) {
      if (!servers.has(entry.id)) servers.set(entry.id, new Server(entry, servers, changed));
      servers.get(entry.id)?.connect();
    }
    // Of servers that are gone.
    for (const grant of grants.values()) if (grant.attached && !servers.has(grant.server)) await tabs.release(grant);
  } finally {
    looking = false;
    changed();
  }
}

/** An alarm wakes a worker that Chrome ended: often while there is a server, which would miss us, and rarely else. */
async function wake(often: boolean): Promise<void> {
  const periodInMinutes = often ? LOOK / 60_000 : 0.5;
  if (period !== periodInMinutes) await chrome.alarms.create("look", { periodInMinutes });
  period = periodInMinutes;
}

tabs.watch((server, message) => servers.get(server)?.send(message));

chrome.debugger.onEvent.addListener((source, method, params) => {
  const tab = tabs.tabs.get(source.tabId);
  if (tab) return tab.forward(source.sessionId, method, params);
  // The worker was restarted by this very event, and connects first.
  look();
});

chrome.debugger.onDetach.addListener(async ({ tabId }, reason) => {
  const tab = tabs.tabs.get(tabId);
  if (!tab) return;
  // Cancel in the debugging bar detaches all tabs: the person takes over.
  if (reason === "canceled_by_user") return servers.get(tab.grant.server)?.setMode("stopped");
  const there = await quietly(chrome.tabs.get(tabId));
  await (there ? quietly(tab.recover()) : tabs.drop(tabId));
});

chrome.runtime.onMessage.addListener((message, _sender, respond) => {
  requested(message).then(respond);
  return true;
});

/** What the popup asks for; it gets what to show then. */
async function requested({ act, server: id, tab }: any): Promise<View[]> {
  await look();
  const server = servers.get(id);
  if (server?.grant) await perform(act, server, server.grant, tab);
  return Promise.all([...servers.values()].map((server) => view(server, tab)));
}

async function perform(act: string, server: Server, grant: Grant, tabId: number): Promise<void> {
  if (act === "storage") grant.storage = !grant.storage;
  else if (act === "share") await tabs.share(await chrome.tabs.get(tabId), grant);
  else if (act) await server.setMode(act as Grant["mode"]);
  saveGrants();
}

async function view({ grant, entry, isOpen }: Server, tabId: number): Promise<View> {
  const reached = grant ? await tabs.reach(grant) : [];
  return {
    ...grant, server: entry.id, client: entry.name, connected: isOpen,
    tabs: reached.map((tab) => tab.title || tab.url || "new tab"), shared: reached.some(({ id }) => id === tabId),
  };
}

for (const event of [chrome.alarms.onAlarm, chrome.runtime.onStartup, chrome.runtime.onInstalled]) event.addListener(look);
setInterval(look, LOOK);
look();
