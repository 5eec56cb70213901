// The tabs that servers may use: those of their groups, and loose ones (in popup windows there are no groups).

import { Refusal, quietly } from "./cdp";
import { Tab, until } from "./tab";
import { type Grant, grants, saveGrants, setups } from "./state";

const COLORS = "blue green purple orange pink cyan red yellow".split(" ");

export const tabs = new Map<number, Tab>();

/** Sends a message to a server. */
type Send = (server: string, message: object) => void;
let send: Send;
/** The servers that want to hear of tabs. */
const listening = new Set<string>();

function isOf(tab: ChromeTab, grant: Grant): boolean {
  return grant.groups.includes(tab.groupId) || grant.loose.includes(tab.id);
}

function grantOf(tab: ChromeTab): Grant | undefined {
  return [...grants.values()].find((grant) => isOf(tab, grant));
}

/** The tabs of a grant that are there. */
export async function reach(grant: Grant): Promise<ChromeTab[]> {
  return (await chrome.tabs.query({})).filter((tab) => isOf(tab, grant));
}

/** Attaches to all tabs of a grant, from now on also to those that come. */
export async function listen(grant: Grant): Promise<void> {
  listening.add(grant.server);
  grant.attached = true;
  saveGrants();
  await Promise.all((await reach(grant)).map((tab) => quietly(take(tab, grant))));
}

/** Goes on after the person gave the browser back, also with tabs that came meanwhile. */
export async function goOn(grant: Grant, wasStopped: boolean): Promise<void> {
  if (wasStopped) await Promise.all(of(grant).map((tab) => quietly(tab.recover().then(() => tab.introduce()))));
  if (listening.has(grant.server)) await listen(grant);
}

/** Whoever connects again goes on with the tabs that it had: they are known by their ids alone. */
export async function resume(grant: Grant): Promise<void> {
  for (const tab of await reach(grant)) {
    if (tabs.has(tab.id) || !setups.has(tab.id)) continue;
    const resumed = known(tab, grant);
    resumed.told = true;
    if (grant.mode !== "stopped") await quietly(resumed.introduce());
  }
  await listen(grant);
}

export async function release(grant: Grant): Promise<void> {
  listening.delete(grant.server);
  grant.attached = false;
  saveGrants();
  for (const { id: tabId } of await reach(grant)) {
    tabs.delete(tabId);
    await quietly(chrome.debugger.detach({ tabId }));
  }
}

export function of(grant: Grant): Tab[] {
  return [...tabs.values()].filter((tab) => tab.grant === grant);
}

function known({ id }: ChromeTab, grant: Grant): Tab {
  const tab = new Tab(id, grant, (message) => send(grant.server, message));
  tabs.set(id, tab);
  return tab;
}

/** Tells the server of a tab: only while it may use tabs, for it sets up at once what it is told of. */
export async function take(tab: ChromeTab, grant: Grant): Promise<Tab> {
  if (grant.mode !== "on") throw new Refusal(grant.mode);
  const taken = tabs.get(tab.id) ?? known(tab, grant);
  if (!taken.told) await taken.introduce(tabs.get(tab.openerTabId ?? -1)?.targetId);
  return taken;
}

/** Opens a tab in the grant's group, behind the one that the person looks at. */
export async function open(grant: Grant, url: string, newWindow: boolean): Promise<Tab> {
  const windowId = newWindow ? undefined : await home(grant);
  const tab = windowId === undefined
    ? (await chrome.windows.create({ url, focused: false })).tabs[0]!
    : await chrome.tabs.create({ url, active: false, windowId });
  await group(tab, grant);
  // A navigation before that would be aborted by its own first one.
  await until(tab.id, ({ status }) => status === "complete");
  return take(tab, grant);
}

/** The groups of a grant that are there: one in each of its windows. */
async function groupsOf(grant: Grant): Promise<TabGroup[]> {
  return (await chrome.tabGroups.query({})).filter(({ id }) => grant.groups.includes(id));
}

async function home(grant: Grant): Promise<number | undefined> {
  const [first] = await groupsOf(grant);
  return first?.windowId ?? (await quietly(chrome.windows.getLastFocused({ windowTypes: ["normal"] })))?.id;
}

/** Puts a tab into the grant's group in its window. */
async function group(tab: ChromeTab, grant: Grant): Promise<void> {
  const { id: tabIds, windowId } = tab;
  const there = (await groupsOf(grant)).find((it) => it.windowId === windowId);
  try {
    if (there) return void (await chrome.tabs.group({ tabIds, groupId: there.id }));
    grant.groups.push(await chrome.tabs.group({ tabIds, createProperties: { windowId } }));
    await dress(grant);
  } catch {
    grant.loose.push(tabIds);
  }
  saveGrants();
}

/** Lets a server use a tab, or takes it away. */
export async function share(tab: ChromeTab, grant: Grant): Promise<void> {
  const { id } = tab;
  if (!isOf(tab, grant)) return group(tab, grant);
  grant.loose = grant.loose.filter((loose) => loose !== id);
  await quietly(chrome.tabs.ungroup(id));
  await drop(id);
}

/** Names and colours the groups of a grant. */
export async function dress(grant: Grant): Promise<void> {
  const color = COLORS[grant.client.length % COLORS.length]!;
  for (const { id } of await groupsOf(grant)) await quietly(chrome.tabGroups.update(id, { title: grant.client, color }));
}

/** A tab is no longer to be used; it stays where it is. */
export async function drop(id: number): Promise<void> {
  const tab = tabs.get(id);
  if (!tab) return;
  tabs.delete(id);
  tab.gone();
  await tab.detach();
}

/** Takes notice of tabs from now on. */
export function watch(deliver: Send): void {
  send = deliver;
  chrome.tabs.onCreated.addListener(created);
  chrome.tabs.onUpdated.addListener(updated);
  chrome.tabs.onRemoved.addListener(drop);
  chrome.tabs.onReplaced.addListener((added, removed) => drop(removed).then(() => arrived(added)));
}

/** What a page of a server's opens is the server's too. A new tab that the person opens in front of it is not. */
async function created(tab: ChromeTab): Promise<void> {
  const opener = tabs.get(tab.openerTabId ?? -1);
  if (!opener || opener.grant.mode === "stopped" || /:\/\/new-?tab/.test(tab.pendingUrl ?? tab.url ?? "")) return;
  if (!grantOf(tab)) await group(tab, opener.grant);
  await quietly(take(tab, opener.grant));
}

async function updated(id: number, { groupId, url }: TabChange, tab: ChromeTab): Promise<void> {
  const known = tabs.get(id);
  if (groupId !== undefined && known && !grantOf(tab)) return drop(id);
  if ((groupId ?? url) !== undefined && !known?.told) await arrived(id);
}

/** A tab may be one of a group now, or show something that can be attached to. */
async function arrived(id: number): Promise<void> {
  const tab = await quietly(chrome.tabs.get(id));
  const grant = tab && grantOf(tab);
  if (grant && listening.has(grant.server)) await quietly(take(tab, grant));
}
