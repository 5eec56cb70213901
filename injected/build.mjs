// Bundles src/ into dist/: injected.js, sandbox.js, and the functions that are put around users' scripts. Writes
// dist/injected.sha256, the hash of the sources. The Rust side embeds the bundles and recomputes the hash, so that a test
// without Node detects stale ones.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

const options = {
  absWorkingDir: here,
  bundle: true,
  target: ["chrome110", "firefox115", "safari16"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

const bundle = (entry, outfile) => build({ ...options, entryPoints: [entry], outfile, format: "iife" });

/** Bundles the default export of a module, a function, into an expression. It calls nothing when it is evaluated. */
async function expression(entry, outfile) {
  const built = await build({ ...options, entryPoints: [entry], format: "esm", write: false });
  const [, body, name] = /^(.*)export\{(\w+) as default\};\s*$/s.exec(built.outputFiles[0].text);
  writeFileSync(join(here, outfile), `(()=>{${body}return ${name}})()\n`);
}

await bundle("src/main.ts", "dist/injected.js");
await bundle("src/sandbox/main.ts", "dist/sandbox.js");
await expression("src/evaluate/as_json.ts", "dist/as_json.js");
await expression("src/evaluate/as_json_by_syntax.ts", "dist/as_json_by_syntax.js");

const sources = readdirSync(join(here, "src"), { recursive: true })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts"))
  .sort();

const fingerprint = createHash("sha256");
for (const path of [...sources, "package.json", "build.mjs"]) {
  fingerprint.update(`${path}\0`).update(readFileSync(join(here, path))).update("\0");
}
writeFileSync(join(here, "dist/injected.sha256"), `${fingerprint.digest("hex")}\n`);
