// Interactive elements without a role: items under a delegated listener, controls without a name, clickable wrappers;
// and aria-hidden text.

import { suite } from "./check.mjs";

/** Reports elements with listeners, as the driver does. */
const marked = (...ids) => (tab) => tab.evaluate(`cicerone.mark(...${JSON.stringify(ids)}.map((id) => document.getElementById(id)))`);

/** The hint of the first element of a page. */
const hint = (html, expected) => ({
  name: `${html} is called ${expected || "nothing"}`,
  html,
  call: async (tab) => (await tab.snapshot())[0][4]?.hint ?? "",
  expect: expected,
});

suite("delegated listeners", [
  {
    name: "children of an element that asks for the target",
    html: "<div onclick='pick(event.target)'><div>Red</div><div>Green</div></div>",
    outline: ["generic clickable", '  generic "Red" clickable', '  generic "Green" clickable'],
  },
  {
    name: "rows of a list; not those that are disabled, let the pointer through or are empty",
    html: "<ul id=u><li>One</li><li>Two</li><li class=disabled>Three</li><li style='pointer-events:none'>Four</li><li></li></ul>",
    run: marked("u"),
    outline: ["list clickable", '  listitem "One" clickable', '  listitem "Two" clickable', "  listitem", '    text "Three"', "  listitem", '    text "Four"', "  listitem"],
  },
  {
    name: "options of a select made of blocks",
    html: `<div id=s><div class=chosen>Pick one</div><div class=list><div class=o>Alpha</div><div class=o>Beta</div><div class=o>Gamma</div></div></div>`,
    run: marked("s"),
    outline: ["generic clickable", '  text "Pick one"', '  generic "Alpha" clickable', '  generic "Beta" clickable', '  generic "Gamma" clickable'],
  },
  {
    name: "cells of a grid made of blocks",
    html: "<div id=g><div class=r><div class=c>a</div><div class=c>b</div></div><div class=r><div class=c>c</div><div class=c>d</div></div></div>",
    run: marked("g"),
    outline: ["generic clickable", ...["a", "b", "c", "d"].map((cell) => `  generic "${cell}" clickable`)],
  },
  {
    name: "cards of a board, not its columns",
    html: `<div id=b><div class=col><h3>Todo</h3><div class=card>A</div><div class=card>B</div></div><div class=col><h3>Done</h3><div class=card>C</div></div><div class=col><h3>Later</h3></div></div>`,
    run: marked("b"),
    outline: ["generic clickable", '  heading "Todo" level=3', '  generic "A" clickable', '  generic "B" clickable', '  heading "Done" level=3', '  generic "C" clickable', '  heading "Later" level=3'],
  },
  {
    name: "posts with tags are items, their tags are not",
    html: `<div id=b>${["One", "Two"].map((title) => `<div class=post><div>${title}</div><div class=tag style="width:40px">x</div><div class=tag style="width:40px">y</div></div>`).join("")}</div>`,
    run: marked("b"),
    outline: ["generic clickable", "  generic clickable", '    text "One"', '    text "x"', '    text "y"', "  generic clickable", '    text "Two"', '    text "x"', '    text "y"'],
  },
  {
    name: "days that are inline in a row",
    html: "<div id=g role=grid><div role=row><span>1</span><span>2</span><span>3</span></div><div role=row><span>4</span><span>5</span><span>6</span></div></div>",
    run: marked("g"),
    outline: ["grid clickable", "  row", ...[1, 2, 3].map((day) => `    generic "${day}" clickable`), "  row", ...[4, 5, 6].map((day) => `    generic "${day}" clickable`)],
  },
  {
    name: "rows of a table body that listens",
    html: "<table><tbody id=t><tr><td>Ada</td><td>London</td></tr><tr><td>Bob</td><td>Paris</td></tr></tbody></table>",
    run: marked("t"),
    outline: ["table", "  rowgroup clickable", "    row clickable", '      cell "Ada"', '      cell "London"', "    row clickable", '      cell "Bob"', '      cell "Paris"'],
  },
  {
    name: "days of a calendar; not its padding, nor disabled days",
    html: `<style>.on{cursor:pointer}</style><table id=t><tr><td></td><td class=on>1</td><td class="on disabled">2</td></tr><tr><td class=on>3</td><td>4</td><td class=on></td></tr></table>`,
    run: marked("t"),
    outline: ["table clickable", "  row", "    cell", '    cell "1" clickable', '    cell "2"', "  row", '    cell "3" clickable', '    cell "4"', "    cell"],
  },
  {
    name: "padding and disabled cells of a grid have nothing to act on",
    html: "<div role=grid><div role=row><div role=gridcell></div><div role=gridcell aria-disabled=true>5</div><div role=gridcell>6</div><div role=gridcell tabindex=-1></div></div></div>",
    outline: ["grid", "  row", "    gridcell idle", '    gridcell "5" disabled idle', '    gridcell "6"', "    gridcell"],
  },
  {
    name: "items whose controls do the work stay as they are",
    html: "<ul id=u><li>Milk <button>x</button></li><li>Eggs <button>x</button></li></ul>",
    run: marked("u"),
    outline: ["list clickable", "  listitem", '    text "Milk"', '    button "x"', "  listitem", '    text "Eggs"', '    button "x"'],
  },
  {
    name: "one thing of several parts is one thing",
    html: "<div id=c><div class=title>Title</div><div class=text>Text</div></div>",
    run: marked("c"),
    outline: ["generic clickable", '  text "Title"', '  text "Text"'],
  },
  {
    name: "a listener on the whole application is not about items",
    html: "<div id=a><main><p>x</p><p>y</p><p>z</p></main></div>",
    run: marked("a"),
    outline: ["generic clickable", "  main", ...["x", "y", "z"].flatMap((text) => ["    paragraph", `      text "${text}"`])],
  },
  {
    name: "where no listener is known, a list with a pointer",
    html: "<ul style='cursor:pointer'><li>One</li><li>Two</li></ul>",
    outline: ["list clickable", '  listitem "One" clickable', '  listitem "Two" clickable'],
  },
  {
    name: "what lets the pointer through is not clicked",
    html: "<div style='cursor:pointer;pointer-events:none'>x</div><div onclick=1 style='pointer-events:none'>y</div>",
    outline: ['text "x"', 'text "y"'],
  },
]);

suite("hints", [
  hint("<button class='btn btn-icon trash'></button>", "trash"),
  hint("<button class=like></button>", "like"),
  hint("<button><i class=icon-close></i></button>", "close"),
  hint("<button><i class='fa fa-trash fa-2x'></i></button>", "trash"),
  hint("<button><svg width=9 height=9><use href='sprite.svg#icon-pencil' /></svg></button>", "pencil"),
  hint("<button><img alt='' src='/img/arrow-left.svg?v=3'></button>", "arrow-left"),
  hint("<button class='css-1x2y3z MuiIconButton-root'><svg data-testid=DeleteIcon width=9 height=9></svg></button>", "delete"),
  hint("<button><svg class='lucide lucide-chevron-right' width=9 height=9></svg></button>", "chevron-right"),
  hint("<button class='overflow-x'><svg class='lucide lucide-x' width=9 height=9></svg></button>", "x"),
  hint("<button><i class=material-icons aria-hidden=true>delete</i></button>", "delete"),
  hint("<button><span aria-hidden=true>×</span></button>", "×"),
  hint("<button class=Button_close__x7Yz2></button>", "close"),
  hint("<button class='sc-bdVaJa hZkTqe jSUZER'></button>", ""),
  hint("<button class='flex items-center p-2 text-gray-500 hover:bg-white rounded-full w-4'></button>", ""),
  hint("<button id=add-item></button>", "add"),
  hint("<button data-action=share class=primary></button>", "share"),
  hint("<div onclick=1 title='Delete row'></div>", "Delete row"),
  hint("<div onclick=1 class='star-rating pull-left'></div>", "star-rating"),
  hint("<input name=email>", "email"),
  hint("<a href=/x><i class=twitter-logo></i></a>", "twitter-logo"),
  hint("<a href=https://twitter.example/x class=twitter></a>", ""),
  hint("<button class=trash>Delete</button>", ""),
  hint("<button class=trash aria-label=Delete></button>", ""),
]);

suite("clickables in one another", [
  {
    name: "of the same place are told once",
    html: "<div id=a style='width:50px;height:20px'><div id=b style='height:20px'><div id=c style='height:20px'></div></div></div>",
    run: marked("a", "b", "c"),
    outline: ["generic clickable"],
  },
  {
    name: "the one with a name",
    html: "<div id=a><div id=b><div id=c>Make</div></div></div>",
    run: marked("a", "b", "c"),
    outline: ['generic "Make" clickable'],
  },
  {
    name: "a button that fills its wrapper",
    html: "<div id=a style='width:80px;display:flex'><button style='width:80px'>Save</button></div>",
    run: marked("a"),
    outline: ['button "Save"'],
  },
  {
    name: "of different places are told apart",
    html: "<div id=a style='width:200px;height:100px'><div id=b style='width:20px;height:20px' class=close></div></div>",
    run: marked("a", "b"),
    outline: ["generic clickable", '  generic clickable hint="close"'],
  },
]);

suite("what aria-hidden hides and a person sees", [
  { name: "is told and marked", html: "<p>a</p><div aria-hidden=true>Total <b>42</b></div>", outline: ["paragraph", '  text "a"', 'text "Total 42" ariaHidden'] },
  {
    name: "not what is said beside it",
    html: "<p>Price <span aria-hidden=true>Price</span></p><button>Save</button><div aria-hidden=true>save</div>",
    outline: ["paragraph", '  text "Price"', 'button "Save"'],
  },
  {
    name: "not what a text for those who listen stands for",
    html: "<div><span aria-hidden=true>$10</span><span style='position:absolute;width:1px;height:1px;overflow:hidden'>ten dollars</span></div>",
    outline: ['text "ten dollars"'],
  },
  {
    name: "not icons, nor what cannot be seen",
    html: `<i aria-hidden=true style="font-family:Material Icons">home</i><i aria-hidden=true>&#xe001;</i><i aria-hidden=true>•</i>
      <div aria-hidden=true style="opacity:0">no</div><div aria-hidden=true style="position:absolute;left:-999px">no</div><div aria-hidden=true hidden>no</div>`,
    outline: [],
  },
  {
    name: "not the page behind a dialog",
    html: "<div aria-hidden=true><p>Behind</p></div><div role=dialog aria-modal=true aria-label=D>In front</div>",
    outline: ['dialog "D" modal', '  text "In front"'],
  },
  { name: "not inside what has a name", html: "<button aria-label=Close><span aria-hidden=true>Esc</span></button>", outline: ['button "Close"'] },
]);
