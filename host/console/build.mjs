// Builds the console into `dist`, which the server embeds. The same sources and lock file give the same bytes.
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const folder = new URL(".", import.meta.url).pathname;
const dist = process.argv[2] ?? `${folder}dist`;
await mkdir(dist, { recursive: true });
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: [
    { in: "src/console.tsx", out: "console" },
    { in: "src/styles/console.css", out: "console" },
  ],
  outdir: dist,
  bundle: true,
  metafile: true,
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

// The licences of the packages whose code is in the bundle ask for their notices.
const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
const notices = await Promise.all([...packages].sort().map(notice));
await writeFile(`${dist}/licences.txt`, notices.join("\n\n"));

async function notice(name) {
  const own = `${folder}node_modules/${name}`;
  const { version, license } = JSON.parse(await readFile(`${own}/package.json`, "utf8"));
  const files = (await readdir(own)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  if (files.length === 0) throw new Error(`${name} has no licence file`);
  const texts = await Promise.all(files.map((file) => readFile(`${own}/${file}`, "utf8")));
  return `${name} ${version} (${license}), in the console\n\n${texts.map((text) => text.trim()).join("\n\n")}\n`;
}
