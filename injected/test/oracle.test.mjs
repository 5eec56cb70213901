// Compares roles and names with the accessibility tree of the installed Chromium. Every answer must equal the
// browser's, differ on purpose (the case says why), or be confirmed by another supported Chromium, since versions
// differ. Confirmed answers are in oracle-confirmed.json, which `RECORD_ORACLE=1` rewrites from the installed browser;
// it records only what the browser answers.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";
import { chromiumAnswers, numberElements } from "./chromium-tree.mjs";
import { pages } from "./oracle-pages.mjs";

const FLATTENED = new Set(["caption", "code", "deletion", "emphasis", "generic", "insertion", "mark", "none", "sectionfooter", "sectionheader", "strong", "subscript", "superscript", "time"]);

const RECORD = new URL("./oracle-confirmed.json", import.meta.url);
const recorded = JSON.parse(readFileSync(RECORD, "utf8"));

/** Our answer for every element that we or the browser expose, and whether the browser's is the same. */
async function compare(tab) {
  await numberElements(tab);
  const ours = new Map();
  for (const [, num, role, name] of await tab.snapshot()) {
    if (num) ours.set(await tab.evaluate(`cicerone.node(${num}).getAttribute("data-n")`), { role, name });
  }
  const answers = [];
  for (const { id, html, ignored, role: theirs, internal, name: theirName } of await chromiumAnswers(tab)) {
    const mine = ours.get(id);
    const told = !ignored && theirs && !FLATTENED.has(theirs);
    if (!mine && !told) continue;
    answers.push({
      element: `${id} ${html}`,
      line: `${html}: ${mine ? `${mine.role} "${mine.name}"` : "not told"}`,
      chromium: ignored ? "nothing" : `${internal} "${theirName}"`,
      agrees: Boolean(mine) && !ignored && mine.role === theirs && mine.name === theirName,
    });
  }
  return answers;
}

/** Removes one item from a list; returns whether it was there. */
function take(list, item) {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

describe("oracle", () => {
  let browser;
  before(async () => {
    browser = await Browser.start();
  });
  after(async () => {
    await browser?.stop();
    if (process.env.RECORD_ORACLE) writeFileSync(RECORD, `${JSON.stringify(recorded, null, 1)}\n`);
  });
  for (const { name, html, except = [] } of pages) {
    test(name, async (t) => {
      const tab = await browser.open(html);
      const answers = await compare(tab);
      await tab.close();
      const meant = except.map(([line]) => line);
      const confirmed = new Set(recorded[name]);
      // Use exceptions for the elements that the browser disagrees about first: others may look the same.
      const open = answers.filter(({ agrees }) => !agrees).filter(({ line }) => !take(meant, line));
      for (const { line } of answers.filter(({ agrees }) => agrees)) {
        if (take(meant, line)) t.diagnostic(`this Chromium agrees: ${line}`);
      }
      // A version may omit what we omit.
      const gone = meant.filter((line) => !line.endsWith(": not told"));
      assert.deepEqual(gone, [], "stale exceptions: the injected script no longer answers this");
      const wrong = open.filter(({ element, line }) => !confirmed.has(`${element} => ${line}`));
      assert.deepEqual(wrong.map(({ line, chromium }) => `${line} is ${chromium}`), [], "neither this Chromium nor another one says so");
      for (const { line, chromium } of open) t.diagnostic(`only another Chromium says so: ${line} is ${chromium} here`);
      assert.ok(open.length <= answers.length / 10, `this Chromium disagrees about ${open.length} of ${answers.length} elements`);
      if (process.env.RECORD_ORACLE) recorded[name] = answers.filter(({ agrees }) => agrees).map(({ element, line }) => `${element} => ${line}`);
    });
  }
});
