// HTML snapshots: the same elements and numbers, with their markup.

import assert from "node:assert/strict";
import { suite } from "./check.mjs";

/** The answer as HTML without refs, one line each: roughly what the Rust side makes of it. */
const written = (nodes) => nodes.map(([depth, num, role, name, props]) => {
  const indent = " ".repeat(depth);
  if (num === 0) return `${indent}${name}`;
  const { tag, attributes, text } = props.markup;
  const list = attributes.map(([key, value]) => (value === "" ? ` ${key}` : ` ${key}=${JSON.stringify(value)}`)).join("");
  return `${indent}<${tag}${list}>${text ?? ""}`;
});

const html = (name, page, expect) => ({ name, html: page, run: async (tab) => assert.deepEqual(written(await tab.snapshot({ html: true })), expect) });

suite("markup", [
  html("tags, ids, links as they are written", `<nav id=main-nav><a href="/home">Home</a></nav><main><h1>Welcome</h1><button id=cta>Get <b>Started</b></button>
    <input type=search placeholder="Search..."></main>`, [
    '<nav id="main-nav">', ' <a href="/home">', "  Home", "<main>", " <h1>", "  Welcome", ' <button id="cta">', "  Get Started",
    ' <input type="search" placeholder="Search...">',
  ]),
  html("text and elements in each other stand in their order", "<h2>Title <a href=#>link</a> end</h2><p>Some <i>words</i></p>", [
    "<h2>", " Title", ' <a href="#">', "  link", " end", "<p>", " Some words",
  ]),
  html("values of fields, masked where secret", `<label>Name <input value=Ann name=n></label><input type=password value=secret aria-label=p><textarea aria-label=t>two
lines</textarea><input type=submit value=Send><select aria-label=s><option>A<option selected>B</select>`, [
    '<input name="n" value="Ann" aria-label="Name">', '<input type="password" value="••••••" aria-label="p">', '<textarea aria-label="t">two\nlines',
    '<input type="submit" value="Send">', '<select aria-label="s">', " <option>A", " <option selected>B",
  ]),
  html("states as they are now", `<input type=checkbox aria-label=a checked><button disabled>b</button><div role=tab aria-selected=true>c</div>
    <button aria-expanded=false>d</button><div role=checkbox aria-checked=mixed aria-label=e></div><input aria-label=f required readonly><button aria-pressed=true>g</button>
    <script>document.querySelector("input").checked = false; document.querySelector("input").indeterminate = true</script>`, [
    '<input type="checkbox" aria-label="a" aria-checked="mixed">', "<button disabled>", " b", '<div role="tab" aria-selected="true">', " c",
    '<button aria-expanded="false">', " d", '<div role="checkbox" aria-label="e" aria-checked="mixed">', '<input aria-label="f" required readonly>',
    '<button aria-pressed="true">', " g",
  ]),
  html("names that no text tells", `<img alt="A logo"><a href=/><img alt=Home></a><button><img alt=Pic></button><button><img alt=Pic> and words</button>
    <button aria-label=Close>×</button><fieldset><legend>Choose</legend><input aria-label=x></fieldset>`, [
    '<img alt="A logo">', '<a href="/">', ' <img alt="Home">', "<button>Pic", '<button aria-label="Pic and words">', " and words",
    '<button aria-label="Close">', " ×", '<fieldset aria-label="Choose">', ' <input aria-label="x">',
  ]),
  html("clickable bare elements and shadow roots", `<div onclick="1">Go</div><x-a></x-a><script>customElements.define("x-a", class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<p>In</p>"; } })</script>`, ["<div>", " Go", "<p>", " In"]),
  html("hidden things are not told", "<p hidden>a</p><p style='visibility:hidden'>b</p><p aria-hidden=true>&#xe001;</p>", []),
  {
    name: "the same elements have the same numbers in both",
    html: "<main><h1>Top</h1><ul><li><a href=/a>A</a></li></ul><div onclick=1>Go</div><label>N <input></label></main>",
    run: async (tab) => {
      const numbers = async (args) => (await tab.snapshot(args)).filter(([, num]) => num).map(([, num, role, name]) => [num, role, name]);
      assert.deepEqual(await numbers({ html: true }), await numbers({}));
    },
  },
  {
    name: "what was seen as html is recognised when it is rendered anew",
    html: "<main><a href=/x><p>One <b onclick=1>Two</b></p></a></main>",
    run: async (tab) => {
      await tab.snapshot({ html: true });
      const num = await tab.number("b");
      await tab.page.evaluate(() => { const main = document.querySelector("main"); main.innerHTML = main.innerHTML.slice(); });
      const { name } = await tab.call("describe", { num });
      assert.equal(name, "Two");
    },
  },
  {
    name: "without being asked for there is none of it",
    html: "<a href=/x>X</a>",
    run: async (tab) => assert.ok(!JSON.stringify(await tab.snapshot()).includes("markup")),
  },
]);
