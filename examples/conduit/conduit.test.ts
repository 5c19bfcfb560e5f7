// The API over its own client, and over sockets where that matters. scripts/check/conduit.js installs what it takes, and
// scripts/check/postgres.js runs the same on PostgreSQL.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { client } from "fingerpost/client";
import { serve } from "fingerpost/node";
import { document, drift } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Api, conduit } from "./application.ts";
import type { Database } from "./database.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const url = process.env["CONDUIT_POSTGRES_URL"];
const databases = [["PGlite", undefined], ...(url === undefined ? [] : [["PostgreSQL", url] as const])] as const;

describe.skipIf(!isInstalled).each(databases)("Conduit on %s", (_name, databaseUrl) => {
  let database: Database;
  let app: Awaited<ReturnType<typeof conduit>>;
  let api: Api;

  const opened = async (): Promise<Database> => (await import("./database.ts")).openDatabase(databaseUrl);

  beforeAll(async () => {
    // Those that begin at once wait for each other's migrations.
    const [first, second] = await Promise.all([opened(), opened()]);
    await second.close();
    database = first;
    app = await (await import("./application.ts")).conduit(database);
    api = client<typeof app>("http://localhost", { fetch: app.fetch });
  }, 120_000);

  afterAll(() => database?.close());

  let number = 0;
  async function registered() {
    const username = `user${number++}${Date.now() % 1e6}`;
    const user = { username, email: `${username}@example.com`, password: "a long password" };
    const made = await api["/api/users"].POST({ content: { user } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.content));
    return { ...user, headers: { authorization: `Token ${made.content.user.token}` } };
  }
  type Someone = Awaited<ReturnType<typeof registered>>;

  const as = ({ headers }: Someone): Api => client<typeof app>("http://localhost", { fetch: app.fetch, headers });
  const raw = (method: string, path: string, headers: Record<string, string> = {}, content?: unknown) =>
    app.fetch(
      new Request(`http://localhost/api${path}`, {
        method,
        headers: { ...headers, ...(content !== undefined && { "content-type": "application/json" }) },
        ...(content !== undefined && { body: JSON.stringify(content) }),
      }),
    );
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
    const sameEmail = await raw("POST", "/users", {}, { user: again });
    expect([sameEmail.status, await sameEmail.json()]).toEqual([
      422,
      { errors: { body: ["email has already been taken"] } },
    ]);
    const user = {
      username: `twice${Date.now()}`,
      email: `twice${Date.now()}@example.com`,
      password: "a long password",
    };
    const both = await Promise.all([1, 2].map(() => raw("POST", "/users", {}, { user })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const bob = await registered();
    const renamed = await raw("PUT", "/user", bob.headers, { user: { username: ada.username } });
    expect([renamed.status, await renamed.json()]).toEqual([
      422,
      { errors: { body: ["username has already been taken"] } },
    ]);
  });

  it("says of content what does not fit, in the shape of RealWorld", async () => {
    const response = await raw(
      "POST",
      "/users",
      {},
      { user: { username: "", email: "x", password: "a long password" } },
    );
    const { errors } = (await response.json()) as { errors: { body: string[] } };
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(errors.body.map((text) => text.split(" ")[0])).toEqual(["#/user/username", "#/user/email"]);
    expect((await raw("GET", "/articles?limit=many")).status).toBe(400);
    expect((await raw("GET", "/articles?limit=1000000")).status).toBe(400);
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

  it("asks for a token where one is needed, and refuses a wrong one everywhere", async () => {
    for (const [method, path] of [
      ["GET", "/user"],
      ["PUT", "/user"],
      ["POST", "/articles"],
      ["GET", "/articles/feed"],
      ["PUT", "/articles/x"],
      ["DELETE", "/articles/x"],
      ["POST", "/articles/x/favorite"],
      ["DELETE", "/articles/x/comments/1"],
      ["POST", "/profiles/x/follow"],
    ] as const) {
      const response = await raw(method, path);
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Token /);
      expect(await response.json()).toEqual({ errors: { body: ["Unauthorized"] } });
    }
    const forged = { authorization: `Token ${(await registered()).headers.authorization.slice(6, -4)}AAAA` };
    expect((await raw("GET", "/articles", forged)).status).toBe(401);
  });

  it("answers HEAD, OPTIONS and 405 by what there is", async () => {
    const head = await raw("HEAD", "/tags");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const refused = await raw("DELETE", "/tags");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await refused.json()).toEqual({ errors: { body: ["Method Not Allowed"] } });
    expect((await raw("OPTIONS", "/tags")).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await raw("GET", "/nowhere")).status).toBe(404);
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
    expect((await raw("DELETE", `/articles/${slug}/comments/many`, bob.headers)).status).toBe(404);
    expect((await api["/api/articles/:slug/comments"].GET({ path: { slug: "none" } })).status).toBe(404);
  });

  it("takes text for what it is, whatever is in it", async () => {
    const ada = await registered();
    const title = "Robert'); drop table users;-- $1 \u0000é".replace("\u0000", "");
    const { slug } = await published(ada, { title, tagList: ["a,b", '{"x"}', "$2"] });
    const found = await api["/api/articles/:slug"].GET({ path: { slug } });
    expect(found).toMatchObject({ content: { article: { title, tagList: ["$2", "a,b", '{"x"}'] } } });
    const tags = await api["/api/tags"].GET();
    expect(tags.status === 200 && tags.content.tags).toContain("a,b");
  });

  it("tells who listens of new articles, each once and in order, and on from where they left off", async () => {
    const stop = new AbortController();
    // On PostgreSQL another process publishes; the embedded one has this process only.
    const other = databaseUrl === undefined ? database : await opened();
    const application = await import("./application.ts");
    const publisher = databaseUrl === undefined ? app : await application.conduit(other);
    if (other !== database) onTestFinished(() => other.close());
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal });
    const { port } = server.address() as AddressInfo;
    const listening = async (headers = {}) => {
      const [response] = (await once(
        request({ host: "127.0.0.1", port, path: "/api/live", headers }).end(),
        "response",
      )) as [IncomingMessage];
      const seen = { text: "" };
      response.setEncoding("utf8").on("data", (text: string) => (seen.text += text));
      await once(response, "data");
      return { response, seen };
    };
    const titlesIn = (text: string) => [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!).title);
    const arrived = async (seen: { text: string }, count: number) => {
      for (let n = 0; n < 500 && titlesIn(seen.text).length < count; n++)
        await new Promise((done) => setTimeout(done, 10));
    };
    const ada = await registered();
    const publish = async (title: string) => {
      const content = JSON.stringify({ article: { ...article, title } });
      const headers = { ...ada.headers, "content-type": "application/json" };
      const made = await publisher.fetch(
        new Request("http://h/api/articles", { method: "POST", headers, body: content }),
      );
      expect(made.status).toBe(201);
    };
    const listeners = await Promise.all([listening(), listening()]);
    for (const title of ["one", "two", "three"]) await publish(title);
    for (const { seen } of listeners) {
      await arrived(seen, 3);
      expect(titlesIn(seen.text)).toEqual(["one", "two", "three"]);
      expect(seen.text).toContain(`"author":"${ada.username}"`);
    }
    const [, last] = /id: (two-.+)\n/.exec(listeners[0]!.seen.text)!;
    const again = await listening({ "last-event-id": last });
    await arrived(again.seen, 1);
    expect(titlesIn(again.seen.text)).toEqual(["three"]);
    const ends = [server, ...listeners.map(({ response }) => response)].map((one) => once(one, "close"));
    stop.abort();
    await Promise.all(ends);
    expect(listeners.every(({ response }) => response.complete)).toBe(true);
  });

  it("has a document that two validators accept, and nothing that it leaves out", async () => {
    const json = document(app, { title: "Conduit", version: "1.0.0" });
    expect(await validate(structuredClone(json) as never)).toMatchObject({ valid: true });
    expect(await new Validator().validate(structuredClone(json) as never)).toMatchObject({ valid: true });
    expect(drift(app).handlers).toEqual([]);
    expect((await app.fetch(new Request("http://localhost/docs"))).status).toBe(200);
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
