// Notes over sockets, as their front end, agents and a bank see them. scripts/check/example-application.js installs what it
// takes; scripts/check/postgres-tests.js runs the same on PostgreSQL and Redis.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { client, clientEvents, clientLines, itemsOf } from "fingerpost/client";
import { serve } from "fingerpost/node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { Api } from "./server/application.ts";
import type { Services } from "./server/services.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const { NOTES_POSTGRES_URL: databaseUrl, NOTES_REDIS_URL: redisUrl } = process.env;
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]);

let services: Services;
let server: Server;
let origin: string;
const stop = new AbortController();
let people = 0;
/** What the shop was told. */
const told: unknown[] = [];
const shop = createServer((request, response) => {
  request.setEncoding("utf8").on("data", (text: string) => told.push(JSON.parse(text)));
  request.on("end", () => response.writeHead(204).end());
});
const bankSecret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

/** Somebody with an account, and what their browser would send. */
async function somebody() {
  const credentials = { email: `user${++people}.${Date.now()}@example.com`, password: "correct horse" };
  const signedUp = await client<Api>(origin)["/users"].POST({ content: credentials });
  expect(signedUp.status).toBe(201);
  const cookie = signedUp.response.headers.get("set-cookie")!.split(";")[0]!;
  return { cookie, credentials, api: apiOf(cookie) };
}

const apiOf = (cookie: string): Api =>
  client<Api>(origin, { headers: { cookie }, events: clientEvents, lines: clientLines });

describe.skipIf(!isInstalled)(`notes on ${databaseUrl === undefined ? "PGlite" : "PostgreSQL"}`, () => {
  beforeAll(async () => {
    await once(shop.listen(0, "127.0.0.1"), "listening");
    vi.stubEnv("SHOP_URL", `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    vi.stubEnv("BANK_SECRET", bankSecret);
    vi.stubEnv("DATABASE_URL", databaseUrl);
    vi.stubEnv("REDIS_URL", redisUrl);
    vi.stubEnv("ATTEMPTS", "1000");
    const { address, notes } = await import("./server/application.ts");
    const { openServices } = await import("./server/services.ts");
    services = await openServices();
    server = await serve(notes(services), { port: 0, hostname: "127.0.0.1", signal: stop.signal, address });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 120_000);

  afterAll(async () => {
    const closed = once(server, "close");
    stop.abort();
    await closed;
    await services.close();
    shop.close();
  });

  it("signs up, out and in, and tells nobody who has an account", async () => {
    const { api, credentials } = await somebody();
    expect(await api["/session"].GET()).toMatchObject({ status: 200, content: { email: credentials.email } });
    expect((await client<Api>(origin)["/users"].POST({ content: credentials })).status).toBe(409);
    expect((await api["/session"].DELETE()).status).toBe(204);
    expect((await api["/session"].GET()).status).toBe(404);
    expect((await api["/notes"].GET()).status).toBe(401);
    for (const email of [credentials.email, "nobody@example.com"])
      expect(await api["/session"].POST({ content: { email, password: "not this one" } })).toMatchObject({
        status: 403,
        content: { title: "Forbidden", detail: "The password is not of this address" },
      });
    expect((await api["/session"].POST({ content: credentials })).status).toBe(200);
  });

  it("pages through notes while others come, each once", async () => {
    const { api } = await somebody();
    const add = (title: string) => api["/notes"].POST({ content: { title, body: "" } });
    for (const title of ["d", "b", "b", "e", "a"]) await add(title);
    const seen: string[] = [];
    for await (const { title } of itemsOf(api["/notes"].GET, { query: { limit: 2 } })) {
      seen.push(title);
      if (seen.length === 2) for (const other of ["a", "c"]) await add(other);
    }
    expect(seen).toEqual(["a", "b", "b", "c", "d", "e"]);
  });

  it("lets nobody overwrite what somebody else changed", async () => {
    const { api } = await somebody();
    const { id } = (await api["/notes"].POST({ content: { title: "One", body: "" } })).orThrow();
    const path = { id };
    const read = await api["/notes/:id"].GET({ path });
    const ifMatch = read.headers.get("etag")!;
    const change = (title: string) => api["/notes/:id"].PUT({ path, ifMatch, content: { title, body: "" } });
    const statuses = (await Promise.all(["Two", "Three", "Four"].map(change))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412]);
    expect((await change("Five")).status).toBe(412);
    const other = await somebody();
    expect((await other.api["/notes/:id"].GET({ path })).status).toBe(404);
    expect((await other.api["/notes/:id"].DELETE({ path })).status).toBe(404);
  });

  it("keeps a picture, and sends a part of it", async () => {
    const { api, cookie } = await somebody();
    const set = (picture: File) => api["/avatar"].PUT({ type: "multipart/form-data", content: { picture } });
    expect((await api["/avatar"].GET()).status).toBe(404);
    expect((await set(new File(["<script>"], "ada.png"))).status).toBe(422);
    expect((await set(new File([png], "ada.png"))).status).toBe(204);
    const part = await fetch(`${origin}/avatar`, { headers: { cookie, range: "bytes=8-9" } });
    expect([part.status, part.headers.get("content-type"), new Uint8Array(await part.arrayBuffer())]).toEqual([
      206,
      "image/png",
      new Uint8Array([1, 2]),
    ]);
    expect((await set(new File([png, png], "ada.png"))).status).toBe(204);
    const whole = await fetch(`${origin}/avatar`, { headers: { cookie } });
    expect((await whole.arrayBuffer()).byteLength).toBe(24);
  });

  it("tells changes by events, and only one's own", async () => {
    const [{ api }, other] = [await somebody(), await somebody()];
    const controller = new AbortController();
    const live = (await api["/live"].GET({ signal: controller.signal })).orThrow();
    const changes = live[Symbol.asyncIterator]();
    const first = changes.next();
    await other.api["/notes"].POST({ content: { title: "Theirs", body: "" } });
    const { id } = (await api["/notes"].POST({ content: { title: "Mine", body: "" } })).orThrow();
    expect((await first).value).toEqual({ change: "added", id, title: "Mine" });
    await api["/notes/:id"].DELETE({ path: { id } });
    expect((await changes.next()).value).toEqual({ change: "removed", id, title: "Mine" });
    await changes.return?.();
    controller.abort();
  });

  it("takes a payment once, however often it is asked for at once", async () => {
    const { api } = await somebody();
    const content = { cents: 700 };
    const pay = () => api["/payments"].POST({ content, idempotencyKey: "a1" });
    const results = await Promise.all(Array.from({ length: 8 }, pay));
    for (const { status } of results) expect([201, 409]).toContain(status);
    const { id } = (await pay()).orThrow();
    const other = (await api["/payments"].POST({ content, idempotencyKey: "a2" })).orThrow();
    const paid = (await api["/payments"].POST({ content, idempotencyKey: "a1" })).orThrow();
    expect([paid.id, other.id === id]).toEqual([id, false]);
    expect((await api["/payments"].POST({ content: { cents: 8 }, idempotencyKey: "a1" })).status).toBe(422);
    expect(await api["/payments/:id"].GET({ path: { id } })).toMatchObject({
      content: { id, cents: 700, paid: false },
    });
  });

  it("notes what the bank has signed, and tells the shop", async () => {
    const { api } = await somebody();
    const { id } = (await api["/payments"].POST({ content: { cents: 5 }, idempotencyKey: "b" })).orThrow();
    const { sendWebhook, Webhook } = await import("fingerpost/webhooks");
    class Paid extends Webhook {
      static readonly event = "paid";
      static readonly POST = { content: z.object({ payment: z.int() }) };
    }
    const to = { url: `${origin}/webhooks/bank`, allowPrivate: true, content: { payment: id }, id: `bank-${id}` };
    const forged = [`whsec_${Buffer.alloc(24).toString("base64")}`];
    expect(await sendWebhook(Paid, { ...to, secrets: forged })).toMatchObject({ outcome: "retry", status: 403 });
    expect(await api["/payments/:id"].GET({ path: { id } })).toMatchObject({ content: { paid: false } });
    for (let time = 0; time < 2; time++)
      expect(await sendWebhook(Paid, { ...to, secrets: [bankSecret] })).toMatchObject({
        outcome: "delivered",
        status: 204,
      });
    expect(await api["/payments/:id"].GET({ path: { id } })).toMatchObject({ content: { paid: true } });
    await vi.waitFor(() => expect(told).toEqual([{ id, cents: 5, paid: true }]));
  });

  it("changes a part of a note, and refuses to lose another change", async () => {
    const { api } = await somebody();
    const path = { id: (await api["/notes"].POST({ content: { title: "One", body: "Text" } })).orThrow().id };
    const ifMatch = (await api["/notes/:id"].GET({ path })).headers.get("etag")!;
    const change = (title: string) =>
      api["/notes/:id"].PATCH({ path, ifMatch, type: "application/merge-patch+json", content: { title } });
    expect(await change("Two")).toMatchObject({ status: 200, content: { title: "Two", body: "Text" } });
    expect((await change("Three")).status).toBe(412);
    expect((await change("")).status).toBe(412);
  });

  it("imports all lines or none, and exports what it has", async () => {
    const { api } = await somebody();
    const send = (titles: string[]) =>
      api["/notes.jsonl"].POST({ type: "application/jsonl", content: titles.map((title) => ({ title, body: "" })) });
    expect(await send(["a", ""])).toMatchObject({ status: 422, content: { errors: [{ pointer: "#/1/title" }] } });
    expect(await send(["a", "b", "c"])).toMatchObject({ status: 200, content: { imported: 3 } });
    const titles: string[] = [];
    for await (const { title } of (await api["/notes.jsonl"].GET()).orThrow()) titles.push(title);
    expect(titles).toEqual(["a", "b", "c"]);
  });

  it("lets agents add and list notes, in the name of who is signed in", async () => {
    const { api, cookie } = await somebody();
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const agent = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      requestInit: { headers: { cookie } },
    });
    await agent.connect(transport);
    onTestFinished(() => agent.close());
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      "add_note",
      "change_note",
      "list_notes",
      "list_shared_notes",
      "read_note",
    ]);
    const added = await agent.callTool({ name: "add_note", arguments: { title: "By an agent", body: "Hello" } });
    expect(added.structuredContent).toMatchObject({ title: "By an agent" });
    const wrong = await agent.callTool({ name: "add_note", arguments: { title: "", body: "" } });
    expect([wrong.isError, JSON.stringify(wrong.content)]).toEqual([true, expect.stringContaining("#/title")]);
    expect(await api["/notes"].GET()).toMatchObject({ content: { items: [{ title: "By an agent" }] } });
  });

  it("shares notes within an organization, and tells nobody else that it is there", async () => {
    const [ada, bob, eve] = [await somebody(), await somebody(), await somebody()];
    const name = `org-${Date.now()}`;
    const path = { organization: name };
    expect((await ada.api["/organizations"].POST({ content: { name } })).status).toBe(201);
    expect((await bob.api["/organizations"].POST({ content: { name } })).status).toBe(409);
    const members = "/organizations/:organization/members";
    const shared = "/organizations/:organization/notes";
    const admit = ({ api }: typeof ada, email: string) =>
      api[members].POST({ path, content: { email, role: "member" } });
    expect((await admit(ada, "nobody@example.com")).status).toBe(422);
    expect((await admit(ada, bob.credentials.email)).status).toBe(204);
    expect((await admit(bob, eve.credentials.email)).status).toBe(403);
    expect((await bob.api[shared].POST({ path, content: { title: "Ours", body: "" } })).status).toBe(201);
    expect(await ada.api[shared].GET({ path })).toMatchObject({ status: 200, content: { items: [{ title: "Ours" }] } });
    const [theirs, none] = await Promise.all(
      [name, "no-such-one"].map(async (organization) => eve.api[shared].GET({ path: { organization } })),
    );
    expect([theirs!.status, theirs!.content]).toEqual([404, none!.content]);
    expect((await admit(eve, eve.credentials.email)).status).toBe(404);
  });

  it("lets an agent with a session that only reads do no more", async () => {
    const { credentials } = await somebody();
    const signedIn = await client<Api>(origin)["/session"].POST({ content: { ...credentials, readOnly: true } });
    const cookie = signedIn.response.headers.get("set-cookie")!.split(";")[0]!;
    const api = apiOf(cookie);
    expect((await api["/notes"].GET()).status).toBe(200);
    expect((await api["/notes"].POST({ content: { title: "One", body: "" } })).status).toBe(403);
    expect((await api["/payments"].POST({ content: { cents: 1 }, idempotencyKey: "no" })).status).toBe(403);
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const agent = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { cookie } };
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
    onTestFinished(() => agent.close());
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(["list_notes", "list_shared_notes", "read_note"]);
  });

  it("refuses pages of other sites", async () => {
    const { cookie } = await somebody();
    const headers = { cookie, origin: "https://evil.example", "content-type": "application/json" };
    const body = JSON.stringify({ title: "Theirs", body: "" });
    expect((await fetch(`${origin}/notes`, { method: "POST", headers, body })).status).toBe(403);
  });
});
