// Messages of the Chrome DevTools Protocol, and the errors that are ours.

export interface Command { id?: number; method?: string; params?: any; sessionId?: string }

/** The codes that the server knows: what the person does not allow, and what the debugger's loss cut off. */
const WITHHELD = -32090;
const INTERRUPTED = -32091;

export class Refusal extends Error {
  constructor(message: string, readonly code = -32000) {
    super(message);
  }
}

export function withheld(message: string): Refusal {
  return new Refusal(message, WITHHELD);
}

/** chrome.debugger's errors are protocol errors as JSON, or plain words. */
export function errorOf(error: any): { code: number; message: string } {
  const message = String(error?.message ?? error);
  if (error instanceof Refusal) return { code: error.code, message };
  if (/^Detached while/.test(message)) return { code: INTERRUPTED, message };
  if (/^Cannot access|gallery/.test(message)) return { code: WITHHELD, message: `Chrome lets no extension use this page: ${message}` };
  try {
    return { code: -32000, ...JSON.parse(message) };
  } catch {
    return { code: -32000, message };
  }
}

/** What commands do to a page, in words for the popup. */
const ACTIONS: Record<string, string> = {
  "Page.navigate": "opened a page",
  "Page.reload": "reloaded the page",
  "Page.captureScreenshot": "took a screenshot",
  "Input.dispatchMouseEvent": "clicked",
  "Input.dispatchKeyEvent": "typed",
  "Input.insertText": "typed",
  "Target.createTarget": "opened a tab",
  "Target.closeTarget": "closed a tab",
};

export function actionOf(method: string, params: any): string | undefined {
  return /mouse(Moved|Released)/.test(params?.type) ? undefined : ACTIONS[method];
}

const STORAGE = /^(Storage|DOMStorage|IndexedDB|CacheStorage)\.|^Network\.\w*Cookie/;
const IN_PAGE_STORAGE = /^(storage|databases)(Read|Write|Remove)$/;

/** Whether a command reads or writes cookies or storage of sites. */
export function touchesStorage(method: string, params: any): boolean {
  return STORAGE.test(method) || IN_PAGE_STORAGE.test(params?.arguments?.[0]?.value);
}

const COOKIES = /cookie|headersText$/i;

/** The parameters of an event without cookies, which headers carry: as an object, or as a list of names and values. */
export function withoutCookies(params: any): any {
  return JSON.parse(JSON.stringify(params), (key, value) => {
    if (COOKIES.test(key)) return undefined;
    return Array.isArray(value) ? value.filter((header) => !COOKIES.test(header?.name)) : value;
  });
}

const SETUP = /\.enable$|^(Emulation|Network|Fetch|Page)\.set(?!DocumentContent|Cookie)|^Target\.setAutoAttach$/;
const ADDS = /^Runtime\.addBinding$|^Page\.addScriptToEvaluateOnNewDocument$/;

export type Setup = Record<string, [string, object | undefined]>;

/** Keeps the set-up commands that would have to be sent again. Whether that changed. */
export function noteSetup(setup: Setup, method: string, params?: object): boolean {
  const undone = method.replace(/\.disable$/, ".enable").replace("Emulation.clear", "Emulation.set");
  if (undone !== method) return delete setup[undone];
  const adds = ADDS.test(method);
  if (!adds && !SETUP.test(method)) return false;
  setup[adds ? method + JSON.stringify(params) : method] = [method, params];
  return true;
}

/** For what may fail because a tab or a group went away meanwhile. */
export function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
