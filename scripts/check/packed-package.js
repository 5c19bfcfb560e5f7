// Packs the package as it would be published, and puts it before publint, attw, import and require().
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deadMarkdownLinks, markdownBelow, missingExamples } from "./dead-links.js";
import { commandOf, requireTool } from "./lib/package-tools.js";
import { packInto } from "./lib/packed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Below node_modules/, so that the packed entries find the optional peers that are installed for development.
const folder = mkdtempSync(join(root, "node_modules", ".package-"));
const node = (args, options) => execFileSync(process.execPath, args, { encoding: "utf8", ...options });

async function packed() {
  const { filename, files, size } = await packInto(folder);
  const strangers = files
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("examples/"))
    .filter((path) => /\.(?:test|map|ts)\b|fixture/.test(path.replace(/\.d\.ts$/, "")));
  if (strangers.length > 0) throw new Error(`Packed, but not for users: ${strangers.join(", ")}`);
  console.log(`package: ${files.length} files, ${size} bytes packed`);
  return join(folder, filename);
}

/** What each entry exports when it is loaded by a statement, with the name of its own that a function or class has. */
function exportsBy(load) {
  const script = `
    const exported = {};
    for (const entry of ${JSON.stringify(entries)}) {
      const values = Object.entries(${load}).filter(([key]) => key !== "module.exports").sort();
      exported[entry] = values.map(([key, value]) => [key, typeof value === "function" ? value.name : key]);
    }
    console.log(JSON.stringify(exported));`;
  const type = load.startsWith("await") ? "module" : "commonjs";
  return JSON.parse(node([`--input-type=${type}`, "--no-warnings", "--eval", script], { cwd: folder }));
}

/** Are the types wrong? As for modules alone: without the resolution of Node 10, and without CommonJS. */
async function resolveTypes(tarball) {
  const attw = await import(pathToFileURL(requireTool.resolve("@arethetypeswrong/core")).href);
  const { types, problems } = await attw.checkPackage(attw.createPackageFromTarballData(readFileSync(tarball)));
  const faults = problems.filter(({ resolutionKind }) => !["node10", "node16-cjs"].includes(resolutionKind));
  if (types === false || faults.length > 0) throw new Error(`attw: ${JSON.stringify(faults, null, 2)}`);
  console.log("attw: the types of every entry resolve (esm-only)");
}

/** Compiles programs that use the packed declarations, which are checked themselves; without the types of browsers. */
function compileConsumers() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const consumers = join(root, "tests/package/consumers");
  const strict = { target: "ES2022", module: "NodeNext", lib: ["ES2023"], types: ["node"], strict: true, noEmit: true };
  const options = { ...strict, skipLibCheck: false, allowJs: true, checkJs: true, noUncheckedIndexedAccess: true };
  cpSync(consumers, folder, { recursive: true });
  for (const file of readdirSync(consumers)) {
    // Plain JavaScript names no types of parameters.
    const compilerOptions = { ...options, exactOptionalPropertyTypes: true, noImplicitAny: file.endsWith(".ts") };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
    node([compiler, "-p", folder, "--pretty", "false"], { stdio: "inherit" });
    console.log(`package: its declarations compile in ${file}`);
  }
}

/** Readers follow links in what they installed. */
function followLinks(installed) {
  const pages = markdownBelow(installed);
  const faults = pages.flatMap((page) => {
    const missing = missingExamples(page, installed).map((example) => `${example} is not in the package`);
    return [...deadMarkdownLinks(page), ...missing].map((fault) => `${relative(installed, page)}: ${fault}`);
  });
  if (faults.length > 0) throw new Error(`Dead in the installed package:\n${faults.join("\n")}`);
  console.log(`package: the links of its ${pages.length} pages lead somewhere`);
}

const entries = Object.keys(exports)
  .filter((key) => key !== "./package.json")
  .map((key) => join(name, key));

try {
  const tarball = await packed();
  const installed = join(folder, "node_modules", name);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  followLinks(installed);

  console.log(node([commandOf("publint", "src/cli.js"), tarball, "--strict"]).trim());
  await resolveTypes(tarball);

  const imported = exportsBy("await import(entry)");
  const required = exportsBy("require(entry)");
  if (JSON.stringify(imported) !== JSON.stringify(required))
    throw new Error("require() gives something else than import");
  console.log(`package: ${entries.length} entries can be imported and required`);
  // As stack traces and logs show them: a bundler renames a class that names itself.
  const renamed = Object.values(imported).flatMap((values) => values.filter(([key, called]) => key !== called));
  if (renamed.length > 0) throw new Error(`Exported as one name, called another: ${renamed.join("; ")}`);
  compileConsumers();
} finally {
  rmSync(folder, { recursive: true });
}
