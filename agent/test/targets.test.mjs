// Which element is meant, and what is said when it is none or several.

import { suite } from "./check.mjs";

const page = `<button>Save</button><button>Save as…</button><a href=#>  Save   all </a><label>Full name <input placeholder="Your name"></label>
  <img alt="A logo" title="Home page"><div data-testid=box>Some <b>bold words</b></div><input type=submit value=Send><button hidden>Ghost</button>
  <input aria-label="By aria"><input aria-labelledby=l><span id=l>By reference</span><div role=button aria-hidden=true>Ghost</div>`;

const one = (name, target, expect) => ({ name, html: page, call: ["find", { target }], expect });

suite("targets", [
  one("css", { css: "input[type=submit]" }, { role: "button", name: "Send", count: 1 }),
  one("xpath", { xpath: "//div/b" }, { name: "bold words" }),
  one("role", { role: "img" }, { name: "A logo" }),
  one("role and part of its name in any case", { role: "button", name: "AVE AS" }, { name: "Save as…" }),
  one("role and exact name ignoring case and white space", { role: "link", name: "save ALL", exact: true }, { name: "Save all" }),
  one("role and exact name among longer ones", { role: "button", name: "save", exact: true }, { name: "Save" }),
  one("text in the smallest element", { text: "BOLD words" }, { name: "bold words" }),
  one("text across elements", { text: "some bold" }, { name: "Some bold words" }),
  one("text exactly", { text: "Save", exact: true }, { role: "button", name: "Save" }),
  one("text of a button's value", { text: "send" }, { role: "button", name: "Send" }),
  one("label", { label: "full NAME" }, { role: "textbox", name: "Full name" }),
  one("label by aria-label", { label: "By aria", exact: true }, { role: "textbox" }),
  one("label by reference", { label: "by reference" }, { role: "textbox" }),
  one("placeholder", { placeholder: "your" }, { role: "textbox" }),
  one("alt", { alt: "logo" }, { role: "img" }),
  one("title", { title: "Home page", exact: true }, { role: "img" }),
  one("testid", { testid: "box" }, { name: "Some bold words" }),
  one("nth", { role: "button", name: "save", nth: 1 }, { name: "Save as…", count: 2 }),
  one("nth from the end", { role: "button", nth: -1 }, { name: "Send" }),
  one("several", { role: "button", name: "save" }, { error: { kind: "many", count: 2, matches: [{ role: "button", name: "Save" }, { name: "Save as…" }] } }),
  one("none", { role: "button", name: "ghost" }, { error: { kind: "none" } }),
  one("nth out of range", { css: "button", nth: 9 }, { error: { kind: "none" } }),
  one("part of a test id", { testid: "bo" }, { error: { kind: "none" } }),
  one("bad css", { css: "a[" }, { error: { kind: "invalid", message: /not a valid selector/ } }),
  one("bad xpath", { xpath: "//[" }, { error: { kind: "invalid" } }),
  one("number never issued", { ref: 99 }, { error: { kind: "unknown", ref: 99 } }),
  one("nothing that is a target", {}, { error: { kind: "invalid" } }),
  {
    name: "all matches, and how many",
    html: "<p>x</p>".repeat(60),
    call: async (tab) => {
      const { matches, count } = await tab.call("find", { target: { css: "p" }, all: true });
      return { shown: matches.length, count };
    },
    expect: { shown: 50, count: 60 },
  },
  { name: "all matches of none", html: "", call: ["find", { target: { css: "p" }, all: true }], expect: { matches: [], count: 0 } },
  {
    name: "css through shadow roots",
    html: `<x-a class=card></x-a><script>customElements.define("x-a", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = "<section><div><button>In</button></div></section>"; } })</script>`,
    call: async (tab) => Promise.all(
      ["button", ".card button", "body .card section > div button", "section>div > button", "p, x-a[class='card'] button", "p button", ".card > button"].map(
        async (css) => (await tab.call("find", { target: { css }, all: true })).count,
      ),
    ),
    expect: [1, 1, 1, 1, 1, 0, 0],
  },
]);
