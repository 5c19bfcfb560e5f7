// What needs no state is tested over the application and over its mock: a front end and its tests can be written against
// `npx fingerpost mock dist/described.js` before the handlers are.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { client, type ClientOptions, clientEvents } from "fingerpost/client";
import { mock } from "fingerpost/mock";
import { serve } from "fingerpost/node";
import { document, drift, type OpenAPIDocument } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Attacked, attacks, type Attack } from "../../tests/openapi/attack.ts";
import { launchBrowser, missing as missingBrowser } from "../../tests/openapi/tools.ts";
import { holds } from "../../tests/properties/runs.ts";
import type { Api, conduit } from "./application.ts";
import type { Database } from "./database.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
type App = ReturnType<typeof conduit>;
type Fetch = (request: Request) => Promise<Response>;

/** A client without types. */
interface Result {
  readonly status: number;
  readonly headers: Headers;
  readonly content: unknown;
}
type Untyped = Record<string, Record<string, (input?: object) => Promise<Result>>>;

/** Asks an application as a server does that knows the address of the client. */
async function fetchOf(app: App): Promise<Fetch> {
  const { address } = await import("./guards.ts");
  return (request) => {
    address.set(request, "127.0.0.1");
    return app.fetch(request);
  };
}

const clientOf = (fetch: Fetch, options: ClientOptions = {}): Api =>
  client<Api>("http://conduit.example", { fetch, events: clientEvents, ...options });

async function mocked(options: Parameters<typeof mock>[1] = {}): Promise<App> {
  return mock((await import("./described.ts")).app, options);
}

/** A mock has three events. The client would connect again then, and get the same ones. */
async function liveOf(api: Api): Promise<string[]> {
  const slugs: string[] = [];
  for await (const { slug } of (await api["/api/live"].GET()).orThrow()) {
    if (slugs.push(slug) === 3) break;
  }
  return slugs;
}

describe.skipIf(!isInstalled).each(["with its database", "mocked"])("Conduit, %s", (kind) => {
  let database: Database | undefined;
  let app: App;
  let api: Api;
  let all: Untyped;

  beforeAll(async () => {
    if (kind === "mocked") app = await mocked({ guards: true });
    else {
      database = await (await import("./database.ts")).openDatabase(undefined);
      const shared = await (await import("./shared.ts")).openShared(database);
      app = (await import("./application.ts")).conduit(database, shared);
    }
    api = clientOf(await fetchOf(app));
    all = api as unknown as Untyped;
  }, 120_000);

  afterAll(() => database?.close());

  it("says of content what does not fit, in the shape of RealWorld", async () => {
    const user = { username: "", email: "x", password: "a long password" };
    const refused = await api["/api/users"].POST({ content: { user } });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([422, "application/json"]);
    if (refused.status !== 422) throw new Error(JSON.stringify(refused.content));
    const { errors } = refused.content;
    expect(errors.body.map((text) => text.split(" ")[0])).toEqual(["#/user/username", "#/user/email"]);
    for (const limit of ["many", 1_000_000])
      expect(await all["/api/articles"]!["GET"]!({ query: { limit } })).toMatchObject({ status: 400 });
  });

  it("asks for a token where one is needed", async () => {
    const article = { title: "How to train your dragon", description: "Ever wonder how?", body: "Very carefully." };
    const content = { article, user: {} };
    const of = { slug: "x", id: 1, username: "x" };
    for (const [method, path] of [
      ["GET", "/api/user"],
      ["PUT", "/api/user"],
      ["POST", "/api/articles"],
      ["GET", "/api/articles/feed"],
      ["PUT", "/api/articles/:slug"],
      ["DELETE", "/api/articles/:slug"],
      ["POST", "/api/articles/:slug/favorite"],
      ["DELETE", "/api/articles/:slug/comments/:id"],
      ["POST", "/api/profiles/:username/follow"],
    ] as const) {
      const refused = await all[path]![method]!({ path: of, ...(method.startsWith("P") && { content }) });
      expect([method, path, refused.status]).toEqual([method, path, 401]);
      expect(refused.headers.get("www-authenticate")).toMatch(/^Token /);
      expect(refused.content).toEqual({ errors: { body: ["Unauthorized"] } });
    }
  });

  it("answers HEAD, OPTIONS and 405 by what there is", async () => {
    expect(await all["/api/tags"]!["HEAD"]!()).toMatchObject({ status: 200, content: undefined });
    const refused = await all["/api/tags"]!["DELETE"]!();
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(refused.content).toEqual({ errors: { body: ["Method Not Allowed"] } });
    expect((await all["/api/tags"]!["OPTIONS"]!()).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await all["/api/nowhere"]!["GET"]!()).status).toBe(404);
  });

  it("has one document, and a page for it", async () => {
    const { app: described } = await import("./described.ts");
    const about = { title: "Conduit", version: "1.0.0" };
    expect(document(app, about)).toEqual(document(described, about));
    expect(drift(app).handlers.filter(({ resource }) => resource !== "Page")).toEqual([]);
    const docs = await all["/docs"]!["GET"]!({ accept: "text/html" });
    expect(docs.status).toBe(200);
  });
});

describe.skipIf(!isInstalled)("the mock of Conduit", () => {
  it("C22.4 answers the typed client, by all operations that a front end calls", async () => {
    const api = clientOf(await fetchOf(await mocked()));
    const credentials = { email: "ada@example.com", password: "a long password" };
    const { user } = (await api["/api/users/login"].POST({ content: { user: credentials } })).orThrow();
    expect([typeof user.token, typeof user.username]).toEqual(["string", "string"]);
    const own = clientOf(await fetchOf(await mocked()), { headers: { authorization: `Token ${user.token}` } });
    expect((await own["/api/user"].GET()).orThrow().user).toHaveProperty("bio");
    const { articles } = (await api["/api/articles"].GET({ query: { limit: 5 } })).orThrow();
    for (const { createdAt, author } of articles) {
      expect(Number.isNaN(Date.parse(createdAt))).toBe(false);
      expect(typeof author.following).toBe("boolean");
    }
    const article = { title: "How to train your dragon", description: "Ever wonder how?", body: "Very carefully." };
    const made = await own["/api/articles"].POST({ content: { article } });
    expect([made.status, typeof made.orThrow().article.slug]).toEqual([201, "string"]);
    const path = { slug: "dragons" };
    expect((await api["/api/articles/:slug"].GET({ path })).orThrow().article).toHaveProperty("body");
    const comment = { body: "Thank you!" };
    const said = await own["/api/articles/:slug/comments"].POST({ path, content: { comment } });
    expect(Number.isInteger(said.orThrow().comment.id)).toBe(true);
    expect((await own["/api/articles/:slug"].DELETE({ path })).status).toBe(204);
    const theirs = await own["/api/articles/:slug"].DELETE({ path, headers: { prefer: "code=403" } });
    expect(theirs).toMatchObject({ status: 403, content: { errors: { body: [expect.any(String)] } } });
    expect(await liveOf(api)).toHaveLength(3);
  });

  it("C22.4 answers all requests by the contract, and the same request alike", async () => {
    const one = await fetchOf(await mocked());
    const other = await fetchOf(await mocked());
    const seeded = await fetchOf(await mocked({ seed: 2 }));
    const described = (await (await one(new Request("http://localhost/openapi.json"))).json()) as OpenAPIDocument;
    // Files are of no declaration: a mock has none.
    const { "/live/{path}": files, ...paths } = described.paths;
    expect(files).toBeDefined();
    const attacked = new Attacked({ ...described, paths }, one);
    let others = 0;
    const repeat = async ({ method, target, headers, body }: Attack): Promise<void> => {
      const told = async (fetch: Fetch): Promise<readonly unknown[]> => {
        const init = { method, headers: headers as [string, string][], ...(body === null ? {} : { body }) };
        const response = await fetch(new Request(`http://localhost${target}`, init));
        const { status, headers: fields } = response;
        // Clients of events wait for times that differ, so that they do not all come back at once.
        return [status, fields.get("content-type"), (await response.text()).replace(/^retry: \d+$/m, "")];
      };
      const first = await told(one);
      expect(await told(one)).toEqual(first);
      expect(await told(other)).toEqual(first);
      if ((await told(seeded))[2] !== first[2]) others++;
    };
    await holds(
      attacks(
        attacked.document,
        async (attack) => {
          await attacked.ask(attack);
          await repeat(attack);
        },
        { authorization: ["Token nonsense"] },
      ),
      150,
    );
    expect(attacked.statuses).toEqual(expect.arrayContaining(["200", "400", "422"]));
    expect(others).toBeGreaterThan(0);
  });

  it.skipIf(missingBrowser !== null)("C22.4 answers the page of new articles in Chromium", async () => {
    const app = await mocked();
    const page = fileURLToPath(new URL("page/", import.meta.url));
    const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };
    // As a server of a front end does it: files of its own, and what is of the API is asked of the mock.
    const front = {
      fetch(request: Request): Promise<Response> | Response {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith("/api/")) return app.fetch(request);
        const name = pathname === "/live/" ? "index.html" : pathname.replace("/live/", "");
        return new Response(readFileSync(`${page}${name}`), {
          headers: { "content-type": types[name.split(".")[1]!] ?? "image/svg+xml" },
        });
      },
    };
    const stop = new AbortController();
    const { address } = await import("./guards.ts");
    const server = await serve(front, { port: 0, hostname: "127.0.0.1", signal: stop.signal, address });
    const browser = await launchBrowser();
    onTestFinished(async () => {
      await browser.close();
      const closed = once(server, "close");
      stop.abort();
      await closed;
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { articles } = (await client<Api>(origin)["/api/articles"].GET({ query: { limit: 20 } })).orThrow();
    // The page shows events that are named "article" besides. No declaration has the names of events.
    const expected = articles.map(({ slug }) => slug);
    const tab = await browser.newPage();
    const messages: string[] = [];
    tab.on("console", (message) => messages.push(message.text()));
    await tab.goto(`${origin}/live/`);
    await tab.waitForSelector(`li:nth-child(${expected.length})`);
    const shown = await tab.evaluate<string[]>("[...document.querySelectorAll('li')].map((item) => item.dataset.slug)");
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect(messages).toEqual([]);
  });
});
