// Navigations, also from pages that Chrome lets no extension use.

import { type Tab, until } from "./tab";

/** A tab at a page of Chrome's own can be led out of there, but only from outside. */
export async function navigate(tab: Tab, params: any): Promise<any> {
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
