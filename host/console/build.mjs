// Builds the console into `dist`, which the server embeds. The same sources and lock file give the same bytes.
import { cp, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const folder = new URL(".", import.meta.url).pathname;
const dist = process.argv[2] ?? `${folder}dist`;
await mkdir(dist, { recursive: true });
await build({
  absWorkingDir: folder,
  entryPoints: [
    { in: "src/console.tsx", out: "console" },
    { in: "src/styles/console.css", out: "console" },
  ],
  outdir: dist,
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) await cp(`${folder}src/${file}`, `${dist}/${file}`);
