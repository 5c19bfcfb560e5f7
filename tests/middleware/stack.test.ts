import { cookieJarOf } from "fingerpost/middleware/cookies";
import type { LogEntry } from "fingerpost/middleware/log";
import { requestIdOf } from "fingerpost/middleware/request-id";
import {
  Application,
  HTTPError,
  Resource,
  ResourceGroup,
  Status,
  type RequestOf,
} from "fingerpost/modules/http.native.js";
import { negotiatedOf } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { all, client, fieldBy, guards, names, onEvery, ordersOf, type Guard } from "./stacks.ts";

const text = "A text that is worth compressing. ".repeat(100);

class Items extends Resource {
  paths = ["/items/:id"] as const;
  produces = ["text/plain", "application/json"];

  async GET(request: RequestOf<Items>): Promise<Response> {
    cookieJarOf(request).set("seen", "yes");
    if (request.params.pathParam("id") === "0") throw new HTTPError(Status.Conflict);
    if (request.params.pathParam("id") === "slow") return new Promise(() => {});
    return new Response(text, { headers: { "content-type": negotiatedOf(request).mediaType ?? "?" } });
  }

  async PUT(request: RequestOf<Items>): Promise<Response> {
    const content = await request.text();
    cookieJarOf(request).set("seen", "yes");
    return Response.json([request.params.pathParam("id"), content, client.get(request), requestIdOf(request)]);
  }
}

interface Stack {
  readonly entries: LogEntry[];
  send(path: string, init?: RequestInit): Promise<Response>;
}

async function stacked(
  order: readonly string[],
  onApplication: boolean,
  { timeoutMs = 60_000, guard = "bearer" }: { readonly timeoutMs?: number; readonly guard?: Guard } = {},
): Promise<Stack> {
  const entries: LogEntry[] = [];
  const classes = all(entries, timeoutMs, guard);
  const middleware = order.map((name) => classes[name]!);
  const [outer, inner] = onApplication ? [middleware, []] : [[], middleware];
  const group = ResourceGroup.builder()
    .resources(Items)
    .middleware(...inner)
    .build();
  const app = Application.builder()
    .resources(group)
    .middleware(...outer)
    .onError(() => {})
    .build();
  const headers = {
    authorization: await guards[guard].authorization(),
    origin: "https://app.example",
    "accept-encoding": "gzip",
    "x-request-id": "id-1",
  };
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(new Request(`https://api.example${path}`, { ...init, headers: { ...headers, ...init.headers } }));
  return { entries, send };
}

/** All fields of a response, lists in order. */
function fieldsOf(response: Response): Record<string, string> {
  const fields = Object.fromEntries(response.headers);
  const vary = fields["vary"]?.split(", ").toSorted().join(", ");
  return { ...fields, ...(vary !== undefined && { vary }) };
}

describe.each([
  ["a resource", false],
  ["the application", true],
])("all middleware around %s", (_, onApplication) => {
  const stacks = [
    ...ordersOf(names).map(([title, order]) => [title, order, "bearer"] as const),
    ...(["basic", "jwt"] as const).flatMap((guard) =>
      ordersOf(names)
        .filter((_order, at) => at % 9 === 0)
        .map(([title, order]) => [title.replace("guard", guard), order, guard] as const),
    ),
  ];

  it.each(stacks)("C5.3 works stacked as %s", async (_names, order, guard) => {
    const { entries, send } = await stacked(order, onApplication, { guard });

    // Outside of compression, nothing is computed of what was compressed.
    const isTagged = order.indexOf("conditional") > order.indexOf("compress");
    const found = await send("/items/7");
    expect(found.status).toBe(200);
    const { etag = null, ...fields } = fieldsOf(found);
    expect(etag).toEqual(isTagged ? expect.stringMatching(/^"[^"]+~gzip"$/) : null);
    expect(fields).toEqual({
      ...onEvery,
      "content-encoding": "gzip",
      "content-type": "text/plain",
      vary: "Accept, Accept-Encoding, Origin",
    });
    const content = found.body!.pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(content).text()).toBe(text);

    const again = await send("/items/7", { headers: { "if-none-match": etag ?? '"x"' } });
    expect([again.status, again.headers.get("etag")]).toEqual([isTagged ? 304 : 200, etag]);
    expect(again.body === null).toBe(isTagged);
    expect(fieldsOf(again)).toMatchObject({ ...onEvery, vary: "Accept, Accept-Encoding, Origin" });

    const put = await send("/items/7", { method: "PUT", body: "content" });
    expect(fieldsOf(put)).toMatchObject({ ...onEvery, vary: expect.stringContaining("Origin") });
    expect(await put.json()).toEqual(["7", "content", "Ada", "id-1"]);

    // What the handler throws has been through all of them.
    const conflict = await send("/items/0");
    expect([conflict.status, await conflict.json()]).toEqual([409, { title: "Conflict", status: 409 }]);
    expect(fieldsOf(conflict)).toEqual({
      ...onEvery,
      "content-type": "application/problem+json",
      vary: expect.stringContaining("Origin"),
    });

    // What a guard throws has the fields of what it is inside of.
    const refused = await send("/items/7", { headers: { authorization: "Bearer x" } });
    expect(refused.status).toBe(401);
    for (const [name, field] of Object.entries(fieldBy)) {
      expect([name, refused.headers.has(field)]).toEqual([name, order.indexOf(name) < order.indexOf("guard")]);
    }

    const statusOf = async (path: string, init: RequestInit): Promise<number> => (await send(path, init)).status;
    expect(await statusOf("/items/7", { method: "PUT", body: "x".repeat(101) })).toBe(413);
    expect(await statusOf("/items/7", { headers: { accept: "image/png" } })).toBe(406);
    expect(await statusOf("/items/7", { method: "DELETE" })).toBe(405);
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await statusOf("/items/7", { method: "PUT", body: "x", headers: foreign })).toBe(403);

    // A preflight carries no credentials: a guard outside of CORS refuses it.
    const isFirst = order.indexOf("cors") < order.indexOf("guard");
    const asked = { "access-control-request-method": "PUT", authorization: "" };
    expect(await statusOf("/items/7", { method: "OPTIONS", headers: asked })).toBe(isFirst ? 204 : 401);

    // The log knows what it is outside of.
    for (const { pattern } of entries) expect(pattern).toBe("/items/:id");
    if (order[0] === "log") {
      expect(entries.map(({ status }) => status)).toEqual([
        200,
        again.status,
        200,
        409,
        401,
        413,
        406,
        405,
        403,
        isFirst ? 204 : 401,
      ]);
    }
  });

  it.each(ordersOf(names).filter((_order, at) => at % 5 === 0))(
    "C5.3 lets go of a slow handler, stacked as %s",
    async (_names, order) => {
      const { send } = await stacked(order, onApplication, { timeoutMs: 5 });
      expect((await send("/items/slow")).status).toBe(503);
    },
  );
});
