// The injected script: runs in every frame, in an isolated world. It defines one frozen object, `cicerone`. Its `call`
// takes a function name and arguments as JSON and returns JSON; its other members exchange live elements with the
// driver.

import { drags } from "./acting/drag_and_drop";
import { force } from "./acting/force";
import { frames, standGuard } from "./acting/guard";
import { closeSelectPopups } from "./acting/select_popup";
import { pick, unpick } from "./acting/pick";
import { ready } from "./acting/ready";
import { scroll } from "./acting/scroll";
import { frameOffset } from "./acting/frame_offset";
import { scrollBy } from "./acting/scroll_by";
import { wait } from "./acting/waiting";
import { Failure } from "./failure";
import { read } from "./fields/field";
import { fill } from "./fields/fill";
import { focus, focused } from "./fields/focus";
import { insert } from "./fields/insert";
import { paste } from "./fields/paste";
import { listens } from "./fields/promises";
import { select } from "./fields/select";
import { showsChoice } from "./fields/stand_in";
import { attach, clearFiles, uploads } from "./fields/uploads";
import { query, tag } from "./page/dom";
import { begin, watch } from "./page/effects";
import { canonical, environment, permissionStates } from "./page/environment";
import { adopt, roots } from "./page/flat";
import { boxOf } from "./page/geometry";
import { mark } from "./page/listeners";
import { goneAnnouncements } from "./page/live";
import { fetchUrl } from "./page/fetch";
import { moves } from "./page/moves";
import { nextMutation } from "./page/next_mutation";
import { extent, scale } from "./page/picture";
import { rest } from "./page/rest";
import { seen } from "./page/visible";
import { videoBegin, videoFrame } from "./page/video";
import { Look } from "./semantics/look";
import { candidates } from "./snapshot/candidates";
import { snapshot } from "./snapshot/snapshot";
import { databasesRead, databasesWrite } from "./storage/databases";
import { storageRead, storageRemove, storageWrite } from "./storage/web";
import { elementInfo } from "./targets/element_info";
import { resolveNumber } from "./targets/heal";
import { connected, elementOf, numberOf } from "./targets/numbers";
import { find, mentionOf } from "./targets/target";

// Arguments come typed from our own driver and are not validated again.
const FUNCTIONS = new Map<string, (args: any) => unknown>(
  Object.entries({
    snapshot, find, elementInfo, ready, frames, frameOffset, fill, read, select, showsChoice, scroll, wait, pick, unpick, focus, describe, uploads, clearFiles,
    attach, focused, force, scrollBy, begin, watch, announced: goneAnnouncements, nextMutation, rest, connected,
    storageRead, storageWrite, storageRemove, databasesRead, databasesWrite, insert, extent, scale, fetchUrl,
    paste, environment, canonical, permissionStates, videoBegin, videoFrame,
  }),
);

function describe(args: { num: number }): object {
  const { el } = resolveNumber(args.num);
  const look = new Look();
  return { ...mentionOf(el, look), tag: tag(el), box: boxOf(el), visible: seen(el, look) };
}

/** Frame elements by number, each with its window: a driver identifies frames by their windows. */
function frameWindows(): [number, Window][] {
  const holders = roots().flatMap((root) => query(root, "iframe, frame, object, embed")) as HTMLIFrameElement[];
  return holders.flatMap((el) => (el.contentWindow ? [[numberOf(el), el.contentWindow]] : []));
}

function call(name: string, args: string): string | Promise<string> {
  try {
    const run = FUNCTIONS.get(name);
    if (!run) throw new Error(`no function ${name}`);
    const value = run(JSON.parse(args));
    return value instanceof Promise ? value.then(succeeded, failed) : succeeded(value);
  } catch (error) {
    return failed(error);
  }
}

function succeeded(value: unknown): string {
  return encode({ ok: value });
}

/** JSON without lone surrogates, which strict parsers refuse. `stringify` escapes exactly those. */
function encode(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|[^])/g, (escape) => (escape.startsWith("\\ud") ? "\ufffd" : escape));
}

function failed(error: unknown): string {
  if (error instanceof Failure) return encode({ error: error.problem });
  const message = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
  return encode({ error: { kind: "bug", message } });
}

declare global {
  var cicerone: unknown;
}

// If evaluated again in the same world, keep the first instance: its numbers are in use. Check for an own property,
// since an element with this id would be visible under the name as well.
if (!Object.hasOwn(globalThis, "cicerone")) {
  standGuard();
  const injected = { call, node: elementOf, number: numberOf, mark, adopt, candidates, frameWindows, moves, drags, closeSelectPopups, listens };
  Object.defineProperty(globalThis, "cicerone", { value: Object.freeze(injected) });
}
