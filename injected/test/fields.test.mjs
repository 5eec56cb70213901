// Filling, reading and selecting.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

const listen = `<script>window.seen = []; for (const type of ["input", "change"]) document.addEventListener(type, (e) => seen.push(type))</script>`;
const events = (tab) => tab.page.evaluate("seen.join()");

const fill = (html, value, expect, more) => ({
  name: `fill ${html} with ${JSON.stringify(value)}`,
  html: html + listen,
  run: async (tab) => {
    const num = await tab.number(":is(input, textarea, select, [contenteditable], button, label, div):not(label *)");
    contains(await tab.call("fill", { num, value }), expect);
    await more?.(tab, num);
  },
});

const changed = async (tab) => assert.equal(await events(tab), "input,change");
const untouched = async (tab) => assert.equal(await events(tab), "");
const misfit = (message) => ({ error: { kind: "misfit", message } });

const typed = (value) => async (tab, num) => {
  await tab.page.keyboard.sendCharacter(value);
  contains(await tab.call("read", { num }), { value });
};

suite("fill", [
  fill("<input type=date value=2026-01-01>", "2026-11-15", { how: "set", before: "2026-01-01", value: "2026-11-15" }, changed),
  fill("<input type=date>", "2026-11-5", { value: "2026-11-05" }),
  fill("<input type=date>", "15.11.2026", misfit(/YYYY-MM-DD/), untouched),
  fill("<input type=date>", "2026-02-31", misfit(/"2026-02-31" is not a valid date value: expected YYYY-MM-DD/), untouched),
  fill("<input type=time>", "9:05", { value: "09:05" }),
  fill("<input type=datetime-local>", "2026-11-15T10:00:00", { value: "2026-11-15T10:00" }),
  fill("<input type=datetime-local>", "2026-11-15 10:00", { value: "2026-11-15T10:00" }),
  fill("<input type=month>", "2026-11", { value: "2026-11" }),
  fill("<input type=week>", "2026-W46", { value: "2026-W46" }),
  fill("<input type=color>", "#ABC", { value: "#aabbcc" }, changed),
  fill("<input type=color>", "red", misfit(/#rrggbb/)),
  fill("<input type=range min=0 max=10>", "7", { how: "set", before: "5", value: "7" }, changed),
  fill("<input type=range min=0 max=10>", "70", misfit(/expected a number from 0 to 10/), untouched),
  fill("<input type=range value=7>", "7", { how: "set", value: "7" }, untouched),
  fill("<input type=checkbox>", "true", { how: "click", checked: true }),
  fill("<input type=checkbox checked>", "true", { how: "set", value: "true" }),
  fill("<input type=checkbox>", "maybe", misfit(/"maybe" is not a valid checkbox value: expected true or false/)),
  fill("<input type=radio checked>", "false", misfit(/another of its group/)),
  fill("<select><option>a<option>b</select>", "b", { how: "set", before: "a", value: "b" }, changed),
  fill("<input value=old>", "new", { how: "type", before: "old" }, typed("new")),
  fill("<input type=email value=old>", "new", { how: "type" }, typed("new")),
  fill("<input type=number value=1>", "12.5", { how: "type" }, typed("12.5")),
  fill("<input type=number>", "twelve", misfit(/number/)),
  fill("<input type=password value=old>", "new", { how: "inserted", before: "•••" }, async (tab, num) => contains(await tab.call("read", { num }), { value: "new" })),
  fill("<textarea>old</textarea>", "new", { how: "type", before: "old" }, typed("new")),
  fill("<div contenteditable><p>old</p><p>text</p></div>", "new", { how: "type" }, typed("new")),
  fill("<label>Name <input value=old></label>", "new", { how: "type", before: "old" }, typed("new")),
  fill("<button>b</button>", "x", misfit(/<button> with role button is not a field/)),
  fill("<div>d</div>", "x", misfit(/<div> is not/)),
  fill("<input type=file>", "x", misfit(/input of type file/)),
]);

const read = (html, expect) => ({
  name: `read ${html}`,
  html,
  run: async (tab) => contains(await tab.call("read", { num: await tab.number(":is(input, textarea, select, div)") }), expect),
});

suite("read", [
  read("<input value=x>", { value: "x", kind: "text", editable: true }),
  read("<input value=x readonly>", { editable: false }),
  read("<input value=x disabled>", { editable: false }),
  read("<input type=password value=x>", { value: "x", masked: true }),
  read("<input type=checkbox checked>", { value: "true", kind: "checkbox", checked: true }),
  read("<select multiple><option selected>a<option selected>b</select>", { value: "a, b", kind: "select" }),
  read("<div contenteditable>a<br>b</div>", { value: "a\nb", kind: "editable" }),
  read("<div>text</div>", { value: "text", kind: "none", editable: false }),
]);

const options = "<option value=1>One<option value=2> Two  words <option value=3 disabled>Three<optgroup disabled><option>Four</optgroup>";
const choose = (name, html, values, expect, more) => ({
  name,
  html: html + listen,
  run: async (tab) => {
    contains(await tab.call("select", { num: await tab.number(":is(select, div)"), values }), expect);
    await more?.(tab);
  },
});

suite("select", [
  choose("by value", `<select>${options}</select>`, ["2"], { selected: [{ value: "2", label: "Two words" }], before: [{ value: "1" }] }, changed),
  choose("by label", `<select>${options}</select>`, ["Two words"], { selected: [{ value: "2" }] }),
  choose("by label in any case", `<select>${options}</select>`, ["two WORDS"], { selected: [{ value: "2" }] }),
  choose("by index", `<select>${options}</select>`, ["#1"], { selected: [{ value: "2" }] }),
  choose("what is chosen already", `<select>${options}</select>`, ["1"], { selected: [{ value: "1" }] }, untouched),
  choose("the last of several", `<select>${options}</select>`, ["1", "2"], { selected: [{ value: "2" }] }),
  choose("more", `<select multiple>${options}<option selected>Five</select>`, ["1"], { selected: [{ value: "1" }, { value: "Five" }] }, changed),
  choose("nothing", "<select multiple><option selected>a<option selected>b</select>", [], { selected: [], before: [{ label: "a" }, { label: "b" }] }, changed),
  choose("what is not there", `<select>${options}</select>`, ["Nine"], { error: { kind: "misfit", message: /Nine/, options: ["One", "Two words", "Three", "Four"] } }, untouched),
  choose("what is disabled", `<select>${options}</select>`, ["3"], misfit(/disabled/)),
  choose("what is disabled by its group", `<select>${options}</select>`, ["Four"], misfit(/disabled/)),
  choose("in a hidden select", `<select hidden>${options}</select>`, ["2"], misfit(/hidden; click/), untouched),
  choose("in a transparent select", `<select style="opacity:0">${options}</select>`, ["2"], { selected: [{ value: "2" }] }),
  choose("in what is no select", "<div role=combobox>x</div>", ["1"], misfit(/click/)),
]);

suite("uploads", [
  {
    name: "are found wherever they are",
    html: "<div hidden><input type=file id=f><label for=f>Photo</label></div><input type=file multiple accept='.png'>",
    call: ["uploads"],
    expect: { inputs: [{ name: "Photo", multiple: false, visible: false, accept: "" }, { multiple: true, visible: true, accept: ".png" }] },
  },
]);

suite("focus and scroll", [
  {
    name: "focus",
    html: "<input id=a>",
    run: async (tab) => {
      await tab.call("focus", { num: await tab.number("#a") });
      assert.equal(await tab.evaluate("document.activeElement.id"), "a");
    },
  },
  {
    name: "scroll",
    html: "<style>html{scroll-behavior:smooth}</style><div style='height:3000px'></div><button>x</button><div style='height:3000px'></div>",
    run: async (tab) => {
      const num = await tab.number("button");
      const { y, visible } = await tab.call("scroll", { num });
      assert.ok(visible && y > 300 && y < 400, `${y}`);
      assert.ok((await tab.call("scroll", { num, block: "start" })).y < 5);
      assert.ok((await tab.call("scroll", { num, block: "end" })).y > 650);
    },
  },
]);

// An editor that draws its text itself: a text area of one pixel, lines in any order, line numbers beside them.
const drawn = `<div id=editor style="position:relative;width:400px;height:80px">
  <textarea aria-label=Code style="position:absolute;width:1px;height:1px;border:0;padding:0"></textarea>
  <div aria-hidden=true style="position:absolute;left:0;width:20px"><div class=number>1</div><div class=number>2</div><div class=number>3</div></div>
  <div style="position:absolute;left:30px;width:370px">
    <div class=line style="position:absolute;top:40px;width:100%;height:20px"><span>last()</span></div>
    <div class=line style="position:absolute;top:0;width:100%;height:20px"><span>first(</span><span>1)</span></div>
    <div class=line style="position:absolute;top:20px;width:100%;height:20px"><span></span></div>
  </div></div>`;

suite("editors that draw their text", [
  { name: "show it as the value, without line numbers", html: drawn, call: (tab) => tab.outline().then(([first]) => first), expect: /^textbox "Code" multiline value="first\(1\)\\n\\nlast\(\)"$/ },
  {
    name: "are visible and hit where they are drawn",
    html: drawn,
    call: async (tab) => tab.call("ready", { target: { css: "textarea" }, needs: ["attached", "visible", "stable", "enabled", "editable", "hit"], timeout: 500 }),
    expect: { role: "textbox", box: { width: 400, height: 80 } },
  },
  {
    name: "are typed into by keys",
    html: drawn,
    run: async (tab) => {
      const num = await tab.number("textarea");
      contains(await tab.call("fill", { num, value: "x" }), { how: "keys", before: "first(1)\n\nlast()" });
      contains(await tab.call("read", { num }), { value: "first(1)\n\nlast()", drawn: true });
      assert.equal(await tab.page.evaluate("document.activeElement.tagName"), "TEXTAREA");
    },
  },
  {
    name: "take what is pasted if they handle it",
    html: `${drawn}<script>document.querySelector("textarea").onpaste = (e) => { e.preventDefault(); window.got = e.clipboardData.getData("text/plain"); }</script>`,
    run: async (tab) => {
      const num = await tab.number("textarea");
      contains(await tab.call("paste", { num, text: "a\nb" }), { taken: true });
      assert.equal(await tab.page.evaluate("got"), "a\nb");
    },
  },
  {
    name: "are not a small text area in the flow of a page",
    html: "<div style='width:300px;height:60px'><p>Words beside it</p><textarea aria-label=Clip style='width:1px;height:1px;border:0;padding:0'></textarea></div>",
    call: (tab) => tab.outline().then((lines) => lines.at(-1)),
    expect: 'textbox "Clip" multiline value=""',
  },
  {
    name: "are not small inputs of other kinds",
    html: "<div style='width:300px;height:40px'>Red <input aria-label=Colour style='width:2px;border:0;padding:0'></div><textarea aria-label=Note>words</textarea>",
    outline: ['text "Red"', 'textbox "Colour" value=""', 'textbox "Note" multiline value="words"'],
  },
]);
