// Bundles src/ into dist/agent.js and dist/sandbox.js, and writes dist/agent.sha256, the fingerprint of the sources.
// The Rust side embeds the bundle and recomputes the fingerprint, so a stale bundle fails a test
// that needs no node.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

const bundle = (entry, outfile) => build({
  absWorkingDir: here,
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: "iife",
  target: ["chrome110", "firefox115", "safari16"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

await bundle("src/main.ts", "dist/agent.js");
await bundle("src/sandbox/main.ts", "dist/sandbox.js");

const sources = readdirSync(join(here, "src"), { recursive: true })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts"))
  .sort();

const fingerprint = createHash("sha256");
for (const path of [...sources, "package.json", "build.mjs"]) {
  fingerprint.update(`${path}\0`).update(readFileSync(join(here, path))).update("\0");
}
writeFileSync(join(here, "dist/agent.sha256"), `${fingerprint.digest("hex")}\n`);
