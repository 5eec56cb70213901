// The popup: one part for each server.

import type { View } from "./view";

const main = document.querySelector("main") as HTMLElement;

async function show(act?: string, server?: string): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  const views: View[] = await chrome.runtime.sendMessage({ act, server, tab: tab?.id });
  main.replaceChildren(...(views.length ? views.map(part) : [line("No agent is connected. Start your client with cicerone --extension.")]));
}

function part(view: View): HTMLElement {
  const held = view.mode === "paused" || view.mode === "stopped";
  const button = (label: string, act: string): HTMLElement => {
    const made = make("button", label);
    made.onclick = () => void show(act, view.server);
    return made;
  };
  const section = make("section");
  section.append(
    make("h1", view.client), line(`State: ${held ? view.mode : view.connected ? "connected" : "connecting"}`),
    line(`Tabs: ${view.tabs.join(", ") || "none"}`), line(`Last action: ${view.lastAction || "none"}`),
    held ? button("Resume", "resume") : button("Pause", "pause"), button("Stop", "stop"),
    button(view.shared ? "Stop sharing this tab" : "Share this tab", "share"),
    button(view.storage ? "Forbid cookies and storage" : "Allow cookies and storage", "storage"),
  );
  return section;
}

function line(text: string): HTMLElement {
  return make("p", text);
}

function make(tag: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

show();
setInterval(show, 1_000);
