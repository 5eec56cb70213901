// Target resolution, and the errors for no or several matches.

import { suite } from "./check.mjs";

const page = `<button>Save</button><button>Save as…</button><a href=#>  Save   all </a><label>Full name <input placeholder="Your name"></label>
  <img alt="A logo" title="Home page"><div data-testid=box>Some <b>bold words</b></div><input type=submit value=Send><button hidden>Ghost</button>
  <input aria-label="By aria"><input aria-labelledby=l><span id=l>By reference</span><div role=button aria-hidden=true>Ghost</div>`;

const states = `<h1>Top</h1><h2>Sub</h2><div role=heading aria-level=2>Other</div><input type=checkbox aria-label=on checked><input type=checkbox aria-label=off>
  <div role=checkbox aria-checked=mixed aria-label=between></div><button aria-pressed=true>Bold</button><button aria-pressed=false>Italic</button><button>Plain</button>
  <button aria-expanded=true>Open</button><button aria-expanded=false>Closed</button><details><summary>Fold</summary></details><button disabled>Dead</button>
  <fieldset disabled><input aria-label=within></fieldset><div role=tab aria-selected=true>One</div><div role=tab>Two</div><button style="display:none">Ghost <b>button</b></button>`;

const lists = `<ul id=a><li>Apple <button>Buy</button></li><li>Banana <button>Buy</button><em>new</em></li></ul>
  <ul id=b><li><div><p>Cherry</p></div><button style="visibility:hidden">Sell</button></li></ul>
  <x-b></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super();
  this.attachShadow({ mode: "open" }).innerHTML = "<section><button>Deep</button></section>"; } })</script>`;

/** The names of all matches of a target. */
const all = (name, html, target, expect) => ({
  name, html, expect,
  call: async (tab) => (await tab.call("find", { target, all: true })).matches?.map((match) => match.name) ?? "failed",
});

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
  one("role and name to the letter", { role: "button", name: "Save", exact: "case" }, { name: "Save", count: 1 }),
  one("role and name in another case to the letter", { role: "button", name: "save", exact: "case" }, { error: { kind: "none" } }),
  one("text in another case exactly", { text: "save", exact: true }, { error: { kind: "none" } }),
  all("role and level", states, { role: "heading", level: 2 }, ["Sub", "Other"]),
  all("role and checked", states, { role: "checkbox", checked: true }, ["on"]),
  all("role and not checked, which in between is not", states, { role: "checkbox", checked: false }, ["off"]),
  all("role and pressed", states, { role: "button", pressed: true }, ["Bold"]),
  all("role and not pressed", states, { role: "button", pressed: false, name: "i" }, ["Italic", "Plain"]),
  all("role and expanded", states, { role: "button", expanded: true }, ["Open"]),
  all("role and collapsed, which what has nothing to open is not", states, { role: "button", expanded: false }, ["Closed", "Fold"]),
  all("role and disabled", states, { role: "button", disabled: true }, ["Dead"]),
  all("role and disabled by what is around", states, { role: "textbox", disabled: true }, ["within"]),
  all("role and selected", states, { role: "tab", selected: true }, ["One"]),
  all("role and not selected", states, { role: "tab", selected: false }, ["Two"]),
  all("hidden ones where asked for, by name", states, { role: "button", name: "ghost button", includeHidden: true }, ["Ghost button"]),
  all("hidden ones not unless asked for", states, { role: "button", name: "ghost" }, []),
  all("inside another", lists, { chain: [{ css: "#a" }, { role: "button" }] }, ["Buy", "Buy"]),
  all("inside several", lists, { chain: [{ role: "listitem" }, { role: "button", includeHidden: true }] }, ["Buy", "Buy", "Sell"]),
  all("never the one itself", lists, { chain: [{ css: "button" }, { css: "button" }] }, []),
  all("nested ones once each, in order", lists, { chain: [{ css: "ul, li" }, { text: "e" }] }, ["Apple Buy", "new", "Cherry", "Sell"]),
  all("inside a shadow root's host", lists, { chain: [{ css: "x-b" }, { css: "section" }, { role: "button" }] }, ["Deep"]),
  all("css relative to what it is in", lists, { chain: [{ css: "#b, #a" }, { css: "> li > button" }] }, ["Buy", "Buy", "Sell"]),
  all("xpath inside", lists, { chain: [{ css: "#b" }, { xpath: "//button" }] }, ["Sell"]),
  all("the nth of several, then inside", lists, { chain: [{ css: "li" }, { nth: 1 }, { role: "button" }] }, ["Buy"]),
  ...["text:Past week", "css"].map((way) => ({
    name: `the one that can be seen, by ${way}`,
    html: `<button role=tab>Past week</button><div hidden><h2>Past week</h2><input name=q></div><input name=q aria-label=Shown><input name=q style="visibility:hidden">`,
    call: ["find", { target: way === "css" ? { css: "input[name=q]" } : { text: "Past week" } }],
    expect: way === "css" ? { name: "Shown" } : { role: "tab" },
  })),
  {
    name: "hidden ones where nothing else matches",
    html: "<div hidden><b>one</b></div>",
    call: ["find", { target: { text: "one" } }],
    expect: { name: "one" },
  },
  {
    name: "of several that can be seen, only those are told",
    html: "<p>one</p><p>one</p><p hidden>one</p>",
    call: ["find", { target: { text: "one" } }],
    expect: { error: { kind: "many", count: 2 } },
  },
  all("the last", lists, { chain: [{ css: "li" }, { nth: -1 }] }, [/Cherry/]),
  all("past the last", lists, { chain: [{ css: "li" }, { nth: 3 }, { css: "button" }] }, []),
  all("those that have a text", lists, { chain: [{ css: "li" }, { filter: { hasText: "banana   BUY" } }] }, ["Banana Buy new"]),
  all("those that have it not", lists, { chain: [{ css: "li" }, { filter: { hasNotText: "Buy" } }] }, [/Cherry/]),
  all("those with something inside", lists, { chain: [{ css: "li" }, { filter: { has: { css: "em" } } }, { css: "button" }] }, ["Buy"]),
  all("those without", lists, { chain: [{ css: "li" }, { filter: { hasNot: { role: "button" } } }] }, [/Cherry/]),
  all("those that can be seen", lists, { chain: [{ css: "button" }, { filter: { visible: true } }] }, ["Buy", "Buy", "Deep"]),
  one("a chain that finds several", { chain: [{ css: "button" }] }, { error: { kind: "many" } }),
  {
    name: "inside a numbered element",
    html: lists,
    call: async (tab) => tab.call("find", { target: { chain: [{ ref: await tab.number("#b") }, { css: "p" }] } }),
    expect: { role: "paragraph", name: "Cherry", count: 1 },
  },
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
