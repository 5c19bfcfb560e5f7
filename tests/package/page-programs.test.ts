// Pages whose program has several files: they compile, and the tests that the page writes pass.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testPage, writePage } from "./page-files.ts";
import { root } from "./snippets.ts";

const passing = { "docs/accounts.md": 2, "docs/project-structure.md": 1, "docs/sign-in-with-google.md": 2 };

it.each(Object.entries(passing))(
  "%s has files that compile, and %d tests that pass",
  { timeout: 60_000 },
  async (page, count) => {
    // Below node_modules/, so that what is installed there is found.
    const folder = mkdtempSync(join(root, "node_modules", ".page-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const names = await writePage(page, folder);
    const text = readFileSync(join(root, page), "utf8");
    // Neither GitHub nor the site shows the name after the language.
    for (const name of names) expect(text.replaceAll(`\n\`\`\`ts [${name}]`, "")).toContain(`\`${name}\``);
    expect(await testPage(folder, names)).toMatch(new RegExp(`^# pass ${count}\n# fail 0$`, "m"));
  },
);
