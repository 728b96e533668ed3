// Bundle all scenes as ONE classic script that defines `courseStage`: pages run it as it is, also from
// file://, and for anywidget `course_utils/classroom/scene.py` adds an export.  The file ends with the
// licence of every package in it.
//
//   node build.mjs [FILE]

import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const out = process.argv[2] ?? join(here, "../course_utils/classroom/bundles/scenes.js");
const scenes = readdirSync(join(here, "scenes")).map(file => file.replace(".mjs", ""));
const contents = `
${scenes.map(name => `import ${name} from "./scenes/${name}.mjs";`).join("\n")}
import { host } from "./lib/host.mjs";
import { mounting } from "./lib/page.mjs";
const scenes = { ${scenes.join(", ")} };
const { mount, start } = mounting(scenes);
const widget = { render: view => scenes[view.model.get("scene")].render(view) };
if (document.currentScript) start(); // null in a module
export { scenes, host, mount, widget };`;

const { outputFiles, metafile } = await build({
  stdin: { contents, resolveDir: here },
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  format: "iife",
  globalName: "courseStage",
  loader: { ".css": "text" },
  banner: { js: "/* Built by stage/build.mjs. Course: Apache-2.0. */" },
  outfile: "scenes.js",
  metafile: true,
  write: false,
});
writeFileSync(out, outputFiles[0].text + notice(metafile.outputs["scenes.js"].inputs));

/** The licences of the npm packages in the bundle; packages with the same licence share its text. */
function notice(inputs) {
  const used = Object.keys(inputs).filter(path => inputs[path].bytesInOutput > 0);
  const folders = new Set(used.map(path => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean));
  const names = new Map();
  for (const folder of [...folders].sort()) {
    const file = readdirSync(join(here, folder)).find(name => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} has no licence file`);
    const text = readFileSync(join(here, folder, file), "utf8").trim();
    names.set(text, [...(names.get(text) ?? []), folder.replace("node_modules/", "")]);
  }
  return [...names].map(([text, packages]) => `/*! ${packages.join(", ")}\n\n${text}\n*/\n`).join("");
}
