// What is stable: docs/stability.md, the reports of the interface and the docstrings say the same of each export.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../support/files.ts";
import { runtimes } from "../runtimes/driver/runtimes.ts";
import { root } from "./snippets.ts";

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const page = textOf("docs/stability.md");
const script = new URL("../../scripts/check/lib/kept-interface.js", import.meta.url).href;
const { reportNameOf } = (await import(script)) as { reportNameOf(types: string): string };
const { exports } = JSON.parse(textOf("package.json")) as { exports: Record<string, { types?: string }> };

/** Each export of each entry, with the word above it in the report of the entry. */
const reported = Object.entries(exports).flatMap(([key, { types }]) => {
  if (types === undefined || key.startsWith("./modules/")) return [];
  const report = textOf(`tests/package/api/${reportNameOf(types)}.txt`);
  const found = report.matchAll(/^(?:\/\/ (.+)\n)?export (?:\{ \w+ as (\w+) \}|(?:abstract )?(\w+) (\w+))/gm);
  return [...found].map(([, mark, alias, kind, name]) => ({
    entry: `fingerpost${key.slice(1)}`,
    title: `${alias ?? name!}${kind === "function" ? "()" : ""}`,
    mark,
  }));
});

describe("docs/stability.md", () => {
  it("lists what the reports call experimental, and the reports say one of two words of each export", () => {
    expect(reported.length).toBeGreaterThan(300);
    const words = /^(?:stable(?:, experimental: \w+(?:, \w+)*)?|experimental)$/;
    expect(reported.filter(({ mark }) => !words.test(mark ?? ""))).toEqual([]);
    const listed = [...page.matchAll(/^\| `(fingerpost[^`]*)` \| (.+) \|$/gm)].flatMap(([, entry, names]) =>
      names!.split(", ").map((name) => `${entry!}: ${name.replaceAll("`", "")}`),
    );
    const experimental = reported.flatMap(({ entry, title, mark }) => {
      if (mark === "experimental") return [`${entry}: ${title}`];
      const members = /^stable, experimental: (.+)$/.exec(mark!)?.[1]?.split(", ") ?? [];
      return members.map((member) => `${entry}: ${member} of ${title}`);
    });
    expect(listed.toSorted()).toEqual(experimental.toSorted());
  });

  it("lists what docstrings mark, apart from types that no entry exports", () => {
    const marked = filesIn(join(root, "src"))
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [
        ...textOf(`src/${file}`).matchAll(
          /^ *\* @experimental\n(?: *\*(?!\/).*\n)* *\*\/\n *(?:export (\w+)|readonly) (\w+)/gm,
        ),
      ])
      .map(([, kind, name]) => `${name!}${kind === "function" ? "()" : ""}`);
    const listed = [...page.matchAll(/^\| `fingerpost[^`]*` \| (.+) \|$/gm)].flatMap(([, names]) =>
      names!.split(", ").map((name) => /`([^`]+)`/.exec(name)![1]!),
    );
    expect(marked.toSorted()).toEqual([...listed, "MetadataClass", "Tool"].toSorted());
  });

  it("lists every type that an export names which would change with it", () => {
    const names = reported.filter(({ mark, title }) => mark === "experimental" && !title.endsWith("()"));
    const experimental = new RegExp(`\\b(?:${names.map(({ title }) => title).join("|")})\\b`);
    expect(names.length).toBeGreaterThan(10);
    const blocks = filesIn(join(root, "tests/package/api")).flatMap((file) =>
      textOf(`tests/package/api/${file}`).split(/\n\n(?=\/\/ )/),
    );
    expect(blocks.some((block) => block.startsWith("// experimental") && experimental.test(block))).toBe(true);
    expect(blocks.filter((block) => block.startsWith("// stable") && experimental.test(block))).toEqual([]);
  });

  it("names the runtimes of the nightly run", () => {
    const rows = [...page.matchAll(/^\| ([\w ()]+) \| [\d.]+ \| (?:yes|no: .+) \|$/gm)].map(([, name]) => name!);
    const known = runtimes.map(({ name }) => (name === "workerd" ? "Cloudflare Workers (workerd)" : name));
    expect(rows.toSorted()).toEqual(known.toSorted());
  });
});
