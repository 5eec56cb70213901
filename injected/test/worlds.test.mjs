// Hostile pages, and shadow roots that only the driver can open.

import assert from "node:assert/strict";
import { contains, suite } from "./check.mjs";

const USE = ["attached", "visible", "stable", "enabled", "hit"];

/** Fields that shadow every property a form inherits. */
const clobber = async (tab) => {
  await tab.page.evaluate(() => {
    const names = new Set();
    for (let proto = HTMLFormElement.prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      for (const name of Object.getOwnPropertyNames(proto)) names.add(name);
    }
    const form = document.querySelector("form");
    for (const name of names) {
      const field = document.createElement("input");
      field.name = name;
      field.ariaLabel = name;
      HTMLElement.prototype.append.call(form, field);
    }
    for (let proto = Document.prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      for (const name of Object.getOwnPropertyNames(proto)) {
        const image = new Image();
        image.name = name;
        HTMLElement.prototype.append.call(form, image);
      }
    }
  });
};

suite("hostile pages", [
  {
    name: "builtins replaced and prototypes polluted",
    html: `<script>
      Object.prototype.checked = true; Object.prototype.kind = "none"; Object.prototype.nth = 5;
      for (const name of ["Array", "JSON", "Map", "Set", "WeakMap", "WeakRef", "Promise", "MutationObserver", "Object", "Symbol"]) window[name] = undefined;
      Element.prototype.getAttribute = () => "evil"; Node.prototype.contains = () => { throw 1 };
      window.getComputedStyle = () => { throw 1 }; window.requestAnimationFrame = () => 0; window.setTimeout = () => 0;
      EventTarget.prototype.addEventListener = () => { throw 1 }; window.cicerone = "page";
      </script><main><button>Go</button></main>`,
    run: async (tab) => {
      assert.deepEqual(await tab.outline(), ["main", '  button "Go"']);
      contains(await tab.call("ready", { target: { role: "button" }, needs: USE, timeout: 500, arm: "click" }), { name: "Go" });
      contains(await tab.call("frames", { count: 1 }), { hit: "none" });
      contains(await tab.call("wait", { gone: "Go", timeout: 20 }), { error: { kind: "timeout" } });
    },
  },
  {
    name: "drawn once a second, as hidden tabs are",
    html: "<button>Go</button>",
    run: async (tab) => {
      await tab.snapshot();
      // Of the injected script's world: the page's own are not used.
      await tab.evaluate("requestAnimationFrame = (callback) => setTimeout(callback, 400), cancelAnimationFrame = clearTimeout, 0");
      await tab.evaluate("requestIdleCallback = (callback, { timeout }) => setTimeout(callback, timeout), 0");
      const waited = async () => {
        const began = await tab.evaluate("performance.now()");
        await tab.call("frames", { count: 2 });
        const took = (await tab.evaluate("performance.now()")) - began;
        await tab.evaluate("new Promise((done) => setTimeout(done, 450))");
        return took;
      };
      const first = await waited();
      assert.ok(first >= 50, `${first} ms: nothing is known of its frames`);
      const others = [await waited(), await waited(), await waited()];
      assert.ok(Math.min(...others) < 40, `${others} ms: a late frame is no sign of others`);
    },
  },
  {
    name: "leaves no trace in the page",
    html: "<button>Go</button>",
    run: async (tab) => {
      await tab.snapshot();
      assert.deepEqual(await tab.page.evaluate("[typeof cicerone, document.querySelector('button').outerHTML]"), ["undefined", "<button>Go</button>"]);
    },
  },
  {
    name: "fields that take the names of their form's members",
    html: "<form aria-label=F><button>Go</button></form>",
    run: async (tab) => {
      await clobber(tab);
      const nodes = await tab.snapshot();
      assert.deepEqual(nodes[0].slice(2, 4), ["form", "F"]);
      assert.ok(nodes.length > 300);
      const num = nodes[0][1];
      contains(await tab.call("ready", { target: { ref: num }, needs: USE, timeout: 300 }), { num });
      contains(await tab.call("find", { target: { css: "form > button" } }), { name: "Go" });
      contains(await tab.call("find", { target: { text: "Go" } }), { name: "Go" });
      contains(await tab.call("find", { target: { xpath: "//form/button" } }), { name: "Go" });
      for (const name of ["read", "focus", "describe", "scroll", "fill"]) {
        const answer = await tab.call(name, { num, value: "x" });
        assert.notEqual(answer.error?.kind, "bug", `${name}: ${answer.error?.message}`);
      }
      contains(await tab.call("wait", { text: "Go", timeout: 0 }), {});
    },
  },
  {
    name: "an element with the injected object's name",
    html: "<div id=cicerone>x</div>",
    run: async (tab) => {
      await tab.evaluateBundle();
      assert.deepEqual(await tab.outline(), ['text "x"']);
    },
  },
  {
    name: "a very deep tree",
    html: "<script>let at = document.body; for (let i = 0; i < 4000; i++) at = at.appendChild(document.createElement('div')); at.innerHTML = '<button>Deep</button>'</script><p>end</p>",
    run: async (tab) => {
      const lines = await tab.outline();
      assert.ok(lines.includes("paragraph"), JSON.stringify(lines).slice(0, 400));
      contains(await tab.call("ready", { target: { css: "p" }, needs: ["visible"], timeout: 100 }), { role: "paragraph" });
      assert.notEqual((await tab.call("ready", { target: { css: "button" }, needs: USE, timeout: 100 })).error?.kind, "bug");
    },
  },
  {
    name: "a circle of references",
    html: "<button id=a aria-labelledby=b aria-owns=b>A</button><button id=b aria-labelledby=a aria-owns=a>B</button>",
    run: async (tab) => assert.ok((await tab.snapshot()).length >= 1),
  },
  {
    name: "text that is not Unicode",
    html: "<input id=i><script>i.value = '\\ud83d \\\\ud83d \"'</script>",
    run: async (tab) => contains(await tab.call("read", { num: await tab.number("#i") }), { value: '\ufffd \\ud83d "' }),
  },
  { name: "a function that does not exist", html: "", call: ["nonsense"], expect: { error: { kind: "bug", message: /no function nonsense/ } } },
]);

const closed = `<x-card></x-card><div id=plain style="height:20px"></div><div style="height:20px">text</div><x-plain></x-plain><script>
  customElements.define("x-card", class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: "closed" }).innerHTML = "<button>Inside</button><slot></slot>"; this.append("slotted"); } });
  plain.attachShadow({ mode: "closed" }).innerHTML = "<p>plain</p>"; window.clicks = 0;</script>`;

/** As the driver does: gets the closed shadow roots of the candidates over the protocol and passes them on. */
const adoptAll = async (tab) => {
  const list = await tab.evaluate("cicerone.candidates()", { returnByValue: false });
  const { result } = await tab.cdp.send("Runtime.getProperties", { objectId: list, ownProperties: true });
  const hosts = result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value.objectId);
  for (const objectId of hosts) {
    const { node } = await tab.cdp.send("DOM.describeNode", { objectId, depth: 1, pierce: true });
    for (const { backendNodeId } of node.shadowRoots ?? []) {
      const { object } = await tab.cdp.send("DOM.resolveNode", { backendNodeId, executionContextId: tab.world });
      await tab.cdp.send("Runtime.callFunctionOn", { functionDeclaration: "(root) => cicerone.adopt(root)", arguments: [{ objectId: object.objectId }], executionContextId: tab.world });
    }
  }
  return hosts.length;
};

suite("closed shadow roots", [
  {
    name: "are found among few candidates, each asked once",
    html: closed,
    run: async (tab) => {
      assert.deepEqual(await tab.outline(), ['text "slotted"', 'text "text"']);
      assert.equal(await adoptAll(tab), 2);
      assert.deepEqual(await tab.outline(), ['button "Inside"', 'text "slotted"', "paragraph", '  text "plain"', 'text "text"']);
      assert.equal(await adoptAll(tab), 0);
    },
  },
  {
    name: "are searched, aimed into and guarded",
    html: closed,
    run: async (tab) => {
      await tab.snapshot();
      await adoptAll(tab);
      contains(await tab.call("find", { target: { css: "x-card button" } }), { name: "Inside" });
      const { x, y } = await tab.call("ready", { target: { role: "button" }, needs: USE, timeout: 300, arm: "click" });
      await tab.page.mouse.click(x, y);
      contains(await tab.call("frames", { count: 1 }), { hit: "target" });
      contains(await tab.call("wait", { text: "slotted", timeout: 0 }), {});
    },
  },
]);
