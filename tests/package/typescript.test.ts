// Does what docs/typescript.md tells to do, in its order, but for tsx.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/sockets.ts";
import { install, root, snippetsOf } from "./snippets.ts";

const page = readFileSync(join(root, "docs/typescript.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` };
const run = async (file: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd: folder, env })).stdout;

/** The package with its types, and those of Node. */
async function installWithTypes(): Promise<void> {
  await install(folder);
  const outDir = join(folder, "node_modules/fingerpost/dist");
  await run("tsc", "-p", join(root, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", outDir);
  mkdirSync(join(folder, "node_modules/@types"));
  symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
  symlinkSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
}

describe("docs/typescript.md", () => {
  it("has the settings of the templates for Bun and Workers", () => {
    const [, shown] = /^```json\n(.*?)^```$/ms.exec(page)!;
    const workers = JSON.parse(shown!) as { compilerOptions: object };
    const bun = { ...workers, compilerOptions: { ...workers.compilerOptions, types: ["bun"] } };
    expect(page).toContain('`"types": ["bun"]`');
    for (const [runtime, settings] of Object.entries({ bun, workers })) {
      const text = readFileSync(join(root, `examples/template-${runtime}/tsconfig.json`), "utf8");
      expect(JSON.parse(text), runtime).toEqual(settings);
    }
  });

  it(
    "leads from nothing to files that compile, and that Node runs as they are if it can",
    { timeout: 180_000 },
    async () => {
      const settings = [...page.matchAll(/^`([\w.]+)`, .*\n\n```json \[\1\]\n(.*?)^```$/gms)];
      expect(settings.map(([, file]) => file)).toEqual(["package.json", "tsconfig.json"]);
      const files = snippetsOf("docs/typescript.md").filter(({ file }) => file !== null);
      // Neither GitHub nor the site shows the name that stands behind the language.
      for (const { file } of files) expect(page).toContain(`\n\`${file}\`:\n\n\`\`\`ts [${file}]\n`);
      mkdirSync(join(folder, "src"));
      for (const [, file, text] of settings) writeFileSync(join(folder, file!), text!);
      for (const { file, code } of files) writeFileSync(join(folder, file!), code);
      await installWithTypes();

      await run("npm", "run", "build");
      const passes = /^[#ℹ] pass 2\n[#ℹ] fail 0$/m;
      const compiled = ["books", "application", "application.test", "server"].map((name) => `dist/${name}.js`);
      expect(await run(process.execPath, "--test", compiled[2]!)).toMatch(passes);
      expect(compiled.map((file) => readFileSync(join(folder, file), "utf8")).join()).not.toMatch(/from "\.\/\w+\.ts"/);
      if ("typescript" in process.features) expect(await run("npm", "test")).toMatch(passes);

      const port = await freePort();
      const { scripts } = JSON.parse(settings[0]![2]!) as { scripts: { start: string } };
      expect(page).toMatch(/^npm start$/m);
      const [, script] = /^node (\S+)$/.exec(scripts.start)!;
      const server = spawn(process.execPath, [script!], { cwd: folder, env: { ...env, PORT: port } });
      onTestFinished(() => void server.kill());
      await new Promise((resolve) => server.stdout.once("data", resolve));
      expect(await (await fetch(`http://localhost:${port}/books/2`)).text()).toBe('{"title":"Emma","year":1815}');
    },
  );
});
