import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { install, root } from "./snippets.ts";

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly url: string };
  readonly sideEffects?: boolean;
  readonly publishConfig?: unknown;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifestIn = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
const manifest = manifestIn("package.json");

describe("package.json", () => {
  it("asks for provenance when it is published, for everyone", () => {
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
  });

  it("admits no version of ws that is older than the one that is attacked here", () => {
    const [from, attacked] = [manifest.peerDependencies!["ws"], manifest.devDependencies!["ws"]];
    // Before 8.23 pongs pile up for a client that pings and reads nothing.
    expect(from).toBe(`^${attacked}`);
  });

  it("names one repository, where readers and reports go, too", () => {
    const [, address] = /^git\+(https:.+)\.git$/.exec(manifest.repository?.url ?? "") ?? [];
    expect(address).toMatch(/\/fingerpost$/);
    expect(manifest.homepage).toBe(`${address}#readme`);
    expect(manifest.bugs).toBe(`${address}/issues`);
  });

  it("says rightly that no module has side effects: a bundle without what seems unused works", async () => {
    expect(manifest.sideEffects).toBe(false);
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), "{}");
    await install(folder);
    const contents = `
      import "fingerpost/polyfill";
      import { requestId } from "fingerpost/middleware/request-id";
      import { Application, HTTPError, Middleware, Resource, ResourceGroup, Status } from "fingerpost/native";
      class Guard extends Middleware { ALL() { throw new HTTPError(Status.Forbidden); } }
      class Home extends Resource { paths = ["/"]; GET() { return new Response("home"); } }
      const group = ResourceGroup.builder().resources(Home).middleware(Guard).build();
      const app = Application.builder().resources(group).middleware(requestId({ generate: () => "7" })).build();
      const { status, headers } = await app.fetch(new Request("http://localhost/"));
      console.log(status, headers.get("X-Request-Id"));`;
    const outfile = join(folder, "bundle.mjs");
    const stdin = { contents, resolveDir: folder };
    const logLevel = "error"; // it warns that a module without side effects is imported for these
    await build({
      stdin,
      outfile,
      bundle: true,
      minify: true,
      treeShaking: true,
      format: "esm",
      target: "es2022",
      logLevel,
    });
    expect(execFileSync(process.execPath, [outfile], { encoding: "utf8" })).toBe("403 7\n");
  });
});

describe("jsr.json", () => {
  it("is in step with package.json", () => {
    const jsr = manifestIn("jsr.json");
    expect({ version: jsr.version, license: jsr.license }).toEqual({
      version: manifest.version,
      license: manifest.license,
    });
    const sources = Object.entries(manifest.exports).flatMap(([key, target]) =>
      typeof target === "string"
        ? []
        : [[key, target.default.replace("./dist/", "./src/").replace(/\.js$/, ".ts")] as const],
    );
    expect(jsr.exports).toEqual(Object.fromEntries(sources));
  });
});

describe("a version", () => {
  const { version } = manifest;

  it("has each part of what is not released once in CHANGELOG.md", () => {
    const [, unreleased] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## .*$/m);
    const parts = unreleased!.match(/^### .*$/gm) ?? [];
    expect(parts).toEqual([...new Set(parts)]);
  });

  it("has its heading in CHANGELOG.md, with the date, below what is not released", () => {
    const headings = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/^## .*$/gm)!;
    expect(headings[0]).toBe("## Unreleased");
    expect(headings[1]).toMatch(new RegExp(String.raw`^## ${version.replaceAll(".", "[.]")} \(\d{4}-\d\d-\d\d\)$`));
  });

  it.each(["bun", "deno", "node", "workers"])("is what projects for %s begin with", (runtime) => {
    const file = `examples/template-${runtime}/${runtime === "deno" ? "deno" : "package"}.json`;
    const ranges = readFileSync(join(root, file), "utf8").match(/(?<=fingerpost(?:@|": "))\^[^"/]+/g)!;
    expect(ranges).toHaveLength(runtime === "deno" ? 2 : 1);
    for (const range of ranges) expect(range).toBe(`^${version}`);
  });
});

describe(".github", () => {
  const workflows = join(root, ".github/workflows");

  it.each(readdirSync(workflows))("%s runs what a push must pass, by actions of GitHub that are pinned", (file) => {
    const text = readFileSync(join(workflows, file), "utf8");
    expect(text).toMatch(/^ +- run: \.ci\/run$/m);
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action!);
    expect(actions.filter((action) => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toContain("https://");
    // Whatever fetches the newest of something, as `npx` does, may be replaced by somebody else.
    expect(text).not.toMatch(/\bnpx\b|@latest/);
  });

  it("publishes nothing while something is blank that only people can fill in", () => {
    const release = readFileSync(join(workflows, "release.yml"), "utf8");
    expect(/^ +- run: (.+)$/m.exec(release)![1]).toBe("node scripts/release/blanks.js");
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "scripts/release"), { recursive: true });
    copyFileSync(join(root, "scripts/release/blanks.js"), join(folder, "scripts/release/blanks.mjs"));
    const blanks = (owners: string, repository: string): string => {
      writeFileSync(join(folder, "MAINTAINERS.md"), owners);
      writeFileSync(join(folder, "package.json"), JSON.stringify({ repository }));
      const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts/release/blanks.mjs")]);
      return `${status} ${String(stderr)}`;
    };
    const conduct = "There is none yet.";
    expect(blanks(`| Who? | BLANK |\n${conduct}`, "github.com/OWNER/a").match(/^(?:1 )?blank: /gm)).toHaveLength(3);
    expect(blanks("| Who? | Ada |\n", "github.com/ada/a")).toBe("0 ");
  });

  it("publishes in a job that cannot write to the repository", () => {
    const [, ...jobs] = readFileSync(join(workflows, "release.yml"), "utf8").split(/^ {2}(?=\w+:\n)/m);
    const rights = jobs.map((job) => [job.includes("id-token: write"), job.includes("contents: write")]);
    expect(rights.filter(([publishes]) => publishes)).toEqual([[true, false]]);
    expect(jobs.filter((job) => job.includes("npm publish"))).toHaveLength(1);
    for (const job of jobs.filter((other) => other.includes("write"))) {
      expect(job).not.toMatch(/runs-on: \S+-latest/);
      expect(job).toMatch(/node-version: \d+\.\d+\.\d+$/m);
    }
  });

  it.each([
    ["3.0.0", "latest"],
    ["3.0.0-rc.1", "rc"],
    ["3.1.0-beta.12", "beta"],
  ])("offers %s as %s", (given, tag) => {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "scripts/release"), { recursive: true });
    copyFileSync(join(root, "scripts/release/distribution-tag.js"), join(folder, "scripts/release/tag.mjs"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version: given }));
    const said = execFileSync(process.execPath, [join(folder, "scripts/release/tag.mjs")], { encoding: "utf8" });
    expect(said).toBe(`${tag}\n`);
  });
});
