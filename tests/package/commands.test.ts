// Commands of the program, wherever a person reads them: in code blocks, within sentences, tables, docstrings and
// messages. The program's own parser reads each.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { commandOf, UsageError, usage } from "../../src/cli/command.ts";
import { newProject } from "../../src/cli/new-project.ts";
import { tablesText } from "../../src/cli/tables.ts";
import { filesIn } from "../support/files.ts";
import { root } from "./snippets.ts";

const script = new URL("../../scripts/check/dead-links.js", import.meta.url).href;
const { markdownBelow } = (await import(script)) as { markdownBelow(folder: string): string[] };

/** Texts that people read: pages of the whole repository, and what sources and examples say. */
function sources(): string[] {
  const programs = ["src", "examples"].flatMap((folder) =>
    filesIn(join(root, folder))
      .filter((file) => /\.(?:ts|js|json|vue|svelte|html)$/.test(file) && !/^cli\/.*\.test\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  return [...markdownBelow(root).map((page) => relative(root, page)), ...programs];
}

/** What stands before the words of a command: `npx fingerpost`, the file of a project, or a backtick alone. */
const beginning =
  /(?:npx (?:--?[\w-]+ )*(?:fingerpost)(?:@[\w.-]+)?|node_modules\/\.bin\/fingerpost|dist\/cli\/main\.js|`fingerpost)(?=[\s"'`])/g;

/** The commands of a text, each until its backtick, its line or what a shell does with it ends. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(beginning)].map(({ index, 0: begun }) => {
    const isSpan = begun.startsWith("`") || /`(?:\$ )?$/.test(text.slice(text.lastIndexOf("\n", index) + 1, index));
    const rest = text.slice(index + begun.length).replace(/^["'][^]*/, "");
    const [command = ""] = isSpan ? rest.split("`") : rest.split(/["'`]?(?:\n|$)|(?<=[\w>]),|: |\. |\*\//, 1);
    // A span may go on in the next line, of a docstring as well.
    const line = command.replace(/\s*\n[ *>/]*/g, " ").replace(/\s(?:[12]?>>?|\||&&|;|#)\s.*$/s, "");
    return line.replace(/[.,:;"]+$/, "").trim();
  });
}

const wordsOf = (command: string): string[] =>
  [...command.replaceAll(/[[\]…]|\.\.\./g, "").matchAll(/"([^"]*)"|'([^']*)'|(<[^>]*>)|(\S+)/g)].map(
    ([, quoted, single, placeholder, plain]) => quoted ?? single ?? (placeholder === undefined ? plain! : "a"),
  );

/** What a sentence may leave out, because it speaks of the command: the module, the name, the value of an option. */
const omitted: readonly (readonly string[])[] = [[], ["a"], ["a", "a"], ["1"], ["a", "GET", "/"]];

/** Why the program would refuse a command. Null for one that it understands. */
function faultOf(command: string): string | null {
  const words = wordsOf(command);
  if (words.length === 0 || words.includes("--help") || words[0] === "--version") return null;
  const faults = omitted.map((more) => {
    const [name, ...rest] = [...words, ...more];
    try {
      if (name === "tables") tablesText(words.slice(1));
      // Nothing is made: the folder to make it in does not exist.
      else if (name === "new") newProject(rest, "0.0.0", "/nonexistent/folder");
      else commandOf([name!, ...rest]);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return null;
  });
  return faults.includes(null) ? null : faults[0]!;
}

describe("commands in prose", () => {
  const commands = sources().flatMap((file) =>
    commandsIn(readFileSync(join(root, file), "utf8")).map((command) => ({ file, command })),
  );

  it("are those of the program, with its options", () => {
    expect(commands.length).toBeGreaterThan(80);
    expect(new Set(commands.map(({ file }) => file)).size).toBeGreaterThan(25);
    const faults = commands.flatMap(({ file, command }) => {
      const fault = faultOf(command);
      return fault === null ? [] : [`${file}: fingerpost ${command}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it("would be found if they were wrong, in a sentence, a table, a block and a docstring", () => {
    const planted = [
      "Run `npx fingerpost changes2 app.js` first.",
      "| `fingerpost openapi --compare old.json` | compares |",
      "```sh\nnpx fingerpost check app.js --document /internal.json\n```",
      " * With `npx fingerpost routes\n * app.js --seed 1` you see them.",
      "Write `npx fingerpost new library --template todo`.",
      '"Cannot find it: run npx fingerpost changes, and look"',
      "`bun --bun node_modules/.bin/fingerpost rutes src/model.ts`",
    ];
    const faults = planted.map((text) => commandsIn(text).map(faultOf));
    expect(faults.map(([fault]) => fault?.replace(/:.*/s, ""))).toEqual([
      "Cannot run a command",
      'Cannot understand "--compare"',
      "Cannot use --document with check",
      "Cannot use --port, --seed or --guards with routes",
      "Cannot use --template",
      "Cannot run a command",
      "Cannot run a command",
    ]);
  });

  it("beside options that the usage lists, on the pages of the program", () => {
    const known = new Set([...usage.matchAll(/--[a-z]+/g)].map(([option]) => option));
    const pages = ["cli", "templates", "breaking-changes", "mocks", "agents"].map((name) => `docs/${name}.md`);
    const named = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/`(--[a-z-]+)/g)].map(([, option]) => `${page} ${option!}`),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((one) => !known.has(one.split(" ")[1]!))).toEqual([]);
  });
});
