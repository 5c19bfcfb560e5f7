// The program of docs/serve-files.md that serves a folder, beside a guard on a part of the same folder.
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, snippetsOf } from "../package/snippets.ts";
import { ask, freePort } from "../support/sockets.ts";

const outfile = `${root}node_modules/.cache/fingerpost/files-${process.pid}.mjs`;

interface Program {
  readonly root: string;
  readonly stop: AbortController;
}

let program: Program;
let port: number;

/** The page's program up to where it listens, with files below `admin/`, and a resource that guards them. */
async function guarded(): Promise<string> {
  const { code } = snippetsOf("docs/serve-files.md").find((snippet) => snippet.code.includes("class Shared"))!;
  const end = code.indexOf("async function show(");
  expect(end).toBeGreaterThan(0);
  const changed = code
    .slice(0, end)
    .replace("const app =", (text) => `${additions}\n${text}`)
    .replace(".resources(Shared)", ".resources(Shared, admin)")
    .replace("8080", String(port));
  expect(changed).toContain("resources(Shared, admin)");
  return `${changed}\nexport { root, stop };\n`;
}

const additions = `
import { mkdir } from "node:fs/promises";
import { bearer } from "fingerpost/middleware/bearer";
import { ResourceGroup } from "fingerpost/modules/http.native.js";

await mkdir(join(root, "admin"));
await writeFile(join(root, "admin", "secret.txt"), "secret");
await mkdir(join(root, "public"));
await writeFile(join(root, "public", "notice.txt"), "notice");
await writeFile(join(root, "public", "100%.txt"), "all");
await symlink(join(root, "admin"), join(root, "public", "link"));

class Admin extends Shared {
  paths = ["/files/admin/:path+"];

  GET() {
    return new Response("guarded");
  }
}

const admin = ResourceGroup.builder().resources(Admin).middleware(bearer({ tokens: { k7: "Ada" } })).build();
`;

beforeAll(async () => {
  port = Number(await freePort());
  await build({
    stdin: { contents: await guarded(), resolveDir: root, loader: "ts", sourcefile: "files.md" },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    alias: Object.fromEntries(
      ["content/files", "content/folder", "middleware/bearer", "modules/http.native", "servers/node"].map((name) => [
        `fingerpost/${name}.js`,
        `${root}src/${name}.ts`,
      ]),
    ),
  });
  program = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Program;
}, 60_000);
afterAll(async () => {
  program.stop.abort();
  await rm(program.root, { recursive: true });
  await rm(outfile, { force: true });
});

describe("docs/serve-files.md", () => {
  it("has a program that serves what is open, and leaves to a guard what is below its path", async () => {
    for (const [path, status, text] of [
      ["/files/poem.txt", 200, "Less is more"],
      ["/files/public/notice.txt", 200, "notice"],
      ["/files/public/../poem.txt", 200, "Less is more"],
      ["/files/public/notice.txt?to=a%2Fb", 200, "notice"],
      ["/files/public/100%25.txt", 200, "all"],
      ["/files/admin/secret.txt", 401, expect.any(String)],
      ["/files/%61dmin/secret.txt", 401, expect.any(String)],
      ["/files/public/../admin/secret.txt", 401, expect.any(String)],
      ["/files/public/%2e%2e/admin/secret.txt", 401, expect.any(String)],
    ] as const) {
      const answer = await ask(port, { path });
      expect([answer.status, answer.text], path).toEqual([status, text]);
    }
  });

  it.each([
    "/files/admin%2Fsecret.txt",
    "/files/admin%2fsecret.txt",
    "/files//admin/secret.txt",
    "/files///admin/secret.txt",
    "/files/x%2F..%2Fadmin/secret.txt",
    "/files/x%2f%2e%2e%2fadmin/secret.txt",
    "/files/public%2F..%2Fadmin/secret.txt",
    "/files/%2e%2fadmin/secret.txt",
    "/files/.%2Fadmin/secret.txt",
    "/files/public/..%2Fadmin/secret.txt",
    "/files/admin%5Csecret.txt",
    "/files/admin\\secret.txt",
    "/files/x%5C..%5Cadmin/secret.txt",
    "/files/%2Fadmin/secret.txt",
    "/files/public/link/secret.txt",
    "/files/public/link%2Fsecret.txt",
    "/files/ADMIN/secret.txt",
    "/files/admin%00/secret.txt",
    "/files/public//notice.txt",
    "/files/public%2Fnotice.txt",
    "/files/public/notice.txt%2F",
    "/files/public/notice.txt%00",
    "/files/public",
    "/files/..%2F..%2Fetc%2Fhostname",
    "/files/%2Fetc%2Fhostname",
  ])("has a program that does not get a file by another path: %s", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, text } = await ask(port, { path, method });
      expect(text).not.toMatch(/^(?:secret|notice)$/);
      expect([400, 401, 404]).toContain(status);
    }
  });
});
