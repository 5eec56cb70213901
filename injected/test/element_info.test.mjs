// Facts of the elements that match a target.

import { suite } from "./check.mjs";

const page = `<form id=f><label>Name <input id=name value=Ann placeholder="Your name" data-x="1"></label><label id=l>Agree <input type=checkbox id=agree checked></label>
  <input id=pass type=password value=hunter2><input id=off disabled value=no><select id=s><option value=1>One<option value=2 selected>Two</select>
  <textarea id=t readonly>two
lines</textarea></form><h2 style="text-transform:uppercase">Shouted <b>words</b></h2><p hidden id=gone>Not  shown</p><div id=box style="position:absolute;left:10px;top:20px;width:30px;height:40px"></div>
  <div id=e contenteditable>typed</div><div role=slider aria-valuenow=5 aria-label=vol></div><div role=checkbox aria-checked=mixed aria-label=mix></div>`;

const asked = (name, target, want, expect) => ({ name, html: page, call: ["elementInfo", { target, want }], expect });
const css = (selector) => ({ css: selector });

suite("elementInfo", [
  asked("counts, and names the first", css("input"), [], { count: 4, elements: [{ role: "textbox", name: "Name" }] }),
  asked("no match is an answer", css("video"), ["visible"], { count: 0, elements: [] }),
  asked("visible and enabled", css("#name"), ["visible", "enabled", "editable"], { elements: [{ visible: true, enabled: true, editable: true }] }),
  asked("hidden", css("#gone"), ["visible", "text"], { elements: [{ visible: false, text: "Not  shown" }] }),
  asked("disabled", css("#off"), ["enabled", "editable", "visible"], { elements: [{ enabled: false, editable: false, visible: true }] }),
  asked("read-only", css("#t"), ["enabled", "editable", "value"], { elements: [{ enabled: true, editable: false, value: "two\nlines" }] }),
  asked("checked", css("#agree"), ["checked"], { elements: [{ checked: true }] }),
  asked("checked, by the label", css("#l"), ["checked"], { elements: [{ checked: true }] }),
  asked("in between", { role: "checkbox", name: "mix" }, ["checked"], { elements: [{ checked: "mixed" }] }),
  asked("checked and value of what has none", css("h2"), ["checked", "value"], { elements: [{ checked: null, value: null }] }),
  asked("a choice's value", css("#s"), ["value"], { elements: [{ value: "2" }] }),
  asked("an editable element's value", css("#e"), ["value", "editable"], { elements: [{ value: "typed", editable: true }] }),
  asked("a widget's value", { role: "slider" }, ["value"], { elements: [{ value: "5" }] }),
  asked("a password is masked wherever it stands", css("#pass"), ["value", "attributes"], {
    elements: [{ value: "•••••••", attributes: [["id", "pass"], ["type", "password"], ["value", "•••••••"]] }],
  }),
  asked("text as it is shown", css("h2"), ["text"], { elements: [{ text: "SHOUTED WORDS" }] }),
  asked("its box and tag", css("#box"), ["box", "tag"], { elements: [{ box: { x: 10, y: 20, width: 30, height: 40 }, tag: "div" }] }),
  asked("one attribute", css("#name"), [{ attribute: "placeholder" }], { elements: [{ attributes: [["placeholder", "Your name"]] }] }),
  asked("an attribute that is not there", css("#name"), [{ attribute: "title" }], { elements: [{ attributes: [] }] }),
  asked("bad css", css("a["), [], { error: { kind: "invalid" } }),
  asked("a number never issued", { ref: 99 }, [], { error: { kind: "unknown" } }),
  {
    name: "nothing that is not asked for",
    html: page,
    call: async (tab) => Object.keys((await tab.call("elementInfo", { target: css("#name"), want: ["tag"] })).elements[0]).sort(),
    expect: ["name", "num", "role", "tag"],
  },
  {
    name: "several, as many as asked for",
    html: page,
    call: ["elementInfo", { target: css("input"), want: ["value"], most: 2 }],
    expect: { count: 4, elements: [{ value: "Ann" }, { value: "on" }] },
  },
  {
    name: "a numbered element, its twin, and none",
    html: "<main><button>Save</button></main>",
    call: async (tab) => {
      await tab.snapshot();
      const target = { ref: await tab.number("button") };
      const now = await tab.call("elementInfo", { target });
      await tab.page.evaluate(() => { document.querySelector("main").innerHTML = "<button>Save</button>"; });
      const twin = await tab.call("elementInfo", { target });
      await tab.page.evaluate(() => { document.querySelector("main").innerHTML = ""; });
      return [now.elements[0].healed ?? false, twin.elements[0].healed, await tab.call("elementInfo", { target })];
    },
    expect: [false, true, { error: { kind: "stale" } }],
  },
]);
