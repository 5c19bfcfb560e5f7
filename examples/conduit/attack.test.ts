// An attack on the example as it runs, over sockets, by requests that its document allows, or almost. ATTACKS says how many.
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { client } from "fingerpost/client";
import { serve } from "fingerpost/node";
import type { OpenAPIDocument } from "fingerpost/openapi";
import { expect, it, onTestFinished } from "vitest";
import { checkOf } from "../../tests/openapi/answers.ts";
import { attacks } from "../../tests/openapi/attack.ts";
import { holds } from "../../tests/properties/runs.ts";
import type { Api } from "./application.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const requests = Number(process.env["ATTACKS"] ?? 500);

it.skipIf(!isInstalled)(
  "C10.1 answers what the document says: no 5xx, no undeclared status, no content that its schema refuses",
  async () => {
    const database = await (await import("./database.ts")).openDatabase(undefined);
    const { openShared } = await import("./shared.ts");
    const { address } = await import("./guards.ts");
    const shared = await openShared(database, { requestsPerMinute: 1e9 });
    const stop = new AbortController();
    const app = (await import("./application.ts")).conduit(database, shared);
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, address });
    onTestFinished(async () => {
      const closed = once(server, "close");
      stop.abort();
      await closed;
      await database.close();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    // Users with articles and comments, which some of the requests are about.
    const usernames = ["ada", "bob"];
    const known = {
      username: usernames,
      slug: [] as string[],
      id: [] as string[],
      path: ["index.html", "live.js"],
      authorization: ["Token nonsense"],
    };
    for (const username of usernames) {
      const user = { username, email: `${username}@example.com`, password: "a long password" };
      const { token } = (await client<Api>(origin)["/api/users"].POST({ content: { user } })).orThrow().user;
      known.authorization.push(`Token ${token}`);
      const api = client<Api>(origin, { headers: { authorization: `Token ${token}` } });
      for (const title of ["One", "Two", "Three"]) {
        const article = { title, description: "New", body: "New", tagList: ["new"] };
        const { slug } = (await api["/api/articles"].POST({ content: { article } })).orThrow().article;
        known.slug.push(slug);
        for (let n = 0; n < 5; n++) {
          const content = { comment: { body: "Thank you" } };
          const made = await api["/api/articles/:slug/comments"].POST({ path: { slug }, content });
          known.id.push(String(made.orThrow().comment.id));
        }
      }
    }

    const described = (await (await fetch(`${origin}/openapi.json`)).json()) as OpenAPIDocument;
    const check = checkOf(described);
    const seen = new Map<string, number>();
    await holds(
      fc.asyncProperty(attacks(described, known), async (attack) => {
        const { url, method, headers } = attack.request;
        const { pathname, search } = new URL(url);
        const body = attack.request.body === null ? null : await attack.request.clone().text();
        const leave = new AbortController();
        const response = await fetch(`${origin}${pathname}${search}`, { method, headers, body, signal: leave.signal });
        const answered = await check(attack, response);
        seen.set(answered, (seen.get(answered) ?? 0) + 1);
      }),
      requests,
    );
    if (process.env["ATTACKS"] !== undefined)
      console.log(
        [...seen]
          .map(([answered, count]) => `${count} ${answered}`)
          .toSorted()
          .join("\n"),
      );
    // That the attack gets everywhere.
    const codes = [...seen.keys()].map((answered) => answered.slice(-3));
    expect(codes).toEqual(expect.arrayContaining("200 201 401 404 406 422".split(" ")));
    if (requests < 5_000) return;
    const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((key) => `${key} ${path} 2`),
    );
    const missed = operations.filter((one) => [...seen.keys()].every((answered) => !answered.startsWith(one)));
    expect(missed).toEqual([]);
  },
  60_000 + requests * 100,
);
