// Commands to tabs, with what Chrome does otherwise for pages that it lets no extension use.

import { type Tab, until } from "./tab";

/** Sends a command to a tab or to one of its frames and workers. */
export function toPage(tab: Tab, child: string | undefined, method: string, params: any): Promise<any> {
  return method === "Page.navigate" ? navigate(tab, params) : tab.command(method, params, child);
}

/** A tab at a page of Chrome's own can be led out of there, but only from outside. */
async function navigate(tab: Tab, params: any): Promise<any> {
  try {
    return await tab.command("Page.navigate", params);
  } catch (error) {
    if (!/Cannot access|gallery|not attached/.test(String(error)) || tab.grant.mode === "stopped") throw error;
    await chrome.tabs.update(tab.id, { url: "about:blank" });
    await until(tab.id, ({ url }) => url === "about:blank");
    await tab.recover();
    return tab.command("Page.navigate", params);
  }
}
