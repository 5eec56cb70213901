// What the person sees of a server: on the badge, and in the popup.

import type { Server } from "./server";
import type { Grant } from "./state";

export interface View extends Partial<Grant> {
  server: string; client: string; connected: boolean; tabs: string[]; shared: boolean;
}

/** Text, colour, and what it means. */
const BADGES = {
  none: ["", "#777777", "no agent is connected"],
  connected: ["on", "#188038", "an agent is connected"],
  working: ["···", "#1a73e8", "an agent is working"],
  waiting: ["wait", "#e8710a", "an agent waits for you"],
} as const;

/** How long after a command a server is shown as working, in milliseconds. */
const WORKING = 1_000;

let shown = "";
let later: ReturnType<typeof setTimeout> | undefined;

export function badge(servers: Server[]): void {
  const open = servers.filter((server) => server.isOpen);
  const isWorking = open.some((server) => Date.now() - server.lastUsed < WORKING);
  const state = open.length === 0 ? "none" : open.some((server) => server.grant?.mode !== "on") ? "waiting"
    : isWorking ? "working" : "connected";
  if (isWorking) later ??= setTimeout(() => ((later = undefined), badge(servers)), WORKING + 50);
  if (state === shown) return;
  shown = state;
  const [text, color, title] = BADGES[state];
  chrome.action.setBadgeText({ text });
  chrome.action.setBadgeBackgroundColor({ color });
  chrome.action.setTitle({ title: `cicerone: ${title}` });
}
