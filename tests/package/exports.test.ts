import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  exports: Record<string, { types: string; default: string } | string>;
};

describe("the entries of the package", () => {
  it("export these names, and no default", async () => {
    const lines: string[] = [];
    for (const [key, target] of Object.entries(exports)) {
      if (typeof target === "string") continue;
      const source = target.default.replace("./dist/", root + "src/").replace(/\.js$/, ".ts");
      lines.push(
        `${key}: ${Object.keys((await import(source)) as object)
          .toSorted()
          .join(", ")}`,
      );
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("exports.txt");
    expect(lines.join()).not.toMatch(/\bdefault\b/);
  });

  it("have their types and their code in the same place", () => {
    for (const [key, target] of Object.entries(exports)) {
      if (typeof target === "string") continue;
      expect(target).toEqual({ types: `./dist/${key.slice(2, -3)}.d.ts`, default: `./dist/${key.slice(2)}` });
    }
  });
});
