// The part of Chrome's extension API that is used here, and nothing else of it.

interface Uint8Array { toHex(): string }

interface Listened<F> { addListener(listener: F): void }

interface Debuggee { tabId: number; sessionId?: string }

interface ChromeTab {
  id: number; windowId: number; groupId: number; openerTabId?: number;
  active: boolean; discarded: boolean; status?: string; url?: string; pendingUrl?: string; title?: string;
}

interface TabGroup { id: number; windowId: number }

interface TabChange { groupId?: number; url?: string; status?: string; title?: string }

declare const chrome: {
  action: {
    setBadgeText(details: { text: string }): Promise<void>;
    setBadgeBackgroundColor(details: { color: string }): Promise<void>;
    setTitle(details: { title: string }): Promise<void>;
  };
  alarms: { create(name: string, info: { periodInMinutes: number }): Promise<void>; onAlarm: Listened<() => void> };
  debugger: {
    attach(target: Debuggee, version: string): Promise<void>;
    detach(target: Debuggee): Promise<void>;
    sendCommand(target: Debuggee, method: string, params?: object): Promise<any>;
    onEvent: Listened<(source: Debuggee, method: string, params?: any) => void>;
    onDetach: Listened<(source: Debuggee, reason: string) => void>;
  };
  dom: { openOrClosedShadowRoot(element: Element): ShadowRoot | null };
  runtime: {
    getURL(path: string): string;
    sendMessage(message: unknown): Promise<any>;
    onMessage: Listened<(message: any, sender: unknown, respond: (value: unknown) => void) => boolean>;
    onStartup: Listened<() => void>;
    onInstalled: Listened<() => void>;
  };
  scripting: { executeScript(injection: { target: { tabId: number; allFrames?: boolean }; func: () => void }): Promise<unknown> };
  storage: { session: {
    get(key: null): Promise<Record<string, any>>;
    set(items: object): Promise<void>;
    remove(key: string): Promise<void>;
  } };
  tabGroups: { update(id: number, change: { title: string; color: string }): Promise<unknown>; query(what: object): Promise<TabGroup[]> };
  tabs: {
    get(id: number): Promise<ChromeTab>;
    create(options: { url: string; active: boolean; windowId?: number }): Promise<ChromeTab>;
    update(id: number, change: { active?: boolean; url?: string }): Promise<ChromeTab>;
    remove(id: number): Promise<void>;
    reload(id: number): Promise<void>;
    query(what: { active?: boolean; currentWindow?: boolean }): Promise<ChromeTab[]>;
    group(what: { tabIds: number; groupId?: number; createProperties?: { windowId: number } }): Promise<number>;
    ungroup(id: number): Promise<void>;
    onCreated: Listened<(tab: ChromeTab) => void>;
    onUpdated: Listened<(id: number, change: TabChange, tab: ChromeTab) => void>;
    onRemoved: Listened<(id: number) => void>;
    onReplaced: Listened<(added: number, removed: number) => void>;
  };
  windows: {
    create(options: { url: string; focused: boolean }): Promise<{ id: number; tabs: ChromeTab[] }>;
    getLastFocused(options: { windowTypes: string[] }): Promise<{ id: number }>;
    update(id: number, change: { focused: boolean }): Promise<unknown>;
  };
};
