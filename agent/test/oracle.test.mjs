// Roles and names against Chromium's own accessibility tree. Where the agent differs on purpose, the
// case says why; a difference that is not listed, or is listed and gone, fails.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";
import { pages } from "./oracle-pages.mjs";

/** Chromium's internal role names, as ARIA has them; null for what only styles or labels text. */
const SYNONYMS = {
  image: "img", SvgRoot: "img", DisclosureTriangle: "button", DisclosureTriangleGrouped: "button", Details: "group", Iframe: "iframe", Canvas: "canvas",
  Audio: "audio", Video: "video", Date: "textbox", InputTime: "textbox", DateTime: "textbox", ColorWell: "textbox", LayoutTable: "table",
  LayoutTableRow: "row", LayoutTableCell: "cell", EmbeddedObject: "embed", PluginObject: "object", MathMLMath: "math", Figcaption: "caption",
  Abbr: null, DescriptionList: null, LabelText: null, Legend: null, LineBreak: null, ListMarker: null, MathMLIdentifier: null, MenuListPopup: null,
  Pre: null, RootWebArea: null, sectionfooter: null, sectionheader: null,
};
const FLATTENED = new Set(["caption", "code", "deletion", "emphasis", "generic", "insertion", "mark", "none", "strong", "subscript", "superscript", "time"]);

const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();

async function compare(tab) {
  await tab.evaluate(`(() => { let next = 0; const number = (root) => { for (const el of root.querySelectorAll("*")) {
    el.setAttribute("data-n", next++); if (el.shadowRoot) number(el.shadowRoot); } }; number(document); })()`);
  const ours = new Map();
  for (const [, num, role, name] of await tab.snapshot()) {
    if (num) ours.set(await tab.evaluate(`cicerone.node(${num}).getAttribute("data-n")`), { role, name });
  }
  const differences = [];
  const marks = await marksByBackendId(tab);
  for (const { ignored, role, name, backendDOMNodeId } of await tab.chromiumTree()) {
    const mark = marks.get(backendDOMNodeId);
    if (mark === undefined) continue;
    const mine = ours.get(mark.id);
    const theirs = role.value in SYNONYMS ? SYNONYMS[role.value] : role.value;
    const theirName = squeeze(name?.value);
    if (mine && ignored) differences.push(`${mark.html}: ${mine.role} "${mine.name}" is not told by Chromium`);
    else if (mine && (mine.role !== theirs || mine.name !== theirName)) differences.push(`${mark.html}: ${mine.role} "${mine.name}" is ${role.value} "${theirName}"`);
    else if (!mine && !ignored && theirs && !FLATTENED.has(theirs)) differences.push(`${mark.html}: ${role.value} "${theirName}" is not told`);
  }
  return differences;
}

async function marksByBackendId(tab) {
  const { root } = await tab.cdp.send("DOM.getDocument", { depth: -1, pierce: true });
  const marks = new Map();
  const visit = (node) => {
    const attributes = node.attributes ?? [];
    const at = attributes.indexOf("data-n");
    if (at >= 0) {
      const shown = attributes.slice(0, at).reduce((text, value, i) => text + (i % 2 ? `=${value}` : ` ${value}`), "");
      marks.set(node.backendNodeId, { id: attributes[at + 1], html: `<${node.localName}${shown}>` });
    }
    for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) visit(child);
  };
  visit(root);
  return marks;
}

describe("oracle", () => {
  let browser;
  before(async () => {
    browser = await Browser.start();
  });
  after(() => browser?.stop());
  for (const { name, html, except = [] } of pages) {
    test(name, async () => {
      const tab = await browser.open(html);
      const differences = await compare(tab);
      await tab.close();
      assert.deepEqual(differences.sort(), except.map(([difference]) => difference).sort());
    });
  }
});
