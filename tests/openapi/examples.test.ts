import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Inbox } from "fingerpost/events";
import { document, type DescribedApplication } from "fingerpost/openapi";
import { memorySessions } from "fingerpost/stores";
import { describe, expect, it } from "vitest";
import { expectValid } from "../support/document-validators.ts";

const root = fileURLToPath(new URL("../../examples/", import.meta.url));
const tools = JSON.parse(readFileSync(new URL("../../tools/package.json", import.meta.url), "utf8")) as {
  workspaces: string[];
};

/**
 * The modules of an example that have an application, with the export that it is. Those without one serve another
 * example.
 */
const modules: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  bun: [],
  conduit: [["application.ts", "conduit"]],
  deno: [],
  events: [],
  express: [],
  fastify: [],
  "front-end": [],
  greetings: [
    ["native.js", "application"],
    ["polyfill.js", "application"],
  ],
  guarded: [["application.ts", "applicationWith"]],
  koa: [],
  lambda: [],
  mounting: [["main.js", "app"]],
  node: [],
  notes: [["server/application.ts", "notes"]],
  quickstart: [
    ["native/application.ts", "application"],
    ["polyfill/application.ts", "application"],
    ["semantics/application.ts", "application"],
  ],
  "scale-out": [],
  srvx: [],
  "template-bun": [["src/application.ts", "default"]],
  "template-deno": [["src/application.ts", "default"]],
  "template-node": [["src/application.ts", "default"]],
  "template-semantics": [["src/application.ts", "default"]],
  "template-workers": [["src/application.ts", "default"]],
  vercel: [],
  workers: [["main.js", "default"]],
  "workers-files": [],
};

/** What the makers of applications take, as far as a document needs it. */
const limiter = { points: 1, duration: 1, consume: () => Promise.resolve({}) };
const makers: Readonly<Record<string, readonly unknown[]>> = {
  applicationWith: [limiter],
  conduit: [{}, { limiter }],
  notes: [{ sql: () => Promise.resolve([]), limiter, sessions: memorySessions(), changes: new Inbox() }],
};

async function applicationOf(path: string, name: string): Promise<DescribedApplication> {
  const found = ((await import(`${root}${path}`)) as Record<string, unknown>)[name];
  return (await (name in makers
    ? (found as (...given: unknown[]) => unknown)(...makers[name]!)
    : found)) as DescribedApplication;
}

describe("the documents of examples", () => {
  it("C10.5 are those of all examples", () => {
    expect(Object.keys(modules)).toEqual(readdirSync(root).toSorted());
  });

  for (const [example, applications] of Object.entries(modules)) {
    // What an example needs is its own.
    const needsOwn = tools.workspaces.includes(`examples/${example}`);
    const isInstalled = !needsOwn || existsSync(`${root}${example}/node_modules`);
    for (const [file, name] of applications) {
      it.skipIf(!isInstalled)(`C10.5 are accepted by two validators: ${example}/${file}`, async () => {
        const app = await applicationOf(`${example}/${file}`, name);
        for (const openapiVersion of ["3.1", "3.2"] as const) {
          const written = document(app, { title: example, version: "1.0.0", openapiVersion });
          expect(Object.keys(written.paths).length).toBeGreaterThan(0);
          await expectValid(written);
        }
      });
    }
  }
});
