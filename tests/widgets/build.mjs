// Bundles every page's script, with its styles and fonts, into one directory: node build.mjs NODE_MODULES OUT
import { cpSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, out] = process.argv.slice(2);
const esbuild = createRequire(join(modules, "x.js"))("esbuild");
const pages = join(dirname(fileURLToPath(import.meta.url)), "pages");
const named = (pattern) => readdirSync(pages).filter((name) => pattern.test(name));

await esbuild.build({
    entryPoints: named(/^(?!global-).*\.(js|jsx|ts)$/).map((name) => join(pages, name)),
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    jsx: "automatic",
    conditions: ["style", "browser", "module"],
    nodePaths: [modules],
    loader: { ".ttf": "dataurl", ".woff": "dataurl", ".woff2": "dataurl", ".svg": "dataurl", ".png": "dataurl", ".gif": "dataurl" },
    define: { "process.env.NODE_ENV": '"production"' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    logLevel: "warning",
});
for (const name of named(/\.html$/)) cpSync(join(pages, name), join(out, name));
