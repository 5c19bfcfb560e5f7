// The files of a page that has several: written into a folder, compiled, and their own tests run.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { install, root, snippetsOf } from "./snippets.ts";

/** Writes the files of a page, each beside itself in JavaScript, with the package; fails if they do not compile. */
export async function writePage(page: string, folder: string): Promise<string[]> {
  const files = snippetsOf(page).filter(({ file }) => file !== null);
  await install(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const { file, code } of files) {
    mkdirSync(dirname(join(folder, file!)), { recursive: true });
    writeFileSync(join(folder, file!), code);
    const { code: plain } = await transform(code, { loader: "ts", target: "node20" });
    const runnable = plain.replaceAll(/(?<=from "\.[./\w-]+)\.ts(?=")/g, ".js");
    writeFileSync(join(folder, file!.replace(/ts$/, "js")), runnable);
  }
  const names = files.map(({ file }) => file!);
  const settings = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { noEmit: true },
    files: names,
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { stdio: "inherit" });
  return names;
}

/** What the tests of a page print, as TAP. */
export async function testPage(folder: string, names: readonly string[]): Promise<string> {
  const tests = names.filter((name) => name.endsWith(".test.ts")).map((name) => name.replace(/ts$/, "js"));
  const args = ["--test", "--test-reporter=tap", ...tests];
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
}
