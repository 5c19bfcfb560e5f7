// An attack on the example as it runs, over sockets, by requests that its document allows, or almost. ATTACKS says how
// many.
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { client } from "fingerpost/client";
import { serve } from "fingerpost/node";
import type { OpenAPIDocument } from "fingerpost/openapi";
import { expect, it, onTestFinished } from "vitest";
import { Attacked, attacks } from "../../tests/openapi/attack.ts";
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
    const apis: ReturnType<typeof client<Api>>[] = [];
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
      apis.push(client<Api>(origin, { headers: { authorization: `Token ${token}` } }));
    }
    const addArticles = async (): Promise<void> => {
      const slugs: string[] = [];
      const ids: string[] = [];
      for (const api of apis) {
        for (const title of ["One", "Two", "Three"]) {
          const article = { title, description: "New", body: "New", tagList: ["new"] };
          const { slug } = (await api["/api/articles"].POST({ content: { article } })).orThrow().article;
          slugs.push(slug);
          for (let n = 0; n < 5; n++) {
            const content = { comment: { body: "Thank you" } };
            const made = await api["/api/articles/:slug/comments"].POST({ path: { slug }, content });
            ids.push(String(made.orThrow().comment.id));
          }
        }
      }
      Object.assign(known, { slug: slugs, id: ids });
    };
    await addArticles();

    const described = (await (await fetch(`${origin}/openapi.json`)).json()) as OpenAPIDocument;
    let asked = 0;
    const attacked = new Attacked(described, fetch, origin);
    await holds(
      attacks(
        described,
        async (attack) => {
          // Attacks delete them.
          if (++asked % 200 === 0) await addArticles();
          await attacked.ask(attack);
        },
        known,
      ),
      requests,
    );
    // That the attack gets everywhere.
    expect(attacked.statuses).toEqual(expect.arrayContaining(["200", "401"]));
    if (requests < 5_000) return;
    expect(attacked.statuses).toEqual(expect.arrayContaining("201 404 406 422".split(" ")));
    // Nobody guesses a password, and files declare nothing.
    expect(attacked.neverSucceeded.toSorted()).toEqual([
      "get /live/{path}",
      "head /live/{path}",
      "post /api/users/login",
    ]);
  },
  60_000 + requests * 300,
);
