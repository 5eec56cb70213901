// Bundles src/ into dist/ with the tools of injected/, copies what needs no building, and writes dist/extension.sha256, the
// fingerprint of the sources. A test recomputes it, so that a stale build is noticed without node.

import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(here, "../injected/package.json"))("esbuild");

await build({
  absWorkingDir: here,
  entryPoints: ["src/worker.ts", "src/popup.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: ["chrome140"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});
// Comments are read in src/. Tabs: indentation would be a tenth of what Chrome has to read.
for (const file of ["worker.js", "popup.js"].map((name) => join(here, "dist", name))) {
  const code = readFileSync(file, "utf8").replace(/^\s*\/\/.*\n/gm, "").replaceAll("/* @__PURE__ */ ", "");
  writeFileSync(file, code.replace(/^ +/gm, (spaces) => "\t".repeat(spaces.length / 2)));
}
for (const file of ["manifest.json", "popup.html"]) copyFileSync(join(here, file), join(here, "dist", file));

const sources = readdirSync(join(here, "src")).map((name) => `src/${name}`).sort();
const fingerprint = createHash("sha256");
for (const path of [...sources, "manifest.json", "popup.html", "build.mjs"]) {
  fingerprint.update(`${path}\0`).update(readFileSync(join(here, path))).update("\0");
}
writeFileSync(join(here, "dist/extension.sha256"), `${fingerprint.digest("hex")}\n`);
