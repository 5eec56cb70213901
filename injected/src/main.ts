// The agent: what cicerone runs inside every frame, in a world of its own. It defines one frozen
// object, `cicerone`, whose `call` takes the name of a function with its arguments as JSON and answers
// in JSON; the rest hands live elements to and from the driver.

import { drags } from "./acting/carry";
import { force } from "./acting/force";
import { frames, standGuard } from "./acting/guard";
import { lists } from "./acting/lists";
import { pick, unpick } from "./acting/pick";
import { ready } from "./acting/ready";
import { scroll } from "./acting/scroll";
import { through } from "./acting/through";
import { travel } from "./acting/travel";
import { wait } from "./acting/waiting";
import { Failure } from "./failure";
import { read } from "./fields/field";
import { fill } from "./fields/fill";
import { focus, focused } from "./fields/focus";
import { insert } from "./fields/insert";
import { listens } from "./fields/promises";
import { select } from "./fields/select";
import { attach, clearFiles, uploads } from "./fields/uploads";
import { query, tag } from "./page/dom";
import { begin, watch } from "./page/effects";
import { canonical, environment, permissionStates } from "./page/environment";
import { adopt, roots } from "./page/flat";
import { boxOf } from "./page/geometry";
import { mark } from "./page/listeners";
import { load } from "./page/load";
import { moves } from "./page/moves";
import { extent, scale } from "./page/picture";
import { seen } from "./page/seen";
import { videoBegin, videoFrame } from "./page/video";
import { Look } from "./semantics/look";
import { candidates } from "./snapshot/candidates";
import { snapshot } from "./snapshot/snapshot";
import { databasesRead, databasesWrite } from "./storage/databases";
import { storageRead, storageRemove, storageWrite } from "./storage/web";
import { examine } from "./targets/examine";
import { resolveNumber } from "./targets/heal";
import { elementOf, numberOf } from "./targets/numbers";
import { find, mentionOf } from "./targets/target";

// Arguments come from our own driver, which has typed them; they are not checked a second time.
const FUNCTIONS = new Map<string, (args: any) => unknown>(
  Object.entries({
    snapshot, find, examine, ready, frames, through, fill, read, select, scroll, wait, pick, unpick, focus, describe, uploads, clearFiles,
    attach, focused, force, travel, begin, watch,
    storageRead, storageWrite, storageRemove, databasesRead, databasesWrite, insert, extent, scale, load,
    environment, canonical, permissionStates, videoBegin, videoFrame,
  }),
);

function describe(args: { num: number }): object {
  const { el } = resolveNumber(args.num);
  const look = new Look();
  return { ...mentionOf(el, look), tag: tag(el), box: boxOf(el), visible: seen(el, look) };
}

/** The elements that hold frames, by number, each with its window: a driver knows frames by their windows. */
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

/** JSON without lone surrogates, which strict readers refuse. `stringify` writes exactly those as escapes. */
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

// Evaluated a second time in the same world, the first agent stays: its numbers are out already. Only an
// own property counts, for an element with this id would answer to the name as well.
if (!Object.hasOwn(globalThis, "cicerone")) {
  standGuard();
  const agent = { call, node: elementOf, number: numberOf, mark, adopt, candidates, frameWindows, moves, drags, lists, listens };
  Object.defineProperty(globalThis, "cicerone", { value: Object.freeze(agent) });
}
