// Cases are data: a page, a call, the expected result. `suite` runs a list of them in one browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";

/**
 * Each case: { name, html, call, expect }. `call` is [function, arguments] or a function of the tab; the answer must
 * contain `expect`. With `outline` the snapshot's lines must match exactly.
 */
export function suite(title, cases) {
  describe(title, () => {
    let browser;
    before(async () => {
      browser = await Browser.start();
    });
    after(() => browser?.stop());
    for (const { name, html, call, expect, outline, run } of cases) {
      test(name, async () => {
        const tab = await browser.open(html);
        try {
          if (run) await run(tab, browser);
          if (outline) assert.deepEqual(await tab.outline(), outline);
          if (call) contains(typeof call === "function" ? await call(tab) : await tab.call(...call), expect);
        } finally {
          await tab.close();
        }
      });
    }
  });
}

/** Asserts that a value contains everything expected; extra properties are ignored. */
export function contains(actual, expected, path = "answer") {
  if (expected instanceof RegExp) return assert.match(String(actual), expected, path);
  if (expected === null || typeof expected !== "object") return assert.strictEqual(actual, expected, `${path} of ${JSON.stringify(actual)}`);
  assert.ok(actual !== null && typeof actual === "object", `${path}: ${JSON.stringify(actual)}`);
  if (!("error" in expected)) assert.ok(!("error" in actual), `${path}: ${JSON.stringify(actual)}`);
  if (Array.isArray(expected)) assert.strictEqual(actual.length, expected.length, `${path}: ${JSON.stringify(actual)}`);
  for (const key of Object.keys(expected)) contains(actual[key], expected[key], `${path}.${key}`);
}
