// Holds what each entry of the package declares against the report that is checked in, and what is experimental against
// docs/stability.md; `--write` writes both.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { membersOf, readApi } from "../build/api-declarations.js";
import { titleOf } from "../build/api-pages.js";
import { reportNameOf } from "./lib/kept-interface.js";
import { requireTool } from "./lib/package-tools.js";

const { CompilerState, Extractor, ExtractorConfig } = requireTool("@microsoft/api-extractor");
const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = join(root, "tests/package/api");
const declared = Object.values(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports).map(
  ({ types }) => types,
);
// Short names and long ones lead to the same file.
const entries = [...new Set(declared.filter((types) => types !== undefined))];

const silent = { default: { logLevel: "none" } };
const compilerOptions = { target: "ES2022", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable"], strict: true };

function configOf(types, folder) {
  const reportFileName = `${basename(types, ".d.ts")}.api.md`;
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      newlineKind: "lf",
      mainEntryPointFilePath: join(root, types),
      compiler: { overrideTsconfig: { compilerOptions: { ...compilerOptions, types: ["node"] }, files: entries } },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName,
        reportFolder: folder,
        reportTempFolder: folder,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
}

const messageCallback = (message) => void (message.handled = message.logLevel !== "error");
let compilerState;
function reportOf(types, folder) {
  const config = configOf(types, folder);
  compilerState ??= CompilerState.create(config, { additionalEntryPoints: entries.map((entry) => join(root, entry)) });
  const { succeeded } = Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
  if (!succeeded) throw new Error(`Cannot report on ${types}`);
  return /```ts\n(.*)\n```/s.exec(readFileSync(config.reportFilePath, "utf8"))[1].trim();
}

const declaredEntries = new Map(readApi().entries.map((entry) => [entry.types, entry]));

/** The members of an export whose docstrings say that they are experimental. */
const experimentalMembers = (item) =>
  membersOf(item).flatMap(({ text, doc }) => (doc.isExperimental ? [/\w+(?=\??[:(<])/.exec(text)[0]] : []));

/** What docs/stability.md says of an entry; nothing, if all of it is stable. */
function rowOf({ specifier, items }) {
  const names = items.flatMap((item) =>
    item.doc.isExperimental
      ? [`\`${titleOf(item)}\``]
      : experimentalMembers(item).map((member) => `\`${member}\` of \`${item.name}\``),
  );
  return names.length === 0 ? "" : `| \`${specifier}\` | ${names.toSorted().join(", ")} |\n`;
}

/** Says of each export whether it is stable, as its docstring does: what has no tag is. */
function marked(report, items) {
  const marks = new Map(
    items.map((item) => {
      const names = experimentalMembers(item).join(", ");
      if (item.doc.isExperimental) return [item.name, "experimental"];
      return [item.name, names === "" ? "stable" : `stable, experimental: ${names}`];
    }),
  );
  return report.replace(/^export (?:\{ \w+ as (\w+) \}|(?:abstract )?\w+ (\w+))/gm, (line, alias, name) => {
    const mark = marks.get(alias ?? name);
    if (mark === undefined) throw new Error(`No declaration of ${alias ?? name}`);
    return `// ${mark}\n${line}`;
  });
}

const isExported = (block) => /^export /m.test(block);
const nameIn = (block) => /^(?:export )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/m.exec(block)?.[1];

/** Keeps what is exported and what a user of that can come upon: not what only constructors of ours are given. */
function publicPartOf(report) {
  const blocks = report.split(/\n\n(?=\/\/ @|export \{)/).map((block) => block.trim());
  const hidden = new Map(blocks.filter((block) => !isExported(block)).map((block) => [nameIn(block), block]));
  const kept = new Set(blocks.filter(isExported));
  for (const block of kept) {
    const text = block.replace(/^ {4}constructor\(.*$/gm, "");
    for (const [word] of text.matchAll(/\w+/g)) if (hidden.has(word)) kept.add(hidden.get(word));
  }
  return `${blocks.filter((block) => kept.has(block)).join("\n\n")}\n`;
}

const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
const write = process.argv.includes("--write");
const nameOf = (types) => `${reportNameOf(types)}.txt`;
const expected = new Set(entries.map(nameOf));
const faults = [];
try {
  mkdirSync(reports, { recursive: true });
  for (const file of readdirSync(reports)) {
    if (expected.has(file)) continue;
    if (write) rmSync(join(reports, file));
    else faults.push(`tests/package/api/${file} reports on no entry`);
  }
  for (const types of entries) {
    const full = reportOf(types, folder);
    for (const [, what] of full.matchAll(/^\/\/ @public \(undocumented\)\n(export [\w ]+)/gm)) {
      faults.push(`${types} has no docstring for: ${what}`);
    }
    const report = marked(publicPartOf(full).replace(/^ *\/\/.*\n/gm, ""), declaredEntries.get(types).items);
    const file = join(reports, nameOf(types));
    if (/(?<![."])\bany\b/.test(report)) faults.push(`${types} has an any`);
    if (write) writeFileSync(file, report);
    else if (!existsSync(file) || readFileSync(file, "utf8") !== report) {
      faults.push(`${types} differs from its report: run \`npm run api\` if that is meant, and look at the difference`);
    }
  }
  const page = join(root, "docs/stability.md");
  const text = readFileSync(page, "utf8");
  const rows = [...declaredEntries.values()].map(rowOf).join("");
  const now = text.replace(/(?<=\| entry \| experimental \|\n\|---\|---\|\n)(?:\|.*\n)*/, () => rows);
  if (write) writeFileSync(page, now);
  else if (now !== text) faults.push("docs/stability.md lists other names than the docstrings: run `npm run api`");
} finally {
  rmSync(folder, { recursive: true });
}
console.log(faults.length === 0 ? `api: ${entries.length} entries are as reported` : faults.join("\n"));
process.exitCode = faults.length === 0 ? 0 : 1;
