// Compares every role and name with the accessibility tree of the installed Chromium, in the snapshot or not: as
// `query` answers and roles match. 97 of 100 answers must equal the browser's, and the page explains each other one.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";
import { chromiumAnswers, numberElements } from "./chromium-tree.mjs";
import { pages } from "./mapping-pages.mjs";

/** Our answer and the browser's for every element that the browser exposes. */
async function compare(tab) {
  await numberElements(tab);
  const want = [{ attribute: "data-n" }];
  const { elements } = await tab.call("elementInfo", { target: { css: "*" }, want, most: 10_000 });
  const ours = new Map(elements.map(({ attributes: [[, id]], role, name, unnamed }) => [id, { role, name: unnamed ? "" : name }]));
  const theirs = (await chromiumAnswers(tab)).filter(({ ignored }) => !ignored);
  return theirs.map(({ id, html, role, internal, name }) => {
    const mine = ours.get(id);
    const agrees = mine.role === (role ?? "generic") && mine.name === name;
    return { agrees, line: `${html}: ${mine.role} "${mine.name}"`, chromium: `${internal} "${name}"` };
  });
}

/** Removes one item from a list; returns whether it was there. */
function take(list, item) {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

describe("roles and names", () => {
  let browser;
  const total = { answers: 0, same: 0 };
  before(async () => {
    browser = await Browser.start();
  });
  after(() => browser?.stop());
  for (const { name, html, except = [] } of pages) {
    test(name, async () => {
      const tab = await browser.open(html);
      const answers = await compare(tab);
      await tab.close();
      const meant = except.map(([line]) => line);
      const differ = answers.filter(({ agrees }) => !agrees);
      total.answers += answers.length;
      total.same += answers.length - differ.length;
      // Other elements may look the same: an exception explains one.
      const open = [...meant];
      const unexplained = differ.filter(({ line }) => !take(open, line));
      assert.deepEqual(unexplained.map(({ line, chromium }) => `${line} is ${chromium}`), [], "the browser says otherwise");
      const given = new Set(answers.map(({ line }) => line));
      assert.deepEqual(meant.filter((line) => !given.has(line)), [], "stale exceptions: the injected script no longer answers this");
    });
  }
  test("97 of 100 are the browser's own", (t) => {
    t.diagnostic(`${total.same} of ${total.answers} are the same`);
    assert.ok(total.same >= total.answers * 0.97, `only ${total.same} of ${total.answers} are the same`);
  });
});
