// Actions on elements without the pointer: forced clicks and fills, files from data, scrolling, focus.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

const log = `<script>window.seen = []; for (const type of ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "input", "change"])
  document.addEventListener(type, (e) => seen.push(type + (e.ctrlKey ? "+ctrl" : "")))</script>`;
const left = { button: "left", count: 1, held: [] };

const forced = (name, html, how, more) => ({
  name,
  html: html + log,
  run: async (tab) => {
    contains(await tab.call("force", { num: await tab.number("#a"), ...left, ...how }), {});
    await more(tab);
  },
});
const heard = (words) => async (tab) => assert.equal(await tab.page.evaluate("seen.join(' ')"), words);

suite("force", [
  forced("what is not displayed", "<button id=a style='display:none'>x</button>", {}, heard("pointerdown mousedown mouseup click")),
  forced("twice, with a key held", "<b id=a>x</b>", { count: 2, held: ["control"] },
    heard("pointerdown+ctrl mousedown+ctrl mouseup+ctrl click+ctrl pointerdown+ctrl mousedown+ctrl mouseup+ctrl click+ctrl dblclick+ctrl")),
  forced("with the right button", "<b id=a>x</b>", { button: "right" }, heard("pointerdown mousedown contextmenu mouseup auxclick")),
  forced("a check box is switched", "<input id=a type=checkbox hidden>", {}, async (tab) => assert.equal(await tab.evaluate("document.getElementById('a').checked"), true)),
  forced("a form is sent", "<form onsubmit='seen.push(`sent`); return false'><button id=a style='display:none'>x</button></form>", {}, async (tab) =>
    assert.match(await tab.page.evaluate("seen.join(' ')"), /sent/)),
  forced("what goes away at the first click gets no second", "<b id=a onclick='this.remove()'>x</b>", { count: 2 },
    heard("pointerdown mousedown mouseup click")),
]);

const imposed = (html, args, value) => ({
  name: `impose ${JSON.stringify(args)} on ${html}`,
  html: html + log,
  run: async (tab) => {
    const num = await tab.number(":is(input, textarea, [contenteditable])");
    contains(await tab.call("fill", { num, force: true, ...args }), { how: "set", imposed: true });
    contains(await tab.call("read", { num }), { value });
    assert.equal(await tab.page.evaluate("seen.join()"), "input,change");
  },
});

suite("forced fill", [
  imposed("<input readonly value=old>", { value: "new" }, "new"),
  imposed("<input hidden value=old>", { value: "new", append: true }, "oldnew"),
  imposed("<textarea disabled>old</textarea>", { value: "new" }, "new"),
  imposed("<input type=hidden value=old>", { value: "new" }, "new"),
  imposed("<div contenteditable>old</div>", { value: "new" }, "new"),
]);

const choose = (name, attributes, values, expect) => ({
  name,
  html: `<select ${attributes}><option value=a selected>A<option value=b>a<option value=c>C</select>`,
  run: async (tab) => contains(await tab.call("select", { num: await tab.number("select"), values, only: true }), expect),
});

suite("select only", [
  choose("by value", "", [{ value: "b" }], { selected: [{ value: "b" }] }),
  choose("a value is no label", "", [{ value: "A" }], { error: { kind: "misfit", message: /no option with the value "A"/, options: ["A", "a", "C"] } }),
  choose("by label, to the letter first", "", [{ label: "a" }], { selected: [{ value: "b" }] }),
  choose("by index", "", [{ index: 2 }], { selected: [{ value: "c" }] }),
  choose("no such index", "", [{ index: 3 }], { error: { kind: "misfit", message: /index 3/ } }),
  choose("several, and no others", "multiple", [{ value: "b" }, { index: 2 }], { selected: [{ value: "b" }, { value: "c" }] }),
  choose("several of one", "", [{ value: "b" }, { value: "c" }], { error: { kind: "misfit", message: /takes one option, not 2/ } }),
  choose("none of several", "multiple", [], { selected: [] }),
]);

suite("attach", [
  {
    name: "files get their names, types and bytes",
    html: `<input type=file multiple hidden>${log}`,
    run: async (tab) => {
      const files = [{ name: "a.txt", type: "text/plain", base64: "aGVsbG8=" }, { name: "b", type: "", base64: "AP8=" }];
      contains(await tab.call("attach", { num: await tab.number("input"), files }), { names: ["a.txt", "b"] });
      const told = await tab.page.evaluate(`Promise.all(Array.from(document.querySelector("input").files, async (file) =>
        [file.name, file.type, Array.from(new Uint8Array(await file.arrayBuffer())).join()].join(" ")))`);
      assert.deepEqual(told, ["a.txt text/plain 104,101,108,108,111", "b  0,255"]);
      assert.equal(await tab.page.evaluate("seen.join()"), "input,change");
    },
  },
]);

const tall = "<style>html{scroll-behavior:smooth}</style><div style='height:3000px;width:3000px'></div><b id=a>x</b><div style='height:3000px'></div>";
const go = { smooth: false, timeout: 3000 };

suite("scrollBy", [
  { name: "by a distance", html: tall, call: ["scrollBy", { by: { x: 0, y: 300 }, ...go }], expect: { x: 0, y: 300, moved: true } },
  { name: "no further than the edge", html: tall, call: ["scrollBy", { by: { x: 0, y: -300 }, ...go }], expect: { y: 0, moved: false } },
  { name: "to a position", html: tall, call: ["scrollBy", { to: { x: 40, y: 50 }, ...go }], expect: { x: 40, y: 50, moved: true } },
  { name: "gliding", html: tall, call: ["scrollBy", { by: { x: 0, y: 900 }, ...go, smooth: true }], expect: { y: 900, moved: true } },
  { name: "gliding nowhere", html: tall, call: ["scrollBy", { by: { x: 0, y: -1 }, ...go, smooth: true }], expect: { y: 0, moved: false } },
  {
    name: "an element to the top",
    html: tall,
    run: async (tab) => contains(await tab.call("scrollBy", { num: await tab.number("#a"), block: "start", ...go }), { moved: true, visible: true }),
  },
  {
    name: "gliding through a container and the page to their ends",
    html: "<div style='height:4000px'></div><div style='height:100px;overflow:auto'><div style='height:200px'></div><b id=a>x</b><div style='height:900px'></div></div><div style='height:4000px'></div>",
    run: async (tab) => {
      const there = { num: await tab.number("#a"), block: "start", ...go };
      contains(await tab.call("scrollBy", { ...there, smooth: true }), { moved: true, visible: true });
      contains(await tab.call("scrollBy", there), { moved: false, visible: true });
    },
  },
  {
    name: "a container",
    html: "<form id=a style='height:100px;overflow:auto'><input name=scrollTop><div style='height:900px'></div></form>",
    run: async (tab) => contains(await tab.call("scrollBy", { num: await tab.number("#a"), by: { x: 0, y: 50 }, ...go }), { y: 50, moved: true }),
  },
  {
    name: "what fills a window that cannot be scrolled",
    html: "<style>body{margin:0}</style><main aria-label=Feed style='height:100vh;overflow:auto'><div style='height:3000px'></div></main>",
    call: ["scrollBy", { by: { x: 0, y: 70 }, ...go }],
    expect: { y: 70, moved: true, instead: { role: "main", name: "Feed" } },
  },
]);

suite("focus", [
  {
    name: "the caret goes to the end, once",
    html: "<input id=a value=old><div id=b>x</div>",
    run: async (tab) => {
      const num = await tab.number("#a");
      contains(await tab.call("focus", { num }), { focused: true, value: "old", masked: false });
      assert.equal(await tab.page.evaluate("a.selectionStart"), 3);
      await tab.page.evaluate("a.setSelectionRange(1, 1)");
      contains(await tab.call("focus", { num }), { focused: true });
      assert.equal(await tab.page.evaluate("a.selectionStart"), 1);
      contains(await tab.call("focused", {}), { found: { num, role: "textbox" }, frame: false });
      contains(await tab.call("focus", { num: await tab.number("#b") }), { focused: false });
    },
  },
  { name: "nobody has it", html: "<input>", call: ["focused", {}], expect: { found: undefined } },
]);
