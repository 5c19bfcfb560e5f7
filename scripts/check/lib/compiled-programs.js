// Programs of Markdown, compiled against the declarations in dist/ as a user's compiler does.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const fence = /^```(?<language>ts|js)(?: \[(?<file>[^\]]+)\])?\n(?<code>.*?)^```$/gms;

/** The programs of a page: each with its line, its language, and the name that the page gives to its file, if any. */
export function programsOf(page, text) {
  return [...text.matchAll(fence)].map(({ index, groups }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    language: groups.language,
    file: groups.file ?? null,
    code: groups.code,
  }));
}

const pageOf = ({ place }) => place.replace(/:\d+$/, "");

/** The files that a program sees: those of its page, each as the page has it by then, or as it comes to have it. */
function filesBeside(programs, program) {
  const named = programs.filter((other) => other.file !== null && pageOf(other) === pageOf(program));
  const files = new Map();
  for (const other of named)
    if (!files.has(other.file) || programs.indexOf(other) <= programs.indexOf(program))
      files.set(other.file, other.code);
  return files;
}

const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  moduleDetection: "force",
  lib: ["ES2023", "ESNext.Array", "ESNext.Collection", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: ["node"],
  strict: true,
  // Programs in JavaScript are compiled, too.
  allowJs: true,
  checkJs: true,
  noImplicitAny: false,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Where the declarations of each entry are: a link to the package itself would be a way without end for others. */
function pathsOf(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const declared = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  return Object.fromEntries(declared.map(([key, { types }]) => [`fingerpost${key.slice(1)}`, [join(root, types)]]));
}

/** What the compiler says of each program: a list for each, empty where it compiles. */
export function faultsOfPrograms(root, programs) {
  const folder = mkdtempSync(join(root, "node_modules", ".programs-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const files = programs.map((program, at) => {
      const file = `${at}/${program.file ?? `program.${program.language}`}`;
      const beside = program.file === null ? [] : filesBeside(programs, program);
      for (const [name, code] of [...beside, [program.file ?? `program.${program.language}`, program.code]]) {
        const path = join(folder, String(at), name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, code);
      }
      return file;
    });
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, paths: pathsOf(root) }, files, include: [] }),
    );
    const said = compile(root, folder);
    const faults = programs.map(() => []);
    for (const [, file, line, text] of said.matchAll(
      /^(?:.*?\/)?(\d+\/[^(\n]+)\((\d+),\d+\): error (.*(?:\n .*)*)/gm,
    )) {
      const at = files.indexOf(file);
      if (at >= 0) faults[at].push(`line ${line}: ${text}`);
    }
    const general = said.match(/^error TS.*$/gm);
    if (general !== null) throw new Error(general.join("\n"));
    return faults;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the compiler prints about a project. */
export function compile(root, project) {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // The compiler prints paths from where a process is, which is no link.
  const folder = realpathSync(project);
  const options = { encoding: "utf8", cwd: folder, maxBuffer: 100_000_000 };
  return spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], options).stdout;
}
