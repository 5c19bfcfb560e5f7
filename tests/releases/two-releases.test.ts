// While a release replaces the one before, processes of both have one store. Each is a process here: one runs the
// sources, and the other what was built before names had a version.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { memoryRecords, memorySessions } from "fingerpost/stores";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { portOf } from "../support/sockets.ts";
import { standardFields } from "../support/webhooks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fingerpost-releases-"));
const children: ChildProcess[] = [];
const entries = ["idempotency", "sessions", "webhooks"].map((name) => `export * from "./src/state/${name}.ts";`);

/** What the processes share: stores, what handlers have done, and what waits for the test. */
let records = memoryRecords();
let kept = memorySessions();
let effects: string[] = [];
let consumed = 0;
let gate: Promise<void> | null = null;
let entered: (() => void) | null = null;

const questions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  "limits/consume": () => ({ remainingPoints: Math.max(0, 6 - ++consumed), msBeforeNext: 60_000 }),
  "effects/act": async (what: string) => {
    effects.push(what);
    entered?.();
    // A second run is the fault, and waits for nothing.
    if (effects.length === 1) await gate;
    return `done ${effects.length}`;
  },
};

const stores: Server = createServer((message, response) => {
  void (async () => {
    const [, kind, name] = message.url!.split("/") as [string, string, string];
    const args = (await json(message)) as never[];
    const holder = (kind === "records" ? records : kept) as unknown as Record<string, (...args: never[]) => unknown>;
    const question = questions[`${kind}/${name}`];
    const given = await (question === undefined ? holder[name]!(...args) : question(...args));
    response.end(JSON.stringify(given ?? null));
  })();
});

type Release = "before" | "now";
const ports = {} as Record<Release, readonly [native: number, semantics: number]>;

async function started(release: Release): Promise<void> {
  const library = join(folder, `${release}.mjs`);
  const child = spawn(
    process.execPath,
    [join(root, "tests/releases/server.js"), library, `http://127.0.0.1:${portOf(stores)}`],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  children.push(child);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  ports[release] = JSON.parse(line.toString()) as [number, number];
}

beforeAll(async () => {
  // Sealed cookies need `jose`.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const before = readFileSync(new URL("before.mjs.gz", import.meta.url));
  writeFileSync(join(folder, "before.mjs"), gunzipSync(before));
  await build({
    stdin: {
      contents: `
        export * as native from "./src/modules/http.native.ts";
        export * as semantics from "./src/modules/http.semantics.ts";
        ${entries.join("\n")}
        export { pagesBy } from "./src/content/pages.ts";
        export { rateLimit } from "./src/middleware/rate-limit.ts";
        export { serve } from "./src/servers/node.ts";`,
      resolveDir: root,
    },
    outfile: join(folder, "now.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["ws", "jose"],
    logLevel: "error",
  });
  stores.listen(0, "127.0.0.1");
  await once(stores, "listening");
  await Promise.all([started("before"), started("now")]);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  stores.closeAllConnections();
  stores.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  [records, kept, effects, consumed, gate, entered] = [memoryRecords(), memorySessions(), [], 0, null, null];
});

type Asked = readonly [status: number, text: string, headers: Headers];

async function ask(release: Release, path: string, init: RequestInit = {}, chain: 0 | 1 = 0): Promise<Asked> {
  const response = await fetch(`http://127.0.0.1:${ports[release][chain]}${path}`, init);
  return [response.status, await response.text(), response.headers];
}

const both = [
  ["before", "now"],
  ["now", "before"],
] as const;
const kinds: readonly (readonly [name: string, asked: (release: Release, content: string) => Promise<Asked>])[] = [
  ["a write in middleware", (release, content) => pay(release, content, 0)],
  ["a write on the line", (release, content) => pay(release, content, 1)],
  [
    "a write of a form, whose boundary each try makes anew",
    (release, content) => {
      const form = new FormData();
      form.append("amount", content);
      form.append("bill", new File(["x"], "b.txt", { type: "text/plain" }));
      form.append("none", new File([], ""));
      return ask(release, "/accounts/7/payments", { method: "POST", body: form, headers: { "idempotency-key": "k" } });
    },
  ],
  [
    "a signed webhook",
    async (release, content) => {
      const headers = await standardFields("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", content);
      return ask(release, "/hooks/a", { method: "POST", body: content, headers });
    },
  ],
  [
    "a webhook of a scheme of one's own",
    (release, content) => ask(release, "/own/a", { method: "POST", body: content, headers: { "x-id": "1" } }),
  ],
];

function pay(release: Release, content: string, chain: 0 | 1): Promise<Asked> {
  const headers = { "idempotency-key": "k", "content-type": "text/plain" };
  return ask(release, "/accounts/7/payments", { method: "POST", body: content, headers }, chain);
}

describe.each(kinds)("%s, with processes of two releases at one store", (_, asked) => {
  it.each(both)("C12.8 that %s has done is not done by %s", async (first, second) => {
    const [status, text] = await asked(first, "5");
    expect([status < 300, text]).toEqual([true, "done 1"]);
    for (const release of [second, first, second] as const) {
      expect((await asked(release, "5")).slice(0, 2)).toEqual([status, "done 1"]);
    }
    expect(effects).toHaveLength(1);
  });

  it.each(both)("C12.8 that %s is doing is 409 at %s", async (first, second) => {
    let open!: () => void;
    gate = new Promise((resolve) => (open = resolve));
    const begun = new Promise<void>((resolve) => (entered = resolve));
    const under = asked(first, "5");
    await begun;
    expect((await asked(second, "5"))[0]).toBe(409);
    open();
    expect((await under)[1]).toBe("done 1");
    expect((await asked(second, "5"))[1]).toBe("done 1");
    expect(effects).toHaveLength(1);
  });

  it("C12.8 is done once where both are asked at once", async () => {
    const releases = Array.from({ length: 20 }, (_unused, at) => (at % 2 === 0 ? "before" : "now") as Release);
    const statuses = (await Promise.all(releases.map((release) => asked(release, "5")))).map(([status]) => status);
    expect(effects).toHaveLength(1);
    expect(statuses.every((status) => status < 300 || status === 409)).toBe(true);
    for (const release of ["before", "now"] as const) expect((await asked(release, "5"))[1]).toBe("done 1");
  });
});

describe.each([
  ["a session in a store", "/session"],
  ["a session in a sealed cookie", "/sealed"],
])("%s, with processes of two releases", (_, path) => {
  it.each(both)("C13.1 that %s began is read, changed and ended by %s", async (first, second) => {
    const cookieOf = (headers: Headers): string => headers.get("set-cookie")!.split(";")[0]!;
    let cookie = cookieOf((await ask(first, path, { method: "POST", body: "ada" }))[2]);
    const read = async (release: Release): Promise<string> => (await ask(release, path, { headers: { cookie } }))[1];
    expect(await read(second)).toBe('{"user":"ada"}');
    const [, , changed] = await ask(second, path, { method: "PUT", body: "bob", headers: { cookie } });
    if (changed.has("set-cookie")) cookie = cookieOf(changed);
    expect([await read(first), await read(second)]).toEqual(['{"user":"bob"}', '{"user":"bob"}']);
    const [status, , ended] = await ask(second, path, { method: "DELETE", headers: { cookie } });
    expect([status, ended.get("set-cookie")]).toEqual([204, expect.stringMatching(/Max-Age=0/i)]);
    if (path === "/session") expect([await read(first), await read(second)]).toEqual(["null", "null"]);
  });
});

it.each(["/accounts/7/items", "/accounts/7/signed"])(
  "C19.2 a cursor that either release wrote is read by both: %s",
  async (path) => {
    let cursor = "";
    for (const [at, release] of (["before", "now", "now", "before", "before"] as const).entries()) {
      const [status, text] = await ask(release, `${path}${cursor && `?cursor=${cursor}`}`);
      expect([status, JSON.parse(text)]).toEqual([200, { items: [at + 1], next: expect.any(String) as string }]);
      cursor = (JSON.parse(text) as { readonly next: string }).next;
    }
  },
);

it("a client has one limit at both releases", async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 8; at++) statuses.push((await ask(at % 2 === 0 ? "before" : "now", "/limited"))[0]);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
});
