// Bundles every scene as an ES module of its own (for anywidget) and all of them as one
// classic script (for pages: a browser refuses ES imports from file://).
//
//   node build.mjs [FOLDER]     FOLDER is ../course_utils/classroom/bundles by default

import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
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
  banner: {
    js: "/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */",
  },
};

await build({
  ...common,
  entryPoints: scenes.map((name) => join("scenes", name)),
  format: "esm",
  outdir: out,
});
const contents =
  scenes.map((name, i) => `import scene${i} from "./scenes/${name}";`).join("\n") +
  `\nimport { stand } from "./lib/page.mjs";\nstand({${scenes
    .map((name, i) => `"${name.replace(".mjs", "")}": scene${i}`)
    .join(", ")}});`;
await build({
  ...common,
  stdin: { contents, resolveDir: here },
  format: "iife",
  outfile: join(out, "page.js"),
});
