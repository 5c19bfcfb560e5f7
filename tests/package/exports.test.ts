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
      expect(target.types).toBe(target.default.replace(/\.js$/, ".d.ts"));
      if (key.endsWith(".js")) expect(target.default).toBe(`./dist/${key.slice(2)}`);
    }
  });

  it("C1.5 are at most 38, and of long names the specification has two", () => {
    expect(exports["./native"]).toEqual(exports["./modules/http.native.js"]);
    expect(exports["./polyfill"]).toEqual(exports["./modules/http.polyfill.js"]);
    expect(exports["."]).toMatchObject({ default: "./dist/modules/http.semantics.js" });
    const long = Object.keys(exports).filter((key) => key.endsWith(".js"));
    expect(long).toEqual(["./modules/http.native.js", "./modules/http.polyfill.js"]);
    expect(new Set(Object.values(exports).map((target) => JSON.stringify(target))).size - 1).toBeLessThanOrEqual(38);
    expect(Object.keys(exports).length).toBeLessThanOrEqual(41);
  });
});
