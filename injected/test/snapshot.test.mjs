// The content of snapshots, and their limits.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

suite("snapshot", [
  {
    name: "tells the page's title and address",
    html: "<title> A  page </title>",
    call: ["snapshot"],
    expect: { title: "A page", url: /^http:\/\/127\.0\.0\.1/, nodes: [] },
  },
  {
    name: "leaves wrappers out and keeps their text",
    html: "<div><div><span>one</span></div><div>two</div></div>",
    outline: ['text "one"', 'text "two"'],
  },
  {
    name: "keeps the words of inline elements together",
    html: "<p>Some <b>bo</b>ld <code>code</code><br>and <a href=/x>a link</a>, then <i>more</i>.</p>",
    outline: ["paragraph", '  text "Some bold code and"', '  link "a link" url="/x"', '  text ", then more."'],
  },
  {
    name: "does not repeat what a name tells",
    html: "<button>Save <b>all</b></button><h2>Title <a href=#>link</a></h2><label>Name <input></label><label for=b>Age</label><input id=b>",
    outline: [
      'button "Save all"',
      'heading "Title link" level=2',
      '  link "link" url="#"',
      'textbox "Name" value=""',
      'textbox "Age" value=""',
    ],
  },
  {
    name: "keeps text that an author's label hides",
    html: '<button aria-label="Close">×</button>',
    outline: ['button "Close"', '  text "×"'],
  },
  {
    name: "tells states",
    html: `<input type=checkbox aria-label=a checked><input type=radio aria-label=b><div role=checkbox aria-checked=mixed aria-label=c></div>
      <button disabled>d</button><fieldset disabled><input aria-label=e></fieldset><button aria-pressed=true>f</button>
      <button aria-expanded=false>g</button><h3>h</h3><a href=# aria-current=page>i</a><input aria-label=j required readonly>
      <div role=tab aria-selected=true>k</div><input aria-label=l aria-invalid=true><div role=dialog aria-modal=true aria-label=m></div>
      <details open><summary>n</summary></details><button aria-disabled=true>o</button><div aria-disabled=true><button>p</button></div>`,
    outline: [
      'checkbox "a" checked', 'radio "b"', 'checkbox "c" checked="mixed"', 'button "d" disabled', "group", '  textbox "e" disabled value=""',
      'button "f" pressed', 'button "g" expanded=false', 'heading "h" level=3', 'link "i" current="page" url="#"',
      'textbox "j" required readonly value=""', 'tab "k" selected', 'textbox "l" invalid value=""', 'dialog "m" modal', "group",
      '  button "n" expanded', 'button "o" disabled', 'button "p" disabled',
    ],
  },
  {
    name: "tells values, and masks secrets",
    html: `<input aria-label=a value=text><input type=password aria-label=b value=0123456789><input aria-label=c autocomplete="section-x cc-csc" value=123>
      <input aria-label=d autocomplete=one-time-code value=99><input aria-label=e autocomplete=new-password value=x><textarea aria-label=f>one
two</textarea><div contenteditable aria-label=g>rich <b>text</b></div><input type=range min=1 max=9 value=5 aria-label=h>
      <input type=number value=3 min=2 aria-label=i><progress value=3 max=10 aria-label=j></progress><div role=slider aria-valuenow=4 aria-valuemin=0 aria-valuemax=8 aria-label=k></div>
      <input type=date value=2026-11-15 aria-label=l><div role=combobox aria-label=m>chosen</div><input placeholder=hint aria-label=n><input placeholder=only>`,
    outline: [
      'textbox "a" value="text"', 'textbox "b" value="••••••••"', 'textbox "c" value="•••"', 'textbox "d" value="••"', 'textbox "e" value="•"',
      'textbox "f" multiline value="one\\ntwo"', 'textbox "g" multiline value="rich text"', 'slider "h" value="5" valuemin=1 valuemax=9',
      'spinbutton "i" value="3" valuemin=2', 'progressbar "j" value="3" valuemax=10', 'slider "k" value="4" valuemin=0 valuemax=8',
      'textbox "l" type="date" value="2026-11-15"', 'combobox "m" value="chosen"', 'textbox "n" value="" placeholder="hint"', 'textbox "only" value=""',
    ],
  },
  {
    name: "tells a select's options",
    html: "<select aria-label=s><option>a<optgroup label=g><option selected>b</optgroup><option disabled>c</select>",
    outline: ['combobox "s" value="b"', '  option "a" native', '  group "g"', '    option "b" selected native', '  option "c" disabled native'],
  },
  {
    name: "tells all options, however many",
    html: `<select aria-label=s>${"<option>o".repeat(163)}</select>`,
    run: async (tab) => {
      const lines = await tab.outline();
      assert.equal(lines.length, 164);
      assert.equal(lines.at(-1), '  option "o" native');
    },
  },
  {
    name: "truncates long texts unless they are wanted in full",
    html: `<p>${"word ".repeat(2_000)}<b>end</b></p><p>${"more ".repeat(1_000)}</p>`,
    run: async (tab) => {
      const texts = ({ nodes }) => nodes.filter(([, num]) => num === 0).map(([, , , text, props]) => [text.length, props]);
      const look = await tab.call("snapshot", {});
      assert.deepEqual(texts(look), [[3_903, { truncated: 10_003 }], [3_900, { truncated: 5_000 }]]);
      const root = look.nodes[0][1];
      assert.deepEqual(texts(await tab.call("snapshot", { root, fullTexts: 20_000 })), [[10_003, { full: true }]]);
      assert.deepEqual(texts(await tab.call("snapshot", { root, fullTexts: 5_000 })), [[5_000, { truncated: 10_003, full: true }]]);
    },
  },
  {
    name: "finds bare elements that can be clicked",
    html: `<style>.p{cursor:pointer}</style><div onclick="1">one</div><span class=p>two <b>and</b> <i>more</i></span><i tabindex=0 style="display:inline-block;width:9px;height:9px"></i><i tabindex=0></i><div tabindex=-1>no</div>
      <div draggable=true>drag</div><p onclick=1>para</p><a href=# class=p>link</a><button class=p>button <i>in</i></button><b id=m>marked</b>`,
    run: async (tab) => {
      await tab.evaluate("cicerone.mark(document.querySelector('#m'))");
      assert.deepEqual(await tab.outline(), [
        'generic "one" clickable', 'generic "two and more" clickable', "generic clickable", 'text "no"', 'generic "drag" clickable draggable',
        'paragraph "para" clickable', 'link "link" url="#"', 'button "button in"', 'generic "marked" clickable',
      ]);
    },
  },
  {
    name: "tells scroll containers, frames, uploads, links and descriptions",
    html: `<div style="overflow:auto;height:20px"><div style="height:90px">tall</div></div><iframe title=inner></iframe><input type=file hidden multiple>
      <a href="../x?y=1">go</a><button title="Saves it" aria-describedby=d>Save</button><span id=d hidden>At once</span><button title=Only></button>`,
    outline: [
      "generic scrollable", '  text "tall"', 'iframe "inner" frame', 'button "Choose Files" files=[] hidden', 'link "go" url="../x?y=1"',
      'button "Save" description="At once"', 'button "Only"',
    ],
  },
  {
    name: "leaves out what is hidden",
    html: `<div aria-hidden=true>a</div><div inert>b</div><div hidden>c</div><div style="visibility:hidden">d<b style="visibility:visible">e</b></div>
      <div style="content-visibility:hidden">f</div><details><summary>g</summary>h</details><script>1</script><template>i</template><div popover>j</div>`,
    outline: ['text "a" ariaHidden', 'text "e"', "group", '  button "g" expanded=false'],
  },
  {
    name: "leaves out what a modal dialog makes inert",
    html: "<button>out</button><dialog id=d aria-label=D><button autofocus>in</button></dialog><script>d.showModal()</script>",
    outline: ['dialog "D" modal', '  button "in" active'],
  },
  {
    name: "follows slots and shadow roots",
    html: `<x-a><b slot=s>slotted</b>rest</x-a><script>customElements.define("x-a", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = "<button>A <slot name=s></slot></button><slot></slot><input aria-label=i>"; this.shadowRoot.querySelector("input").focus(); } })</script>`,
    outline: ['button "A slotted"', 'text "rest"', 'textbox "i" active value=""'],
  },
  {
    name: "follows aria-owns",
    html: "<div role=list aria-owns=late aria-label=l><div role=listitem>first</div></div><p>between</p><div role=listitem id=late>last</div>",
    outline: ['list "l"', "  listitem", '    text "first"', "  listitem", '    text "last"', "paragraph", '  text "between"'],
  },
  {
    name: "cleans text",
    html: "<p>a\u202e b\u200b\u0007  c&#xad;d</p><p id=x></p><script>x.textContent = 'lone \\ud83d end \\ud83d\\ude00'</script>",
    outline: ["paragraph", '  text "a b cd"', "paragraph", '  text "lone \ufffd end 😀"'],
  },
  {
    name: "generates text as style sheets do",
    html: `<style>.b::before{content:"→ "}.c::after{content:" (" attr(title) ")"}.u{text-transform:uppercase}</style><p class=b>x</p><button class=c title=t>y</button><p class=u>up</p>`,
    outline: ["paragraph", '  text "→ x"', 'button "y (t)" description="t"', "paragraph", '  text "UP"'],
  },
  {
    name: "tells a check box that is drawn by its label",
    html: `<style>label{cursor:pointer}</style><label><input type=checkbox checked hidden><i></i> Agree</label>
      <input type=radio id=r style="visibility:hidden"><label for=r>One</label><input type=checkbox hidden><label>Name <input></label>`,
    outline: ['checkbox "Agree" checked', 'radio "One"', 'textbox "Name" value=""'],
  },
  {
    name: "tells the content of layout tables once",
    html: "<table><tr><td><a href=#>a</a> text<td>plain</table><table><tr><th>h<td>data <a href=#>b</a></table>",
    outline: [
      "table", "  row", "    cell", '      link "a" url="#"', '      text "text"', '    cell "plain"',
      "table", "  row", '    rowheader "h"', '    cell "data b"', '      link "b" url="#"',
    ],
  },
  {
    name: "tells what can be clicked in drawings",
    html: `<svg width=100 height=50><title>Map</title><defs><rect id=x /></defs><g><rect width=9 height=9 onclick=1 /><text y=20>label</text></g></svg>
      <svg width=20 height=20><path onclick=1 /></svg><svg width=20 height=20><path /></svg>`,
    outline: ['img "Map"', "  graphics-symbol clickable", '  text "label"', "graphics-symbol clickable"],
  },
  {
    name: "tells one subtree by its number",
    html: "<ul><li><a href=#>a</a></li></ul><p>p</p>",
    run: async (tab) => {
      const list = (await tab.snapshot()).find(([, , role]) => role === "list");
      const nodes = await tab.snapshot({ root: list[1] });
      assert.deepEqual(nodes.map(([depth, , role]) => [depth, role]), [[0, "list"], [1, "listitem"], [2, "link"]]);
    },
  },
  {
    name: "cuts later subtrees and says where",
    html: `<ul>${"<li><a href=#>a</a></li>".repeat(5)}</ul><p>after</p>`,
    run: async (tab) => {
      const { nodes, more } = await tab.call("snapshot", { maxNodes: 4 });
      assert.equal(nodes.length, 4);
      assert.equal(more, 9);
      assert.deepEqual(nodes.map(([, , role, , props]) => [role, props?.cut]), [["list", 7], ["listitem", undefined], ["link", undefined], ["listitem", 1]]);
    },
  },
  {
    name: "stays quick on ten thousand elements",
    html: `<main>${"<div><p>text <b>bold</b></p><a href=#>link</a></div>".repeat(2500)}</main>`,
    run: async (tab) => {
      const ms = await tab.evaluate("(() => { const start = performance.now(); cicerone.call('snapshot', '{}'); return performance.now() - start; })()");
      assert.ok(ms < 1500, `${ms} ms`);
      contains(await tab.call("snapshot", { maxNodes: 10 }), { more: 7491 });
    },
  },
]);

suite("what popups hide", [
  {
    name: "is named by its numbers while a dialog or a menu is open",
    html: "<main><button id=a>Open</button><p>Words</p></main><div id=popup hidden role=menu><div role=menuitem>Print</div></div>",
    run: async (tab) => {
      assert.equal((await tab.call("snapshot", { told: true })).behind, undefined);
      const num = await tab.number("#a");
      await tab.page.evaluate("document.querySelector('main').ariaHidden = 'true'; popup.hidden = false");
      const { behind, nodes } = await tab.call("snapshot", { told: true });
      assert.ok(behind.includes(num));
      assert.deepEqual(nodes.map(([, , role]) => role), ["menu", "menuitem"]);
    },
  },
  {
    name: "is not what closes",
    html: "<button>Open</button><div id=popup role=menu><div role=menuitem>Print</div></div>",
    run: async (tab) => {
      await tab.call("snapshot", { told: true });
      await tab.page.evaluate("popup.ariaHidden = 'true'");
      assert.deepEqual(await tab.outline(), ['button "Open"']);
    },
  },
]);

suite("fields in their surroundings", [
  {
    name: "the value of a combobox is without the list drawn inside it",
    html: "<div role=combobox aria-label=Size tabindex=0 aria-expanded=true><span>Small</span><div role=listbox><div role=option>Small</div><div role=option>Large</div></div></div>",
    call: (tab) => tab.outline().then(([first]) => first),
    expect: 'combobox "Size" expanded value="Small"',
  },
  {
    name: "a picker that opens inside a label is not part of the name",
    html: `<label>Arrival <input><div style="position:absolute">${Array.from({ length: 40 }, (_, day) => `<span aria-label="March ${day}, 2026">${day}</span>`).join(" ")}</div></label>`,
    call: (tab) => tab.outline().then(([first]) => first),
    expect: 'textbox "Arrival" value=""',
  },
  {
    name: "a frame around a field has no line of its own",
    html: "<div onclick=1><input aria-label=Film style='width:20px'><button>Open</button></div><div onclick=1><input type=checkbox aria-label=Done> Buy milk</div>",
    outline: ['textbox "Film" value=""', 'button "Open"', "generic clickable", '  checkbox "Done"', '  text "Buy milk"'],
  },
]);
