// The API over its own client and over sockets. Where a request is wrong on purpose, the client goes without its types.
// scripts/check/example-application.js installs what it takes, and scripts/check/postgres-tests.js runs the same on
// PostgreSQL.
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { client, type ClientOptions, clientEvents } from "fingerpost/client";
import { serve } from "fingerpost/node";
import { document, drift } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Api, conduit } from "./application.ts";
import type { Database } from "./database.ts";
import type { Shared, SharedOptions } from "./shared.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const url = process.env["CONDUIT_POSTGRES_URL"];
const databases = [url === undefined ? (["PGlite", undefined] as const) : (["PostgreSQL", url] as const)];

/** A client without types. */
interface Result {
  readonly status: number;
  readonly headers: Headers;
  readonly content: unknown;
}
type Untyped = Record<string, Record<string, (input?: object) => Promise<Result>>>;

/** A process of the application, in this one. */
interface Running {
  readonly app: ReturnType<typeof conduit>;
  readonly shared: Shared;
  readonly server: Server;
  readonly stop: AbortController;
  readonly origin: string;
}

async function running(database: Database, options?: SharedOptions, leaveMs = 0): Promise<Running> {
  const { conduit: applicationOf } = await import("./application.ts");
  const { address } = await import("./guards.ts");
  const shared = await (await import("./shared.ts")).openShared(database, options);
  const app = applicationOf(database, shared);
  const stop = new AbortController();
  const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, address, leaveMs });
  return { app, shared, server, stop, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const clientOf = ({ origin }: Pick<Running, "origin">, options: ClientOptions = {}): Api =>
  client<Api>(origin, { events: clientEvents, ...options });

/** What a load balancer gets. */
const readiness = async ({ origin }: Running): Promise<number> => (await fetch(`${origin}/readyz`)).status;

async function stopped({ server, stop, shared }: Running): Promise<void> {
  const closed = once(server, "close");
  stop.abort();
  await closed;
  shared.close();
}

describe.skipIf(!isInstalled).each(databases)("Conduit on %s", (_name, databaseUrl) => {
  let database: Database;
  let here: Running;
  let api: Api;

  const opened = async (): Promise<Database> => (await import("./database.ts")).openDatabase(databaseUrl);

  beforeAll(async () => {
    // Those that begin at once on one server wait for each other's migrations.
    const other = databaseUrl === undefined ? undefined : opened();
    database = await opened();
    await (await other)?.close();
    here = await running(database);
    api = clientOf(here);
  }, 120_000);

  afterAll(async () => {
    if (here !== undefined) await stopped(here);
    await database?.close();
  });

  let number = 0;
  async function registered() {
    const username = `user${number++}${Date.now() % 1e6}`;
    const user = { username, email: `${username}@example.com`, password: "a long password" };
    const made = await api["/api/users"].POST({ content: { user } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.content));
    return { ...user, headers: { authorization: `Token ${made.content.user.token}` } };
  }
  type Someone = Awaited<ReturnType<typeof registered>>;

  const as = ({ headers }: Pick<Someone, "headers">, at = here): Api => clientOf(at, { headers });
  const untyped = (from: Api): Untyped => from as unknown as Untyped;
  const article = { title: "How to train your dragon", description: "Ever wonder how?", body: "Very carefully." };
  async function published(someone: Someone, more: { title?: string; tagList?: string[] } = {}) {
    const made = await as(someone)["/api/articles"].POST({ content: { article: { ...article, ...more } } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.content));
    return made.content.article;
  }

  it("registers users and signs them in, whatever the case of the address", async () => {
    const ada = await registered();
    const user = { email: ada.email.toUpperCase(), password: ada.password };
    const found = await api["/api/users/login"].POST({ content: { user } });
    expect(found).toMatchObject({ status: 200, content: { user: { username: ada.username, bio: null, image: null } } });
    expect(JSON.stringify(found.content)).not.toContain("password");
    const current = await as(ada)["/api/user"].GET();
    expect(current).toMatchObject({ status: 200, content: { user: { email: ada.email } } });
  });

  it("refuses wrong passwords and unknown addresses alike", async () => {
    const ada = await registered();
    for (const user of [
      { email: ada.email, password: "another password" },
      { email: "nobody@example.com", password: ada.password },
    ]) {
      const refused = await api["/api/users/login"].POST({ content: { user } });
      expect(refused).toMatchObject({
        status: 401,
        content: { errors: { body: ["email or password is invalid"] } },
      });
    }
  });

  it("refuses names and addresses that are taken, also when two ask at once", async () => {
    const ada = await registered();
    const again = { username: `${ada.username}x`, email: ada.email.toUpperCase(), password: ada.password };
    expect(await api["/api/users"].POST({ content: { user: again } })).toMatchObject({
      status: 422,
      content: { errors: { body: ["email has already been taken"] } },
    });
    const user = {
      username: `twice${Date.now()}`,
      email: `twice${Date.now()}@example.com`,
      password: "a long password",
    };
    const both = await Promise.all([1, 2].map(() => api["/api/users"].POST({ content: { user } })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const bob = await registered();
    expect(await as(bob)["/api/user"].PUT({ content: { user: { username: ada.username } } })).toMatchObject({
      status: 422,
      content: { errors: { body: ["username has already been taken"] } },
    });
  });

  it("changes what a user says, and leaves the rest as it was", async () => {
    const ada = await registered();
    const image = "https://example.com/ada.png";
    const first = await as(ada)["/api/user"].PUT({ content: { user: { bio: "Countess", image } } });
    expect(first).toMatchObject({ status: 200, content: { user: { bio: "Countess", image, email: ada.email } } });
    const second = await as(ada)["/api/user"].PUT({ content: { user: { image: "", password: "another password" } } });
    expect(second).toMatchObject({ status: 200, content: { user: { bio: "Countess", image: null } } });
    const user = { email: ada.email, password: "another password" };
    expect((await api["/api/users/login"].POST({ content: { user } })).status).toBe(200);
  });

  it("refuses a forged token everywhere", async () => {
    const { headers } = await registered();
    const forged = { authorization: `${headers.authorization.slice(0, -4)}AAAA` };
    expect((await as({ headers: forged })["/api/articles"].GET({})).status).toBe(401);
  });

  it("publishes, finds, changes and removes articles", async () => {
    const [ada, bob] = [await registered(), await registered()];
    const made = await published(ada, { tagList: ["training", "dragons", "dragons"] });
    expect(made).toMatchObject({ tagList: ["dragons", "training"], favorited: false, favoritesCount: 0 });
    expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    expect(Math.abs(Date.parse(made.createdAt) - Date.now())).toBeLessThan(60_000);
    const path = { slug: made.slug };
    for (const query of [{ author: ada.username }, { tag: "training", author: ada.username }]) {
      const list = await api["/api/articles"].GET({ query });
      expect(list).toMatchObject({ status: 200, content: { articlesCount: 1, articles: [{ slug: made.slug }] } });
      if (list.status === 200) expect(list.content.articles[0]).not.toHaveProperty("body");
    }
    const byNobody = await api["/api/articles"].GET({ query: { author: ada.username, tag: "none" } });
    expect(byNobody).toMatchObject({ content: { articles: [], articlesCount: 0 } });

    const change = { article: { title: "With two hands" } };
    expect((await as(bob)["/api/articles/:slug"].PUT({ path, content: change })).status).toBe(403);
    expect((await as(bob)["/api/articles/:slug"].DELETE({ path })).status).toBe(403);
    const changed = await as(ada)["/api/articles/:slug"].PUT({ path, content: change });
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.content));
    expect(changed.content.article).toMatchObject({ title: "With two hands", body: article.body });
    const next = { slug: changed.content.article.slug };
    expect((await api["/api/articles/:slug"].GET({ path })).status).toBe(404);
    expect((await api["/api/articles/:slug"].GET({ path: next })).status).toBe(200);
    expect((await as(ada)["/api/articles/:slug"].DELETE({ path: next })).status).toBe(204);
    expect((await as(ada)["/api/articles/:slug"].DELETE({ path: next })).status).toBe(404);
    expect((await as(ada)["/api/articles/:slug"].PUT({ path: next, content: change })).status).toBe(404);
  });

  it("gives two articles of one title slugs of their own, and pages through them", async () => {
    const ada = await registered();
    const slugs: string[] = [];
    for (let n = 0; n < 5; n++) slugs.unshift((await published(ada, { title: "« Même ! »" })).slug);
    expect(new Set(slugs).size).toBe(5);
    expect(slugs[0]).toMatch(/^me-me-[\da-f]{8}$|^meme-[\da-f]{8}$/);
    const seen: string[] = [];
    for (const offset of [0, 2, 4, 6]) {
      const page = await api["/api/articles"].GET({ query: { author: ada.username, limit: 2, offset } });
      if (page.status !== 200) throw new Error("not found");
      expect(page.content.articlesCount).toBe(5);
      seen.push(...page.content.articles.map(({ slug }) => slug));
    }
    expect(seen).toEqual(slugs);
  });

  it("follows users, and feeds on their articles", async () => {
    const [ada, bob] = [await registered(), await registered()];
    const { slug } = await published(bob);
    const path = { username: bob.username };
    const feed = async () => {
      const found = await as(ada)["/api/articles/feed"].GET({});
      if (found.status !== 200) throw new Error("not found");
      return found.content.articles.map((one) => [one.slug, one.author.following]);
    };
    expect(await feed()).toEqual([]);
    for (let twice = 0; twice < 2; twice++) {
      const followed = await as(ada)["/api/profiles/:username/follow"].POST({ path });
      expect(followed).toMatchObject({ status: 200, content: { profile: { ...path, following: true } } });
    }
    expect(await feed()).toEqual([[slug, true]]);
    expect(await api["/api/profiles/:username"].GET({ path })).toMatchObject({
      content: { profile: { following: false } },
    });
    await as(ada)["/api/profiles/:username/follow"].DELETE({ path });
    expect(await feed()).toEqual([]);
    const nobody = { path: { username: "nobody" } };
    expect((await as(ada)["/api/profiles/:username/follow"].POST(nobody)).status).toBe(404);
    expect((await api["/api/profiles/:username"].GET(nobody)).status).toBe(404);
  });

  it("counts favorites once for each reader", async () => {
    const [ada, bob] = [await registered(), await registered()];
    const { slug } = await published(ada);
    const path = { slug };
    const favorite = (who: Someone) => as(who)["/api/articles/:slug/favorite"].POST({ path });
    await Promise.all([favorite(ada), favorite(ada), favorite(bob)]);
    const seen = await as(bob)["/api/articles/:slug"].GET({ path });
    expect(seen).toMatchObject({ content: { article: { favorited: true, favoritesCount: 2 } } });
    const list = await api["/api/articles"].GET({ query: { favorited: bob.username } });
    expect(list).toMatchObject({ content: { articlesCount: 1, articles: [{ slug, favorited: false }] } });
    const less = await as(bob)["/api/articles/:slug/favorite"].DELETE({ path });
    expect(less).toMatchObject({ content: { article: { favorited: false, favoritesCount: 1 } } });
    expect((await as(bob)["/api/articles/:slug/favorite"].POST({ path: { slug: "none" } })).status).toBe(404);
  });

  it("comments on articles", async () => {
    const [ada, bob] = [await registered(), await registered()];
    const { slug } = await published(ada);
    const path = { slug };
    const made = await as(bob)["/api/articles/:slug/comments"].POST({
      path,
      content: { comment: { body: "Thank you!" } },
    });
    if (made.status !== 200) throw new Error(JSON.stringify(made.content));
    const { id } = made.content.comment;
    expect(await api["/api/articles/:slug/comments"].GET({ path })).toMatchObject({
      content: { comments: [{ id, body: "Thank you!", author: { username: bob.username } }] },
    });
    const one = { path: { slug, id } };
    expect((await as(ada)["/api/articles/:slug/comments/:id"].DELETE(one)).status).toBe(403);
    expect((await as(bob)["/api/articles/:slug/comments/:id"].DELETE(one)).status).toBe(204);
    expect((await as(bob)["/api/articles/:slug/comments/:id"].DELETE(one)).status).toBe(404);
    const many = { path: { slug, id: "many" } };
    const { status } = await untyped(as(bob))["/api/articles/:slug/comments/:id"]!["DELETE"]!(many);
    expect(status).toBe(404);
    expect((await api["/api/articles/:slug/comments"].GET({ path: { slug: "none" } })).status).toBe(404);
  });

  it("lets agents read, publish and comment, in the name of the token that they have", async () => {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const ada = await registered();
    const agentOf = async (headers: Record<string, string>) => {
      const agent = new Client({ name: "test", version: "1.0.0" });
      const endpoint = new URL(`${here.origin}/api/mcp`);
      await agent.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
      onTestFinished(() => agent.close());
      return agent;
    };
    const [nobody, agent] = [await agentOf({}), await agentOf(ada.headers)];
    const reading = ["list_articles", "list_comments", "list_tags", "read_article"];
    const names = async (of: typeof agent) => (await of.listTools()).tools.map(({ name }) => name).toSorted();
    expect(await names(nobody)).toEqual(reading);
    expect(await names(agent)).toEqual(["add_comment", ...reading.slice(0, 3), "publish_article", "read_article"]);
    const made = await agent.callTool({ name: "publish_article", arguments: { article } });
    const { slug } = (made.structuredContent as { article: { slug: string } }).article;
    expect(await nobody.callTool({ name: "read_article", arguments: { slug } })).toMatchObject({
      structuredContent: { article: { title: article.title, author: { username: ada.username } } },
    });
    await agent.callTool({ name: "add_comment", arguments: { slug, comment: { body: "Thank you!" } } });
    expect(await nobody.callTool({ name: "list_comments", arguments: { slug } })).toMatchObject({
      structuredContent: { comments: [{ body: "Thank you!" }] },
    });
    const listed = await nobody.callTool({ name: "list_articles", arguments: { author: ada.username } });
    expect(listed).toMatchObject({ structuredContent: { articlesCount: 1 } });
    const wrong = await agent.callTool({ name: "publish_article", arguments: { article: { ...article, title: "" } } });
    expect([wrong.isError, JSON.stringify(wrong.content)]).toEqual([true, expect.stringContaining("#/article/title")]);
  });

  it("takes text for what it is, whatever is in it", async () => {
    const ada = await registered();
    const title = "Robert'); drop table users;-- $1 é";
    const { slug } = await published(ada, { title, tagList: ["a,b", '{"x"}', "$2"] });
    const found = await api["/api/articles/:slug"].GET({ path: { slug } });
    expect(found).toMatchObject({ content: { article: { title, tagList: ["$2", "a,b", '{"x"}'] } } });
    const tags = await api["/api/tags"].GET();
    expect(tags.status === 200 && tags.content.tags).toContain("a,b");
    // PostgreSQL has no text with NUL.
    for (const more of [{ title: "a\0b" }, { body: "\0" }, { tagList: ["\0"] }])
      expect((await as(ada)["/api/articles"].POST({ content: { article: { ...article, ...more } } })).status).toBe(422);
    expect((await api["/api/articles/:slug"].GET({ path: { slug: `${slug}\0` } })).status).toBe(404);
    expect(await api["/api/articles"].GET({ query: { tag: "\0" } })).toMatchObject({ content: { articlesCount: 0 } });
    const user = { email: "\0@example.com", password: ada.password };
    expect((await api["/api/users/login"].POST({ content: { user } })).status).toBe(401);
  });

  it("tells who listens of new articles, each once and in order, and on from where they left off", async () => {
    // On PostgreSQL another process publishes; the embedded one has this process only.
    const other = databaseUrl === undefined ? database : await opened();
    const publisher = await running(other);
    onTestFinished(async () => {
      await stopped(publisher);
      if (other !== database) await other.close();
    });
    const listener = await running(database);
    const left = new AbortController();
    const listening = async (headers = {}) => {
      const titles: string[] = [];
      const stream = await clientOf(listener)["/api/live"].GET({ headers, signal: left.signal });
      const end = (async () => {
        for await (const { title, author } of stream.orThrow()) titles.push(`${title} by ${author}`);
      })().catch(() => {});
      return { titles, end };
    };
    const arrived = async (titles: readonly string[], count: number) => {
      for (let n = 0; n < 500 && titles.length < count; n++) await new Promise((done) => setTimeout(done, 10));
    };
    const ada = await registered();
    const publish = async (title: string) => {
      const made = await as(ada, publisher)["/api/articles"].POST({ content: { article: { ...article, title } } });
      if (made.status !== 201) throw new Error(JSON.stringify(made.content));
      return made.content.article.slug;
    };
    const listeners = await Promise.all([listening(), listening()]);
    const slugs = [await publish("one"), await publish("two"), await publish("three")];
    const by = (...titles: readonly string[]) => titles.map((title) => `${title} by ${ada.username}`);
    for (const { titles } of listeners) {
      await arrived(titles, 3);
      expect(titles).toEqual(by("one", "two", "three"));
    }
    const again = await listening({ "last-event-id": slugs[1] });
    await arrived(again.titles, 1);
    expect(again.titles).toEqual(by("three"));
    // Who listens does not hold the server.
    await stopped(listener);
    left.abort();
    await Promise.all([again, ...listeners].map(({ end }) => end));
  });

  it("limits how often a client asks, and says so", async () => {
    const limited = await running(database, { requestsPerMinute: 2 });
    onTestFinished(() => stopped(limited));
    const asked = async () => {
      const { status, headers } = await clientOf(limited)["/api/tags"].GET();
      return [status, /;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1]];
    };
    expect([await asked(), await asked(), await asked()]).toEqual([
      [200, "1"],
      [200, "0"],
      [429, "0"],
    ]);
    // A load balancer is not limited.
    expect(await readiness(limited)).toBe(200);
  });

  it("is ready until it leaves, or its database is away", async () => {
    const leaving = await running(database, {}, 500);
    const closed = once(leaving.server, "close");
    expect(await readiness(leaving)).toBe(200);
    leaving.stop.abort();
    expect(await readiness(leaving)).toBe(503);
    await closed;
    leaving.shared.close();
    const away = await opened();
    const without = await running(away);
    await away.close();
    onTestFinished(() => stopped(without));
    expect(await readiness(without)).toBe(503);
  });

  it("has a document that two validators accept, and nothing that it leaves out", async () => {
    // First: the validators may hold this process for longer than its server keeps connections that nobody uses.
    const docs = await untyped(api)["/docs"]!["GET"]!({ accept: "text/html" });
    expect(docs.status).toBe(200);
    const { app } = here;
    const json = document(app, { title: "Conduit", version: "1.0.0" });
    expect(await validate(structuredClone(json) as never)).toMatchObject({ valid: true });
    expect(await new Validator().validate(structuredClone(json) as never)).toMatchObject({ valid: true });
    // Files are found, and declared by nobody.
    expect(drift(app).handlers.filter(({ resource }) => resource !== "Page")).toEqual([]);
  });

  it("runs a transaction again that another was in the way of", async () => {
    const { retried } = await import("./database.ts");
    const failing = (code: string, times: number) => {
      let left = times;
      return async () => {
        if (left-- > 0) throw Object.assign(new Error("conflict"), { code });
        return times;
      };
    };
    expect(await retried(failing("40001", 3))).toBe(3);
    expect(await retried(failing("40P01", 1))).toBe(1);
    await expect(retried(failing("40001", 9))).rejects.toThrow("conflict");
    await expect(retried(failing("23505", 1))).rejects.toThrow("conflict");
  });
});
