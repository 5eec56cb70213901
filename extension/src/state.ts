// What must outlive the worker: which tabs each server may use, and what the person said about it. Chrome keeps it until the
// browser ends; then the tabs are others anyway.

import type { Setup } from "./cdp";

/** What a server is allowed: tabs of its groups, and others that cannot be in a group. */
export interface Grant {
  server: string;
  client: string;
  groups: number[];
  loose: number[];
  /** Paused: attached, but commands are refused. Stopped: detached too. */
  mode: "on" | "paused" | "stopped";
  /** Whether the person allowed cookies and storage. */
  storage: boolean;
  lastAction: string;
  /** Whether the debugger may be attached to its tabs. */
  attached: boolean;
}

export const grants = new Map<string, Grant>();
/** Set-up commands of each tab, to be sent again when the debugger had to be attached again. */
export const setups = new Map<number, Setup>();
/** The same for as long as this browser runs. */
export let instance = "";

/** Resolves when the above is what it was before the worker ended. */
export const restored = restore();

async function restore(): Promise<void> {
  const kept = await chrome.storage.session.get(null);
  instance = kept.instance ?? crypto.randomUUID();
  if (!kept.instance) await chrome.storage.session.set({ instance });
  for (const grant of (kept.grants ?? []) as Grant[]) grants.set(grant.server, grant);
  for (const key in kept) if (Number(key)) setups.set(Number(key), kept[key]);
}

export function saveGrants(): void {
  chrome.storage.session.set({ grants: [...grants.values()] });
}

const unsaved = new Set<number>();

export function saveSetup(tab: number): void {
  if (unsaved.size === 0) setTimeout(writeSetups, 50);
  unsaved.add(tab);
}

function writeSetups(): void {
  for (const tab of unsaved) {
    const setup = setups.get(tab);
    if (setup) chrome.storage.session.set({ [tab]: setup });
    else chrome.storage.session.remove(`${tab}`);
  }
  unsaved.clear();
}

/**
 * The grant of a server: its own, or that of an earlier server for the same client, which is gone. Any program can give that
 * client's name, so what the person allowed beyond the tabs is not handed on.
 */
export function grantFor(server: string, client: string, live: Map<string, unknown>): Grant {
  const orphan = [...grants.values()].find((it) => it.client === client && !live.has(it.server));
  const fresh: Grant = { server, client, groups: [], loose: [], mode: "on", storage: false, lastAction: "", attached: false };
  const grant = grants.get(server) ?? Object.assign(orphan ?? fresh, { storage: false });
  grants.delete(grant.server);
  grant.server = server;
  grants.set(server, grant);
  saveGrants();
  return grant;
}
