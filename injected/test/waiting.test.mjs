// Waiting for elements and patterns, and the element picker.

import assert from "node:assert/strict";
import { suite } from "./check.mjs";

const later = (ms, script) => `<script>setTimeout(() => { ${script} }, ${ms})</script>`;
const waits = (name, html, args, expect = {}) => ({ name, html, call: ["wait", { timeout: 3000, ...args }], expect });
const late = (name, html, args, error) => waits(name, html, { timeout: 50, ...args }, { error });

const p = { css: "p" };

suite("waiting for elements", [
  waits("one that is there", "<p hidden>x</p><p>y", { target: p, state: "visible" }, { role: "paragraph", name: "y" }),
  waits("one that comes", later(60, "document.body.append(document.createElement('p'))"), { target: p, state: "attached" }),
  waits("one that is shown", `<p hidden>x</p>${later(60, "document.querySelector('p').hidden = false")}`, { target: p, state: "visible" }),
  waits("one that is hidden", `<p>x</p>${later(60, "document.querySelector('p').hidden = true")}`, { target: p, state: "hidden" }),
  waits("one that is not there is hidden", "x", { target: p, state: "hidden" }),
  waits("one that goes", `<p>x</p>${later(60, "document.querySelector('p').remove()")}`, { target: p, state: "detached" }),
  late("one that stays hidden is told", "<p hidden>x</p>", { target: p, state: "visible" }, { kind: "timeout", reason: "element", state: "hidden" }),
  late("one that stays is told", "<p>x</p>", { target: p, state: "detached" }, { kind: "timeout", state: "visible", role: "paragraph" }),
  late("none", "x", { target: p, state: "attached" }, { kind: "timeout", reason: "element" }),
  late("a bad selector is told at once", "x", { target: { css: "p[" }, state: "visible", timeout: 9000 }, { kind: "invalid" }),
  {
    name: "a number whose element went",
    html: "<button>x</button>",
    run: async (tab) => {
      const ref = await tab.number("button");
      await tab.page.evaluate(() => document.querySelector("button").remove());
      assert.deepEqual(await tab.call("wait", { target: { ref }, state: "detached", timeout: 0 }), {});
      assert.equal((await tab.call("wait", { target: { ref }, state: "visible", timeout: 0 })).error.kind, "stale");
    },
  },
]);

suite("waiting for patterns", [
  waits("a pattern", "<p>Order 1234 sent", { text: { pattern: "order \\d+", flags: "ig" } }),
  waits("a pattern that goes", `<p>3 left</p>${later(60, "document.querySelector('p').textContent = 'none'")}`, { gone: { pattern: "\\d left", flags: "" } }),
  late("what is there instead", "<p>Loading…", { text: { pattern: "^done", flags: "" } }, { kind: "timeout", reason: "text", text: "Loading…" }),
  late("a bad pattern", "x", { text: { pattern: "(", flags: "" } }, { kind: "invalid" }),
]);

const picture = `<style>* { all: unset }</style><button style="position:fixed;left:10px;top:10px;width:100px;height:40px">Buy</button>
  <script>seen = []; for (const type of ["mousemove", "pointerdown", "click", "keydown"]) addEventListener(type, (event) => {
    // When the picker is removed, the browser reports the pointer's position again without a movement.
    if (type !== "mousemove" || event.movementX || event.movementY) seen.push(type);
  }, true);
  Element.prototype.attachShadow = () => { throw new Error("mine") }</script>`;

const picking = (name, gestures, expect) => ({
  name, html: picture,
  run: async (tab) => {
    const picked = tab.call("pick", { timeout: 5000 });
    await tab.evaluate("1"); // Same channel, so it has started now.
    await gestures(tab);
    const answer = await picked;
    for (const [key, value] of Object.entries(expect)) assert.equal(key === "kind" ? answer.error?.kind : answer[key], value);
    assert.deepEqual(await tab.page.evaluate(() => [seen, document.documentElement.children.length]), [[], 2], "the page hears of nothing, and nothing is left");
  },
});

suite("picking", [
  picking("a click chooses", (tab) => tab.page.mouse.click(50, 30), { role: "button", name: "Buy" }),
  picking("Escape gives up", (tab) => tab.page.keyboard.press("Escape"), { kind: "misfit" }),
  picking("it can be ended", (tab) => tab.call("unpick"), { kind: "none" }),
  {
    name: "what the pointer is over is framed",
    html: picture,
    run: async (tab) => {
      const picked = tab.call("pick", { timeout: 5000 });
      await tab.evaluate("1");
      await tab.page.mouse.move(50, 30);
      const host = await tab.page.evaluate(() => { const host = document.documentElement.lastElementChild; return [host.matches(":popover-open"), host.shadowRoot] });
      assert.deepEqual(host, [true, null]);
      await tab.call("unpick");
      await picked;
    },
  },
  { name: "nobody picks", html: picture, call: ["pick", { timeout: 20 }], expect: { error: { kind: "timeout", reason: "picked" } } },
]);

suite("boxes", [
  {
    name: "a snapshot tells boxes when asked",
    html: picture,
    run: async (tab) => {
      const told = await tab.snapshot({ bounds: true });
      assert.deepEqual(told.find(([, , role]) => role === "button")[4].box, { x: 10, y: 10, width: 100, height: 40 });
    },
  },
]);
