// Bundles every scene as an ES module of its own (for anywidget) and all of them as one
// classic script (for pages: a browser refuses ES imports from file://).
//
// Each ends with the licence of every package in it, so that no copy is without: a page may have
// a bundle's text in its own.
//
//   node build.mjs [FOLDER]     FOLDER is ../course_utils/classroom/bundles by default

import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "course_utils", "classroom", "bundles");
const scenes = readdirSync(join(here, "scenes")).filter((name) => name.endsWith(".mjs"));
const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  loader: { ".css": "text" },
  banner: { js: "/* Built by stage/build.mjs. Course: Apache-2.0. */" },
  metafile: true,
  write: false,
};

// [package, its licence] of each package of npm's that has a part in a bundle.
function licences(inputs) {
  const folders = Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders)].filter(Boolean).map((folder) => {
    const [file] = readdirSync(join(here, folder)).filter((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} comes without a licence`);
    return [folder.split("node_modules/").at(-1), readFileSync(join(here, folder, file), "utf8")];
  });
}

// Packages with the same licence share its text.
function notice(inputs) {
  const named = new Map();
  for (const [name, text] of licences(inputs)) {
    named.set(text, [...(named.get(text) ?? []), name]);
  }
  return [...named]
    .map(([text, names]) => `/*! ${names.sort().join(", ")}\n\n${text.trim()}\n*/\n`)
    .sort()
    .join("");
}

async function write(options) {
  const { outputFiles, metafile } = await build({ ...common, ...options });
  mkdirSync(out, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { inputs } = metafile.outputs[relative(here, path)];
    writeFileSync(path, text + notice(inputs));
  }
}

await write({
  entryPoints: scenes.map((name) => join("scenes", name)),
  format: "esm",
  outdir: out,
});
const contents =
  scenes.map((name, i) => `import scene${i} from "./scenes/${name}";`).join("\n") +
  `\nimport { stand } from "./lib/page.mjs";\nstand({${scenes
    .map((name, i) => `"${name.replace(".mjs", "")}": scene${i}`)
    .join(", ")}});`;
await write({
  stdin: { contents, resolveDir: here },
  format: "iife",
  outfile: join(out, "page.js"),
});
