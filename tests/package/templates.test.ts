// What docs/templates.md says of projects, and what `fingerpost new` makes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newProject } from "../../src/cli/new-project.ts";
import { root } from "./snippets.ts";

const page = readFileSync(join(root, "docs/templates.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Manifest {
  readonly scripts?: object;
  readonly tasks?: object;
}
const commandsOf = (project: string): string[] => {
  const files = readdirSync(project).filter((file) => /^(?:package|deno)\.json$/.test(file));
  const manifests = files.map((file) => JSON.parse(readFileSync(join(project, file), "utf8")) as Manifest);
  return manifests.flatMap(({ scripts = {}, tasks = {} }) => Object.keys({ ...scripts, ...tasks }));
};

describe("docs/templates.md", () => {
  const rows = [...page.matchAll(/^\| `(\w+)`[^|]*\|(.*)\|$/gm)];

  it("has the runtimes that the command offers", () => {
    expect(() => newProject(["a", "--runtime", "php"], "0.0.0", folder)).toThrow(
      `expected ${rows.map(([, runtime]) => runtime).join(", ")}, got "php"`,
    );
  });

  it.each(rows.map(([, runtime, cells]) => [runtime!, cells!]))(
    "has commands that a project for %s has",
    (runtime, cells) => {
      const printed = newProject([runtime, "--runtime", runtime], "0.0.0", folder);
      const known = commandsOf(join(folder, runtime));
      const commands = [...cells.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);
      const scripts = commands.flatMap(
        (command) => /(?:\brun|\btask|^npm|^bun) (?!run\b|install\b)(\w+)$/.exec(command)?.[1] ?? [],
      );
      expect(scripts.length).toBeGreaterThan(2);
      // `bun test` needs no script, as `npm install` does not.
      expect(scripts.filter((script) => !known.includes(script))).toEqual([]);
      for (const line of printed.match(/^ {2}(?!cd\b).*(?:install|test)$/gm) ?? [])
        expect(commands).toContain(line.trim());
    },
  );

  it("says of the application of notes what is copied, and what to type", () => {
    const printed = newProject(["notes", "--template", "notes"], "0.0.0", folder);
    const [, section] = page.split("\n## A whole application\n");
    const [, typed] = /```sh\n.*\n(.*)\n```/.exec(section!)!;
    expect(typed).toBe([...printed.matchAll(/^ {2}(.+)$/gm)].map(([, line]) => line).join(" && "));
    expect(section).toContain("The copy leaves out tests and lint");
    expect(commandsOf(join(folder, "notes"))).toEqual(["prestart", "compile", "start"]);
    expect(section).toMatch(/ignores\s`--runtime` and `--chain`/);
    for (const other of ["--runtime=bun", "--chain=native"])
      expect(() => newProject(["b", "--template", "notes", other], "0.0.0", folder)).toThrow(
        "Cannot use --template with",
      );

    const readme = readFileSync(join(folder, "notes/README.md"), "utf8");
    const files = readdirSync(join(folder, "notes/server"));
    expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
    const named = [...readme.matchAll(/`([\w-]+\.ts)`/g)].map(([, file]) => file!);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
    const settings = readFileSync(join(folder, "notes/server/settings.ts"), "utf8");
    const variables = [...settings.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g)].map(([name]) => name);
    expect([...new Set(variables)].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
    // Tests and what the repository alone has are not copied.
    expect(readdirSync(join(folder, "notes")).filter((file) => file.includes("test"))).toEqual([]);
  });
});
