// Element numbers: permanent, and moved to re-rendered nodes.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

const numberOfButton = async (tab) => (await tab.snapshot()).find(([, , role]) => role === "button")[1];

suite("numbers", [
  {
    name: "stay with their elements and are not given twice",
    html: "<button id=a>A</button><main><button id=b>B</button></main>",
    run: async (tab) => {
      const before = await tab.snapshot();
      await tab.evaluate("document.querySelector('#a').remove(); document.querySelector('main').append(document.createElement('hr'))");
      const after = await tab.snapshot();
      const number = (nodes, name) => nodes.find(([, , role, text]) => role === name || text === name)?.[1];
      assert.equal(number(before, "B"), number(after, "B"));
      assert.ok(number(after, "separator") > Math.max(...before.map(([, num]) => num)));
      assert.equal(await tab.evaluate(`cicerone.number(cicerone.node(${number(after, "B")}))`), number(after, "B"));
      assert.equal(await tab.evaluate("cicerone.node(99)"), null);
    },
  },
  {
    name: "follow the one twin",
    html: "<main><button>Save</button></main>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('main').innerHTML = '<p>new</p><div><button>Save</button></div>'");
      contains(await tab.call("ready", { target: { ref: num }, needs: ["hit"], timeout: 0 }), { num, name: "Save", healed: true });
      contains(await tab.call("read", { num }), { kind: "none" });
    },
  },
  {
    name: "do not follow to one of several",
    html: "<main><button>Save</button></main>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('main').innerHTML = '<button>Save</button><button>Save</button>'");
      contains(await tab.call("find", { target: { ref: num } }), { error: { kind: "stale", ref: num, role: "button", name: "Save" } });
    },
  },
  {
    name: "do not follow where they were one of several",
    html: "<main><button>Save</button><button>Save</button></main>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('main').innerHTML = '<button>Save</button>'");
      contains(await tab.call("ready", { target: { ref: num }, needs: [], timeout: 5000 }), { error: { kind: "stale", ref: num } });
    },
  },
  {
    name: "do not follow to one that looks the same in other surroundings",
    html: "<div id=a><button>15</button></div><div id=b></div>",
    run: async (tab) => {
      await tab.call("snapshot", { told: true });
      const num = await numberOfButton(tab);
      await tab.evaluate("a.innerHTML = ''; b.innerHTML = '<button>15</button>'");
      contains(await tab.call("find", { target: { ref: num } }), { error: { kind: "stale", ref: num } });
    },
  },
  {
    name: "follow when what is around them was replaced, too",
    html: "<main><div><span><button>Save</button></span></div></main>",
    run: async (tab) => {
      await tab.call("snapshot", { told: true });
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('button').remove(); document.querySelector('main').innerHTML = '<section><button>Save</button></section>'");
      contains(await tab.call("ready", { target: { ref: num }, needs: ["hit"], timeout: 0 }), { num, healed: true });
    },
  },
  {
    name: "do not follow to another place",
    html: "<main><button>Save</button></main><nav></nav>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('button').remove(); document.querySelector('nav').innerHTML = '<button>Save</button>'");
      contains(await tab.call("describe", { num }), { error: { kind: "stale" } });
    },
  },
  {
    name: "stay while an element is only hidden",
    html: "<main><button>Save</button></main>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluate("document.querySelector('main').hidden = true");
      contains(await tab.call("describe", { num }), { num, role: "button", name: "Save", tag: "button", visible: false });
    },
  },
  {
    name: "are refused when never issued",
    html: "",
    run: async (tab) => {
      for (const name of ["read", "fill", "select", "scroll", "focus", "describe", "frameOffset"]) {
        contains(await tab.call(name, { num: 7, value: "", values: [], x: 0, y: 0 }), { error: { kind: "unknown", ref: 7 } });
      }
    },
  },
  {
    name: "survive a second evaluation of the bundle",
    html: "<button>Save</button>",
    run: async (tab) => {
      const num = await numberOfButton(tab);
      await tab.evaluateBundle();
      assert.equal(await numberOfButton(tab), num);
    },
  },
]);
