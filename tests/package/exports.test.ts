import { readdirSync, readFileSync } from "node:fs";
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

  it("C1.5 have short names that lead to the same files as the long ones", () => {
    expect(exports["."]).toEqual(exports["./modules/http.native.js"]);
    expect(exports["./semantics"]).toEqual(exports["./modules/http.semantics.js"]);
    expect(exports["./node"]).toEqual(exports["./servers/node.js"]);
    const longIn = (folder: string): string[] =>
      Object.keys(exports).filter((key) => key.startsWith(`./${folder}/`) && key.endsWith(".js"));
    const long = [...longIn("middleware"), ...longIn("content")];
    const files = readdirSync(`${root}src/middleware`).filter((file) => /^[^.]+\.ts$/.test(file));
    expect(longIn("middleware").toSorted()).toEqual(
      files.map((file) => `./middleware/${file.slice(0, -3)}.js`).toSorted(),
    );
    expect(longIn("content")).toEqual([
      "./content/events.js",
      "./content/files.js",
      "./content/folder.js",
      "./content/lines.js",
      "./content/mount.js",
      "./content/pages.js",
      "./content/uploads.js",
      "./content/sockets.js",
    ]);
    for (const key of long) expect(exports[key.slice(0, -3)]).toEqual(exports[key]);
  });
});
