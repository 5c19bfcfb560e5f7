import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Sentence {
  readonly text: string;
  readonly words: readonly string[];
  readonly cell?: boolean;
  readonly first: boolean;
}

interface Shares {
  readonly sentences: number;
  readonly addressed: number;
  readonly negated: number;
  readonly colons: number;
  readonly pronouns: number;
}

interface Content {
  readonly headings: readonly { readonly line: number; readonly text: string }[];
  readonly sentences: readonly Sentence[];
}

interface Measures {
  readonly words: number;
  readonly mean: number;
  readonly over: number;
  readonly grade: number;
}

const script = new URL("../../scripts/check/prose.js", import.meta.url);
const library = new URL("lib/shares.js", script);
const { bounds, faultsOfShares, sharesOf } = (await import(library.href)) as {
  readonly bounds: Readonly<Record<"all" | "page", Omit<Shares, "sentences" | "pronouns">>>;
  faultsOfShares(name: string, shares: Shares, bound: Omit<Shares, "sentences" | "pronouns">): string[];
  sharesOf(sentences: readonly Sentence[]): Shares;
};
const {
  readPage,
  readDocstrings,
  faultsOf,
  faultsOfIndex,
  longRecord,
  measure,
  pricesWithoutProof,
  riddlesIn,
  wideLines,
} = (await import(script.href)) as {
  readPage(text: string): Content;
  readDocstrings(text: string): Content;
  faultsOf(file: string, content: Content): string[];
  faultsOfIndex(index: string, records: readonly (readonly [file: string, text: string])[]): string[];
  longRecord(file: string, text: string): string[];
  measure(sentences: readonly Sentence[]): Measures;
  pricesWithoutProof(file: string, text: string): string[];
  riddlesIn(file: string, text: string): string[];
  wideLines(file: string, text: string): string[];
};

const long = "The " + "very ".repeat(24) + "end";
const faultsOfPage = (text: string, file = "docs/page.md"): string[] => faultsOf(file, readPage(text));

const good = `---
title: Page
---
# Trailing slashes

You write \`behind the slash\` in code. The proxy waits behind a load balancer? Of course.

\`\`\`js
// Whoever reads this tells nobody. (C4.7)
\`\`\`

<!-- This tells nobody
that it gives -->

| a | b |
|---|---|
| \`a|b\` | returns text |

## What is a resource?

- There is no limit. The target of a [link](tells.md) is not text.
`;

describe("wideLines()", () => {
  it("finds lines of more than 120 columns that can be wrapped", () => {
    const words = "word ".repeat(30);
    const lines = [` * ${words}`, `// ${words}`, `/** ${words}*/`, `const a = "${words}";`, "call();"];
    const widths = lines.map(({ length }) => length);
    expect(wideLines("a.ts", lines.join("\n"))).toEqual(
      [1, 2, 3, 4].map((at) => `a.ts:${at}: ${widths[at - 1]} columns; at most 120`),
    );
  });

  it("leaves lines alone that cannot be wrapped", () => {
    const lines = [`// ${"x".repeat(150)}`, ` * ${"x".repeat(150)}`, `  /^${"word ".repeat(30)}$/.test(text);`];
    const directive = `// oxlint-disable ${"rule ".repeat(30)}`;
    expect(wideLines("a.ts", [...lines, directive, `// ${"é".repeat(58)} ${"é".repeat(58)}`].join("\n"))).toEqual([]);
  });
});

describe("pricesWithoutProof()", () => {
  it("finds prices without a program or a figure, and prices of less than 3 %", () => {
    const unnamed = "a.ts:3: name the program that measures PERF";
    const cheap = "a.ts:3: PERF is for 3 % or more";
    const faultsIn = (...lines: string[]): string[] =>
      pricesWithoutProof("a.ts", ["", "/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n"));
    expect(faultsIn("PERF: plain, 5 % (`node", "bench/handle.js`).")).toEqual([]);
    expect(faultsIn("PERF: 0.5 to 1.3 us of 15 (`bench/files`).")).toEqual([]);
    expect(faultsIn("PERF: 300 bytes of the heap.")).toEqual([unnamed]);
    expect(faultsIn("PERF: 300 bytes (`node bench/gone.js`).")).toEqual([unnamed]);
    expect(faultsIn("PERF: faster (`node bench/handle.js 5`).")).toEqual([
      "a.ts:3: PERF needs a share, or two figures",
    ]);
    expect(faultsIn("PERF: 0.6 us of 30 (`node bench/requests.js`).")).toEqual([cheap]);
    expect(faultsIn("PERF: 2 % (`node bench/handle.js`).", "", "Others take 50 % more.")).toEqual([cheap]);
    expect(faultsIn("PERF: 4 %.", "PERF: 5 % (`tests/growth/bytecode.test.ts`).")).toEqual([unnamed]);
  });
});

describe("the index of the decisions", () => {
  const index = "| record | decides | state |\n|---|---|---|\n| [001](001-a.md) | A `b` | in force |\n";

  it("has each record once, by its number and title", () => {
    expect(faultsOfIndex(index, [["001-a.md", "# 001 A `b`\n"]])).toEqual([]);
    const wrong = (records: readonly (readonly [string, string])[], more = ""): string =>
      faultsOfIndex(index + more, records).join("\n");
    expect(wrong([["001-a.md", "# 001 C\n"]])).toBe("001-a.md: decisions/README.md has another title");
    expect(wrong([["001-a.md", "# A `b`\n"]])).toBe('001-a.md: its heading begins with "# NNN "');
    expect(wrong([])).toBe("decisions/README.md: 001-a.md does not exist");
    const twice = "| [001](001-a.md) | A `b` | open: why |\n";
    expect(wrong([["001-a.md", "# 001 A `b`\n"]], twice)).toBe("001-a.md: decisions/README.md lists it 2 times; once");
    const both = [
      ["001-a.md", "# 001 A `b`\n"],
      ["001-c.md", "# 001 C\n"],
    ] as const;
    expect(wrong(both, "| [001](001-c.md) | C | in force |\n")).toBe(
      "001-a.md: another record has its number; take the next\n001-c.md: another record has its number; take the next",
    );
    expect(wrong(both)).toContain("001-c.md: decisions/README.md lists it 0 times; once");
  });
});

describe("riddlesIn()", () => {
  it.each([
    "// Of several types, agents read JSON best.",
    "  // It has aborted.",
    "/** Its name. */",
    "/**\n * Whether it takes the rest.\n */",
    "call(); // Those that may pass.",
    "// One that waits has no connection.",
    "// As it was written.",
    "// Others drop it.",
    "// Which is enough.",
    "/** The one that was added before. */",
  ])("finds %j", (text) => {
    expect(riddlesIn("a.ts", `call();\n${text}`)).toEqual([expect.stringMatching(/^a\.ts:2: begin with the noun: /)]);
  });

  it("leaves comments alone that name what they are about, and lines that go on", () => {
    const lines = [
      "// One server for each limit.",
      "// The signal aborts when the client leaves.",
      "// Of course this line goes on.",
      'const text = "// It is a text";',
      "/** Other origins whose pages may send requests. */",
      "/** Whether the cookie is sent over TLS only. */",
    ];
    expect(riddlesIn("a.ts", lines.join("\n"))).toEqual([]);
  });
});

describe("longRecord()", () => {
  it("finds records of more than 40 lines, however long the lines are", () => {
    const fault = ["a.md: 41 lines; at most 40. Figures go to bench/results"];
    expect(longRecord("a.md", "word\n".repeat(40))).toEqual([]);
    expect(longRecord("a.md", "word\n".repeat(41))).toEqual(fault);
    expect(longRecord("a.md", "word\n".repeat(39) + "x".repeat(151))).toEqual(fault);
  });
});

describe("the prose check", () => {
  it("finds nothing in a page that keeps the rules, nor in its code, comments and targets of links", () => {
    expect(faultsOfPage(good)).toEqual([]);
  });

  it.each([
    [`${long}.`, "26 words; at most 25"],
    ["The rest behind the slash.", "after, not behind"],
    ["The name tells a file from a folder.", "detects, says or reports, not tells"],
    ["The name gives a value.", "returns, not gives"],
    ["A payload of JSON.", "body or content, not payload"],
    ["The name lets it go.", "cancel, not let go"],
    ["The field as it stands.", "is, not stands"],
    ["That is for whoever wants it.", "name the actor: you, the client, the handler"],
    ["This is that which runs.", "name the thing"],
    ["The status is that of the handler.", "repeat the noun, not that of"],
    ["One second unless given.", "Default: …, not unless given"],
    ["This is no handler.", "is not a, not is no"],
    ["There is not a file.", "does not exist"],
    ["What is thrown answers.", "begin with the actor or the effect"],
    ["The rule (C4.7) holds.", "no internal codes"],
    ["| cell | The name gives a value |", "returns, not gives"],
    ["- An item that tells.", "detects, says or reports, not tells"],
    ["Who replaces a method writes it once.", "begin with the actor or the effect"],
    ["Braces stand for a value.", "is, not stands"],
    ["A part without a name, or no number.", "say what is, not and no"],
    ["A list in place of a string.", "instead of, not in place of"],
    ["A longer body is 413.", "somebody returns a status: returns 404, gets 404"],
    ["A wrong token is still `401`.", "somebody returns a status: returns 404, gets 404"],
    ["404 says that the path is unknown.", "somebody returns a status: returns 404, gets 404"],
    ["It keeps the address.", "begin with the noun"],
    ["- Both are read.", "begin with the noun"],
    ["| cell | Its name |", "begin with the noun"],
    ["# A title.", "no full stop at the end of a heading"],
    ["# One two three four five six seven eight nine", "a heading of at most 8 words; a question, 14"],
    ["# What it refuses", "a heading that a searcher types"],
    ["# Codes C4.7", "no internal codes"],
  ])("finds %j", (text, rule) => {
    const faults = faultsOfPage(`First.\n\n${text}\n`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^docs\/page\.md:3: /);
    expect(faults[0]!.split("\n")[1]).toBe(`    ${rule}`);
  });

  it("leaves statuses and pronouns alone that are named, and pages that are looked up", () => {
    expect(
      faultsOfPage("If the status is 404, wait. The default is 100 bytes. One route is enough. Both lists."),
    ).toEqual([]);
    expect(faultsOfPage("It is 404.", "docs/errors/page.md")).toEqual([]);
  });

  it("says the line on which a sentence of a paragraph begins, and prints its code", () => {
    expect(faultsOfPage("One\ntwo. The `app.x y`\ngives three.")).toEqual([
      "docs/page.md:2: The `app.x y` gives three.\n    returns, not gives",
    ]);
  });

  it("lets the contract have its codes", () => {
    expect(faultsOfPage("Rule C4.7 holds.", "tests/contract.md")).toEqual([]);
  });

  it("reads the docstrings of exported names and of their members, without examples", () => {
    const source = [
      "/** It tells. */",
      "const own = 1;",
      "/**",
      " * Has x give y.",
      " *",
      " * @throws {TypeError} Whoever calls.",
      " * @example",
      " * ```ts",
      " * it.gives();",
      " * ```",
      " */",
      "export class Public {",
      "  /** What is there. */",
      "  member = 1;",
      "}",
      "class Hidden {",
      "  /** What is hidden. */",
      "  member = 1;",
      "}",
    ];
    const faults = faultsOf("src/a.ts", readDocstrings(source.join("\n")));
    expect(faults.map((fault) => fault.split("\n")[0])).toEqual([
      "src/a.ts:4: Has x give y.",
      "src/a.ts:6: Whoever calls.",
      "src/a.ts:6: Whoever calls.",
      "src/a.ts:13: What is there.",
    ]);
  });

  it("measures words with the cells of tables, and sentences without them", () => {
    const { sentences } = readPage(`The cat sat.\n\n| a | b |\n\n${long}.`);
    expect(measure(sentences)).toMatchObject({ words: 31, mean: 14.5, over: 0.5 });
    expect(measure(readPage("The cat sat on the mat.").sentences).grade).toBeCloseTo(0.39 * 6 + 11.8 - 15.59);
  });

  it.each([
    ["You write a route.", { addressed: 1 }],
    ["Write a route.", { addressed: 1 }],
    ["To stop, call `stop()`.", { addressed: 1 }],
    ["The set type tests a route.", {}],
    ["Log is short.", {}],
    ["Nothing else is sent.", { negated: 1 }],
    ["The file cannot be read.", { negated: 1 }],
    ["The note is another.", {}],
    ["The header is kept: browsers read it first.", { colons: 1 }],
    ["**Default**: the name of the class.", {}],
    ["The fields of a row are sent: `id`, `title` and `pages`.", {}],
    ["They are sent. It ends.", { pronouns: 1 }],
    ["Such a file is sent. They are others.", {}],
  ])("counts %j", (text, shares) => {
    const none = { addressed: 0, negated: 0, colons: 0, pronouns: 0 };
    expect(sharesOf(readPage(text).sentences)).toMatchObject({ ...none, ...shares });
  });

  it("names what is outside of its bounds", () => {
    const { sentences } = readPage("It is not there: nobody sends it.");
    expect(faultsOfShares("docs/page.md", sharesOf(sentences), bounds.page)).toEqual([
      "docs/page.md: 0.0 % of the sentences address the reader; at least 12.0 %",
      "docs/page.md: 100.0 % of the sentences deny something; at most 20.0 %",
      "docs/page.md: 100.0 % of the sentences join clauses with a colon; at most 10.0 %",
    ]);
    expect(faultsOfShares("docs/page.md", sharesOf(readPage("Write it.").sentences), bounds.all)).toEqual([]);
  });

  it("prints the shares of any folder", () => {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    writeFileSync(join(folder, "a.md"), "/// tip\n\nWrite a route. It is short.\n");
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(script), `--shares=${folder}`], { encoding: "utf8" });
    expect(stdout).toContain("1 pages: 2 sentences, 50.0 % address the reader, 0.0 % deny, 0.0 % join");
    rmSync(folder, { recursive: true });
  });

  it("fails over a bad page", () => {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    const run = (page: string): { status: number | null; output: string } => {
      const files = {
        "scripts/check/prose.mjs": readFileSync(fileURLToPath(script), "utf8"),
        "scripts/check/lib/shares.js": readFileSync(fileURLToPath(library), "utf8"),
        "package.json": '{ "type": "module" }',
        "README.md": "A page.",
        "CHANGELOG.md": "A page.",
        "SECURITY.md": "A page.",
        "CONTRIBUTING.md": "A page.",
        "ARCHITECTURE.md": "A page.",
        "AGENTS.md": "A page.",
        "llms.txt": "A page.",
        "bench/README.md": "A page.",
        "tests/README.md": "A page.",
        "tests/contract.md": "A page.",
        "tests/hostile-targets.md": "A page.",
        "examples/one/README.md": "A page.",
        "decisions/README.md": "# Decisions\n",
        "tests/a.ts": "",
        "bench/a.js": "",
        "docs/page.md": page,
        "src/a.ts": "/** Returns one. */\nexport const a = 1;\n",
      };
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), content);
      }
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "scripts/check/prose.mjs")], {
        encoding: "utf8",
      });
      return { status, output: stdout + stderr };
    };
    expect(run("A page.")).toMatchObject({ status: 0 });
    const bad = run("A page gives.");
    expect(bad.status).toBe(1);
    expect(bad.output).toContain("docs/page.md:1: A page gives.");
    const denying = run("The page is not sent.\n\n".repeat(20));
    expect(denying.status).toBe(1);
    expect(denying.output).toContain("docs/page.md: 100.0 % of the sentences deny something; at most 20.0 %");
    rmSync(folder, { recursive: true });
  });
});
