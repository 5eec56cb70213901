// Actionability, the gesture guard, and waiting for text.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

const USE = ["attached", "visible", "stable", "enabled", "hit"];
const ready = (name, html, target, expect, { needs = USE, timeout = 150, ...args } = {}) => ({
  name,
  html,
  call: ["ready", { target, needs, timeout, ...args }],
  expect,
});
const obstacle = (reason, more = {}) => ({ error: { kind: "timeout", reason, ...more } });
const later = (ms, code) => `<script>setTimeout(() => { ${code} }, ${ms})</script>`;
const css = "button";

suite("ready", [
  ready("at once", "<button style='position:absolute;left:10px;top:20px;width:100px;height:40px'>Go</button>", { css },
    { role: "button", name: "Go", tag: "button", type: "submit", x: 60, y: 40, box: { x: 10, y: 20, width: 100, height: 40 } }),
  ready("at a position", "<button style='position:absolute;left:10px;top:20px;width:100px;height:40px'>Go</button>", { css }, { x: 15, y: 26 }, { position: { x: 5, y: 6 } }),
  ready("without being seen", "<button hidden>Go</button>", { css }, { name: "Go" }, { needs: ["attached"] }),
  ready("when it appears", later(60, "document.body.innerHTML = '<button>Go</button>'"), { css }, { name: "Go" }, { timeout: 2000 }),
  ready("when it is shown", `<button hidden>Go</button>${later(60, "document.querySelector('button').hidden = false")}`, { css }, { name: "Go" }, { timeout: 2000 }),
  ready("when it is enabled", `<button disabled>Go</button>${later(60, "document.querySelector('button').disabled = false")}`, { css }, { name: "Go" }, { timeout: 2000 }),
  ready("when the cover goes", `<button>Go</button><div id=c style='position:fixed;inset:0'></div>${later(60, "c.remove()")}`, { css }, { name: "Go" }, { timeout: 2000 }),
  ready("when it is replaced while waiting", `<button disabled>Go</button>${later(60, "document.querySelector('button').outerHTML = '<button>Go</button>'")}`, { role: "button" }, { name: "Go" }, { timeout: 2000 }),
  ready("not there", "", { css }, { error: { kind: "none" } }),
  ready("several", "<button>a</button><button>b</button>", { css }, { error: { kind: "many", count: 2 } }, { timeout: 60000 }),
  ready("hidden", "<button style='visibility:hidden'>Go</button>", { css }, obstacle("hidden", { role: "button", name: "Go" })),
  ready("of no size", "<button style='width:0;height:0;padding:0;border:0;overflow:hidden'></button>", { css }, obstacle("hidden")),
  ready("disabled", "<button disabled>Go</button>", { css }, obstacle("disabled")),
  ready("disabled by a fieldset", "<fieldset disabled><button>Go</button></fieldset>", { css }, obstacle("disabled")),
  ready("disabled by aria", "<div aria-disabled=true><button>Go</button></div>", { css }, obstacle("disabled")),
  ready("read-only", "<input readonly>", { css: "input" }, obstacle("readonly"), { needs: ["editable"] }),
  ready("outside", "<button style='position:fixed;left:-500px'>Go</button>", { css }, obstacle("outside")),
  ready("covered by a dialog", "<button>Go</button><div role=dialog aria-label=Cookies style='position:fixed;inset:0'><p>We use cookies</p></div>", { css },
    obstacle("covered", { name: "Go", by: { role: "dialog", name: "Cookies" } })),
  ready("covered by something without a name", "<button>Go</button><div style='position:fixed;inset:0'><i>Loading</i></div>", { css }, obstacle("covered", { by: { role: "generic", name: "Loading" } })),
  ready("covered by a modal dialog", "<button>Go</button><dialog id=d aria-label=Ask>?</dialog><script>d.showModal()</script>", { css }, obstacle("covered", { by: { role: "dialog", name: "Ask" } })),
  ready("covered in the middle only", "<button style='width:200px;height:60px'>Go</button><div style='position:absolute;left:80px;top:20px;width:60px;height:40px'></div>", { css }, { x: 58 }),
  ready("moving", "<style>@keyframes m{to{transform:translateX(900px)}}</style><button style='animation:m 5s linear'>Go</button>", { css }, obstacle("moving")),
  ready("after it moved", "<style>@keyframes m{from{transform:translateX(300px)}}</style><button style='position:absolute;left:0;width:100px;animation:m .2s linear'>Go</button>", { css }, { box: { x: 0 } }, { timeout: 3000 }),
  ready("while only its colour changes", "<style>@keyframes m{to{color:red}}</style><button style='animation:m 5s infinite'>Go</button>", { css }, { name: "Go" }),
  ready("below the fold", "<div style='height:3000px'></div><button>Go</button><div style='height:3000px'></div>", { css }, { name: "Go" }),
  ready("in a scrolled box", "<div style='height:50px;overflow:auto'><div style='height:900px'></div><button>Go</button></div>", { css }, { name: "Go" }),
  ready("under a sticky header", "<style>header{position:fixed;top:0;height:400px;width:100%;background:red}</style><header>H</header><div style='height:1500px'></div><button>Go</button><div style='height:3000px'></div>", { css }, { name: "Go" }),
  ready("by the label of a hidden check box", "<input type=checkbox id=c hidden><label for=c style='position:absolute;left:50px'>Agree</label>", { css: "input" }, { role: "checkbox", name: "Agree", box: { x: 50 } }),
  ready("by the control of a label", "<label style='display:block'><input style='width:100%;display:block'></label>", { css: "label" }, { tag: "label" }),
  ready("nothing reaches what lets the pointer through", "<button><i style='pointer-events:none'>icon</i></button>", { css: "i" }, obstacle("through", { by: { role: "button", name: "icon" } })),
  ready("what pulses for ever", "<style>@keyframes p { 50% { transform: scale(1.3) } } button { animation: p .4s infinite }</style><button>Buy</button>", { css }, { name: "Buy" }),
  ready("without a box of its own", "<div style='display:contents'><b>text</b></div>", { css: "div" }, { tag: "div" }),
  ready("in a hidden document's place", "<a href=#>first <br> second line</a>", { css: "a" }, { role: "link" }),
  {
    name: "spends no frame on what stands still",
    html: "<button>Go</button>",
    run: async (tab) => {
      const ms = await tab.evaluate(`(async () => { const args = JSON.stringify({ target: { css: "button" }, needs: ${JSON.stringify(USE)}, timeout: 1000 });
        await cicerone.call("ready", args); const start = performance.now(); for (let i = 0; i < 20; i++) await cicerone.call("ready", args);
        return (performance.now() - start) / 20; })()`);
      assert.ok(ms < 5, `${ms} ms`);
    },
  },
]);

const press = async (tab, before) => {
  const { x, y } = await tab.call("ready", { target: { css }, needs: USE, timeout: 500, arm: "click" });
  await before?.(tab);
  await tab.page.mouse.click(x, y);
  const landing = await tab.call("frames", { count: 2 });
  return { landing, clicks: await tab.page.evaluate("window.clicks ?? []") };
};
const count = "<script>window.clicks = []; for (const type of ['pointerdown', 'click']) addEventListener(type, (e) => clicks.push(e.target.tagName + ' ' + type), true)</script>";
const dodge = "document.body.insertAdjacentHTML('beforeend', '<div role=alert aria-label=Oops style=\"position:fixed;inset:0\"></div>')";

suite("guard", [
  {
    name: "lets a gesture on its target pass",
    html: `<button>Go <b>now</b></button>${count}`,
    call: (tab) => press(tab),
    expect: { landing: { hit: "target" }, clicks: ["B pointerdown", "B click"] },
  },
  {
    name: "keeps a gesture that misses from the page",
    html: `<button>Go</button>${count}`,
    call: (tab) => press(tab, () => tab.page.evaluate(dodge)),
    expect: { landing: { hit: "missed", by: { role: "alert", name: "Oops" } }, clicks: [] },
  },
  { name: "tells that nothing happened", html: "<button>Go</button>", call: ["frames", { count: 1 }], expect: { hit: "unarmed" } },
  {
    name: "is off after it told",
    html: `<button>Go</button>${count}`,
    call: async (tab) => {
      await press(tab);
      await tab.page.evaluate(dodge);
      await tab.page.mouse.click(500, 500);
      return tab.page.evaluate("clicks.length");
    },
    expect: 4,
  },
  {
    name: "passes a label's click for its control",
    html: `<label>Agree <button>x</button></label>${count}`.replace("<button>x</button>", "<input type=checkbox class=button>"),
    call: async (tab) => {
      await tab.call("ready", { target: { css: "input" }, needs: USE, timeout: 500, arm: "click" });
      await tab.page.mouse.click(20, 17);
      return tab.call("frames", { count: 1 });
    },
    expect: { hit: "target" },
  },
  {
    name: "tells what a pointer hovers",
    html: "<button>Go</button>",
    call: async (tab) => {
      const { x, y } = await tab.call("ready", { target: { css }, needs: USE, timeout: 500, arm: "hover" });
      await tab.page.mouse.move(x, y);
      return tab.call("frames", { count: 2 });
    },
    expect: { hit: "target" },
  },
]);

const inFrame = (style, more = "") => `<iframe style="position:absolute;left:100px;top:50px;width:300px;height:200px;border:5px solid;padding:7px;${style}" srcdoc="x"></iframe>${more}`;
const through = (tab) => tab.number("iframe").then((num) => tab.call("frameOffset", { num, x: 10, y: 20 }));

suite("frameOffset", [
  { name: "adds border and padding", html: inFrame(""), call: through, expect: { x: 122, y: 82 } },
  { name: "scales", html: inFrame("transform:scale(2);transform-origin:0 0"), call: through, expect: { x: 144, y: 114 } },
  { name: "sees a cover", html: inFrame("", "<div role=dialog aria-label=D style='position:fixed;inset:0'></div>"), call: through, expect: obstacle("covered", { by: { name: "D" } }) },
  { name: "sees what is outside", html: inFrame("left:-400px"), call: through, expect: obstacle("outside") },
]);

suite("wait", [
  { name: "for text that is there", html: "<p>Hello <b>wor</b>ld</p>", call: ["wait", { text: "Hello  world", timeout: 0 }], expect: {} },
  { name: "for text that comes", html: `<p>x</p>${later(80, "document.body.append('done now')")}`, call: ["wait", { text: "done now", timeout: 3000 }], expect: {} },
  { name: "for text that is shown", html: `<p hidden>done</p>${later(80, "document.querySelector('p').hidden = false")}`, call: ["wait", { text: "done", timeout: 3000 }], expect: {} },
  { name: "for text that goes", html: `<p>busy</p>${later(80, "document.querySelector('p').remove()")}`, call: ["wait", { gone: "busy", timeout: 3000 }], expect: {} },
  { name: "for text in a shadow root that comes", html: `<div id=h></div>${later(80, "const r = h.attachShadow({mode:'open'}); r.innerHTML = '<p>deep</p>'; document.body.append('x')")}`, call: ["wait", { text: "deep", timeout: 3000 }], expect: {} },
  {
    name: "for text in a shadow root that nothing announces",
    html: `<div id=h style="width:50px;height:50px;overflow:hidden"></div>${later(80, "h.attachShadow({mode:'open'}).innerHTML = '<p>deep</p>'")}`,
    call: async (tab) => {
      const start = performance.now();
      return { ...(await tab.call("wait", { text: "deep", timeout: 20_000 })), soon: performance.now() - start < 5_000 };
    },
    expect: { soon: true },
  },
  { name: "for text as it is displayed", html: "<p style='text-transform:uppercase'>loud</p>", call: ["wait", { text: "LOUD", timeout: 0 }], expect: {} },
  { name: "for text as it is written", html: "<p style='text-transform:uppercase'>loud</p>", call: ["wait", { text: "loud", timeout: 0 }], expect: {} },
  { name: "in vain for hidden text", html: "<p hidden>done</p><input value=done>", call: ["wait", { text: "done", timeout: 60 }], expect: { error: { kind: "timeout", reason: "text" } } },
  { name: "in vain for another case", html: "<p>Done</p>", call: ["wait", { text: "done", timeout: 60 }], expect: { error: { kind: "timeout", reason: "text" } } },
  { name: "in vain for it to go", html: "<p>busy</p>", call: ["wait", { gone: "busy", timeout: 60 }], expect: { error: { kind: "timeout", reason: "text" } } },
]);
