// Drives the injected script: a real Chromium over CDP, the bundle in an isolated world from document start, pages
// served on loopback.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

const WORLD = "injected";
const bundle = readFileSync(new URL("../dist/injected.js", import.meta.url), "utf8");

/** The first Chromium on PATH, as in the suites. */
function chromiumOnPath() {
  const found = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, "chromium")).find(existsSync);
  if (!found) throw new Error("no chromium on PATH: put one there, or set CHROMIUM to its executable");
  return found;
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.pages = new Map();
    browser.server = createServer((request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(browser.pages.get(request.url) ?? "");
    });
    await new Promise((listening) => browser.server.listen(0, "127.0.0.1", listening));
    browser.origin = `http://127.0.0.1:${browser.server.address().port}`;
    browser.chromium = await puppeteer.launch({
      executablePath: process.env.CHROMIUM ?? chromiumOnPath(),
      headless: true,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
      defaultViewport: { width: 1280, height: 720 },
    });
    return browser;
  }

  /** Serves HTML and opens it in a new tab. */
  async open(html, { doctype = "<!DOCTYPE html>" } = {}) {
    const path = `/${this.pages.size}`;
    this.pages.set(path, doctype + html);
    const page = await this.chromium.newPage();
    const cdp = await page.createCDPSession();
    const worlds = new Map();
    cdp.on("Runtime.executionContextCreated", ({ context }) => {
      if (context.name === WORLD) worlds.set(context.auxData.frameId, context.id);
    });
    await cdp.send("Runtime.enable");
    await cdp.send("Page.enable");
    await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: bundle, worldName: WORLD });
    await page.goto(this.origin + path);
    return new Tab(page, cdp, worlds);
  }

  async stop() {
    await this.chromium.close();
    this.server.close();
  }
}

export class Tab {
  constructor(page, cdp, worlds) {
    Object.assign(this, { page, cdp, worlds });
  }

  get world() {
    return this.worlds.get(this.page.mainFrame()._id);
  }

  /** Evaluates an expression in the isolated world. */
  async evaluate(expression, options = {}) {
    const { result, exceptionDetails } = await this.cdp.send("Runtime.evaluate", {
      expression, contextId: this.world, awaitPromise: true, returnByValue: true, ...options,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return options.returnByValue === false ? result.objectId : result.value;
  }

  /** Calls a function of the injected script; returns its value, or `{error}`. */
  async call(name, args = {}) {
    const answer = JSON.parse(await this.evaluate(`cicerone.call(${JSON.stringify(name)}, ${JSON.stringify(JSON.stringify(args))})`));
    return "ok" in answer ? answer.ok : answer;
  }

  /** Evaluates the bundle once more. */
  evaluateBundle() {
    return this.evaluate(bundle);
  }

  async snapshot(args) {
    return (await this.call("snapshot", args)).nodes;
  }

  /** The number of the one element that a CSS selector matches. */
  async number(css) {
    return (await this.call("find", { target: { css } })).num;
  }

  /** A readable snapshot: indented lines without numbers. */
  async outline(args) {
    const nodes = await this.snapshot(args);
    return nodes.map(line);
  }

  /** Chromium's accessibility tree: [role, name] of nodes that are not ignored. */
  async chromiumTree() {
    const { nodes } = await this.cdp.send("Accessibility.getFullAXTree");
    return nodes;
  }

  async close() {
    await this.page.close();
  }
}

function line([depth, , role, name, props]) {
  const told = props ? ` ${Object.entries(props).map(([key, value]) => (value === true ? key : `${key}=${JSON.stringify(value)}`)).join(" ")}` : "";
  return `${"  ".repeat(depth)}${role}${name ? ` ${JSON.stringify(name)}` : ""}${told}`;
}
