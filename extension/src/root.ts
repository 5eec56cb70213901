// The browser's own session: what a browser-level endpoint answers, answered with tabs and windows.

import { Refusal } from "./cdp";
import { type Grant } from "./state";
import { Tab } from "./tab";
import * as tabs from "./tabs";

type Answer = (grant: Grant, params: any) => Promise<object | void> | object | void;

const ROOT: Record<string, Answer> = {
  "Browser.getVersion": () => ({
    product: /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0], userAgent: navigator.userAgent,
  }),
  // Downloads go where the person's downloads go.
  "Browser.setDownloadBehavior": () => {},
  "Target.setAutoAttach": (grant) => tabs.listen(grant),
  "Target.getTargetInfo": async (grant, { targetId }) => {
    const tab = find(grant, targetId);
    const { url, title } = await chrome.tabs.get(tab.id);
    return { targetInfo: tab.described({ targetId, url, title }) };
  },
  "Target.detachFromTarget": (_, { sessionId }) => tabs.drop(Number(sessionId)),
  "Target.createTarget": async (grant, { url, newWindow }) => ({
    targetId: (await tabs.open(grant, url || "about:blank", newWindow)).targetId,
  }),
  "Target.closeTarget": (grant, { targetId }) => chrome.tabs.remove(find(grant, targetId).id),
  "Target.activateTarget": (grant, { targetId }) => chrome.tabs.update(find(grant, targetId).id, { active: true }),
};

/** Answers a command to the browser. Those of a page's domains concern all tabs, and go to any. */
export async function answer(grant: Grant, method: string, params: any): Promise<object | void> {
  const known = ROOT[method];
  if (known) return known(grant, params ?? {});
  const any = tabs.of(grant)[0];
  if (!any || !/^(Storage|Network)\./.test(method)) throw new Refusal(`an extension cannot send ${method}`, -32601);
  return any.command(method, params);
}

function find(grant: Grant, targetId: string): Tab {
  const tab = tabs.of(grant).find((it) => it.targetId === targetId);
  if (!tab) throw new Refusal("No target with given id found");
  return tab;
}
