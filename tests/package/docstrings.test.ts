import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./snippets.ts";

interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly isType: boolean;
}

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const { exports } = JSON.parse(textOf("package.json")) as { exports: Record<string, { default?: string }> };
const entries = Object.values(exports).flatMap(({ default: file }) =>
  file === undefined ? [] : [file.replace("./dist/", "src/").replace(/\.js$/, ".ts")],
);

/** What a source exports, with the file that declares it. */
function declarationsOf(entry: string): Declaration[] {
  const text = textOf(entry);
  const own = [...text.matchAll(/^export (?:async )?(class|const|function|interface|type) (\w+)/gm)];
  const lists = [...text.matchAll(/^export (type )?\{([^}]+)\}(?: from "(.+)")?;/gm)];
  const listed = lists.flatMap(([, allTypes, names, from]) =>
    names!.split(",").flatMap((part) => {
      const [, type = allTypes, name] = /^\s*(type )?(\w*)/.exec(part)!;
      const source = from ?? new RegExp(`^import [^;]*\\b${name}\\b[^;]* from "(.+)";`, "m").exec(text)?.[1];
      return name === "" ? [] : [{ name: name!, file: join(dirname(entry), source!), isType: type !== undefined }];
    }),
  );
  const isType = (kind: string): boolean => kind === "interface" || kind === "type";
  return [...own.map(([, kind, name]) => ({ name: name!, file: entry, isType: isType(kind!) })), ...listed];
}

/** The docstring right in front of something, which must be at the beginning of its line; empty if there is none. */
function docstringBefore(text: string, index: number): string {
  return /\/\*\*(?:(?!\*\/)[^])*\*\/\n$/.exec(text.slice(0, index))?.[0] ?? "";
}

/** The functions of a source that its users call, methods of exported classes among them, with docstring and body. */
function callablesOf(text: string): { readonly name: string; readonly docstring: string; readonly body: string }[] {
  const pattern =
    /^(?:export (?:async )?function (\w+)|  (?:static )?(?:async )?(?!constructor|if|for|return|static|override)(\w+)(?=[(<])).*[({]$[^]*?^(?: {2})?\}$|^ {2}(\w+)\(.*\{$[^]*?^ {2}\}$/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    name: (match[1] ?? match[2] ?? match[3])!,
    docstring: docstringBefore(text, match.index),
    body: match[0],
  }));
}

const all = entries.flatMap(declarationsOf);
const files = new Set([
  ...all.map(({ file }) => file),
  "src/application/application-builder.ts",
  "src/application/application.ts",
  "src/application/resource.ts",
]);

describe("docstrings", () => {
  it("are on everything that can be imported, with a program where it is more than a type", () => {
    expect(all.length).toBeGreaterThan(60);
    const faults = all.flatMap(({ name, file, isType }) => {
      const text = textOf(file);
      const found = [...text.matchAll(new RegExp(`^export (?:async |abstract )?\\w+\\*? ${name}\\b`, "gm"))];
      // Of overloads, the last is the implementation, which nobody sees.
      const isOverloaded = found.length > 1 && found.every(([head]) => head.startsWith("export function"));
      const seen = isOverloaded ? found.slice(0, -1) : found;
      const docstrings = seen.map(({ index }) => docstringBefore(text, index));
      if (found.length === 0 || docstrings.includes("")) return [`${name} of ${file} has none`];
      const hasProgram = docstrings.some((docstring) => docstring.includes("@example"));
      return isType || hasProgram ? [] : [`${name} of ${file} has no @example`];
    });
    expect(faults).toEqual([]);
  });

  it("are on every method of a class that can be imported, and of the builders of such", () => {
    const names = new Set(all.filter(({ isType }) => !isType).map(({ name }) => name));
    const methods = [...files].flatMap((file) => {
      const classes = [...textOf(file).matchAll(/^(?:export )?(?:abstract )?class (\w+).*\{$[^]*?^\}$/gm)];
      return classes.flatMap(([body, name]) => {
        if (!names.has(name!) && !name!.endsWith("Builder")) return [];
        const found = body.matchAll(
          /^ {2}(?:static |async |get |declare readonly |readonly )?(\w+)\??(?:<.*>)?(?:: | = (?:async )?)?\(.*$/gm,
        );
        return [...found].flatMap(({ 1: method, index }) =>
          method === "constructor" ? [] : [{ method: `${method} of ${name}`, docstring: docstringBefore(body, index) }],
        );
      });
    });
    expect(methods.length).toBeGreaterThan(40);
    expect(methods.filter(({ docstring }) => docstring === "").map(({ method }) => method)).toEqual([]);
  });

  it("name the errors of what throws them itself", () => {
    const callables = [...files].flatMap((file) => callablesOf(textOf(file)).map((one) => ({ file, ...one })));
    const throwing = callables.filter(({ body }) =>
      /\bthrow new \w*Error\(|\bnew OptionCheck\(|\bchecked\(/.test(body),
    );
    expect(throwing.length).toBeGreaterThan(20);
    const silent = throwing.filter(({ docstring }) => docstring !== "" && !docstring.includes("@throws"));
    expect(silent.map(({ file, name }) => `${name} of ${file}`)).toEqual([]);
  });

  it("name the unit of every number that is an option", () => {
    const options = all.flatMap(({ file }) =>
      [...textOf(file).matchAll(/^ {2}(?:readonly )?(\w+)\??: number;$/gm)].map(({ 0: line, 1: name, index }) => ({
        where: `${file}: ${line.trim()}`,
        text: `${name} ${docstringBefore(textOf(file), index).toLowerCase()}`,
      })),
    );
    expect(options.length).toBeGreaterThan(8);
    const bare = options.filter(
      ({ text }) =>
        !/^status |(?:Ms|Seconds|Bytes) |second|byte|how many|number of|status code|port|counted/.test(text),
    );
    expect(bare.map(({ where }) => where)).toEqual([]);
  });
});
