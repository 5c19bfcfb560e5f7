import { bearer } from "fingerpost/middleware/bearer.js";
import { bodyLimit } from "fingerpost/middleware/body-limit.js";
import { compress } from "fingerpost/middleware/compress.js";
import { conditional } from "fingerpost/middleware/conditional.js";
import { cors } from "fingerpost/middleware/cors.js";
import { csrf } from "fingerpost/middleware/csrf.js";
import { log, type LogEntry } from "fingerpost/middleware/log.js";
import { negotiate, negotiatedOf } from "fingerpost/middleware/negotiate.js";
import { rateLimit } from "fingerpost/middleware/rate-limit.js";
import { requestId, requestIdOf } from "fingerpost/middleware/request-id.js";
import { secureHeaders } from "fingerpost/middleware/secure-headers.js";
import { timeout } from "fingerpost/middleware/timeout.js";
import { trace } from "fingerpost/middleware/trace.js";
import {
  Application,
  Attribute,
  HTTPError,
  Resource,
  ResourceGroup,
  Status,
  type RequestOf,
} from "fingerpost/modules/http.native.js";
import {
  Application as PolyfillApplication,
  Resource as PolyfillResource,
  type ContextOf,
} from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/servers/node.js";
import { describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../../src/core/target.ts";
import { ask, started } from "../sockets.ts";

const client = new Attribute<string>("client");
const text = "A text that is worth compressing. ".repeat(100);

class Items extends Resource {
  paths = ["/items/:id"] as const;
  produces = ["text/plain", "application/json"];

  async GET(request: RequestOf<Items>): Promise<Response> {
    if (request.params.pathParam("id") === "0") throw new HTTPError(Status.Conflict);
    if (request.params.pathParam("id") === "slow") return new Promise(() => {});
    return new Response(text, { headers: { "content-type": negotiatedOf(request).mediaType ?? "?" } });
  }

  async PUT(request: RequestOf<Items>): Promise<Response> {
    const content = await request.text();
    return Response.json([request.params.pathParam("id"), content, client.get(request), requestIdOf(request)]);
  }
}

/** One of each, by name; every application has its own. */
function all(entries: LogEntry[], timeoutMs: number): Readonly<Record<string, MiddlewareClass>> {
  const limiter = { points: 5, duration: 60, consume: async () => ({ remainingPoints: 4, msBeforeNext: 60_000 }) };
  return {
    log: log({ write: (entry) => void entries.push(entry) }),
    trace: trace(),
    requestId: requestId({ trust: true }),
    secureHeaders: secureHeaders(),
    cors: cors({ origin: "https://app.example", credentials: true }),
    rateLimit: rateLimit({ limiter, key: () => "somebody" }),
    timeout: timeout({ timeoutMs }),
    bodyLimit: bodyLimit({ maxBytes: 100 }),
    csrf: csrf({ trustedOrigins: ["https://app.example"] }),
    bearer: bearer({ tokens: { "ada-token": "Ada" }, identity: client }),
    negotiate: negotiate(),
    compress: compress({ codings: ["gzip"] }),
    conditional: conditional(),
  };
}

const names = Object.keys(all([], 1));
const rotated = (order: readonly string[], by: number): string[] => [...order.slice(by), ...order.slice(0, by)];

/** Forward and backward, from every one on: each is outermost and innermost, and before and behind each of the others. */
function ordersOf(list: readonly string[]): (readonly [text: string, order: readonly string[]])[] {
  const orders = [list, list.toReversed()].flatMap((order) => order.map((_, by) => rotated(order, by)));
  return orders.map((order) => [order.join(" "), order]);
}

interface Stack {
  readonly entries: LogEntry[];
  send(path: string, init?: RequestInit): Promise<Response>;
}

function stacked(order: readonly string[], onApplication: boolean, timeoutMs = 60_000): Stack {
  const entries: LogEntry[] = [];
  const classes = all(entries, timeoutMs);
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
    authorization: "Bearer ada-token",
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

const onEvery = {
  "access-control-allow-credentials": "true",
  "access-control-allow-origin": "https://app.example",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  ratelimit: '"default";r=4;t=60',
  "ratelimit-policy": '"default";q=5;w=60',
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "x-request-id": "id-1",
};

const fieldBy = {
  requestId: "x-request-id",
  secureHeaders: "x-frame-options",
  cors: "access-control-allow-origin",
  rateLimit: "ratelimit",
};

describe.each([
  ["a resource", false],
  ["the application", true],
])("all middleware around %s", (_, onApplication) => {
  it.each(ordersOf(names))("C5.3 works stacked as %s", async (_names, order) => {
    const { entries, send } = stacked(order, onApplication);

    // Outside of compression, content is a stream, whose tag is not always computed.
    const isTagged = order.indexOf("conditional") > order.indexOf("compress");
    const found = await send("/items/7");
    expect(found.status).toBe(200);
    const { etag = null, ...fields } = fieldsOf(found);
    if (isTagged || etag !== null) expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/);
    expect(fields).toEqual({
      ...onEvery,
      "content-encoding": "gzip",
      "content-type": "text/plain",
      vary: "Accept, Accept-Encoding, Origin",
    });
    const content = found.body!.pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(content).text()).toBe(text);

    const again = await send("/items/7", { headers: { "if-none-match": etag ?? '"x"' } });
    if (isTagged) expect([again.status, again.headers.get("etag"), again.body]).toEqual([304, etag, null]);
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
      expect([name, refused.headers.has(field)]).toEqual([name, order.indexOf(name) < order.indexOf("bearer")]);
    }

    const statusOf = async (path: string, init: RequestInit): Promise<number> => (await send(path, init)).status;
    expect(await statusOf("/items/7", { method: "PUT", body: "x".repeat(101) })).toBe(413);
    expect(await statusOf("/items/7", { headers: { accept: "image/png" } })).toBe(406);
    expect(await statusOf("/items/7", { method: "DELETE" })).toBe(501);
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await statusOf("/items/7", { method: "PUT", body: "x", headers: foreign })).toBe(403);

    // A preflight carries no credentials: a guard outside of CORS refuses it.
    const isFirst = order.indexOf("cors") < order.indexOf("bearer");
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
        501,
        403,
        isFirst ? 204 : 401,
      ]);
    }
  });

  it.each([names, names.toReversed(), rotated(names, 6)])(
    "C5.3 lets go of a slow handler, stacked as %s …",
    async (...order) => {
      const { send } = stacked(order, onApplication, 5);
      expect((await send("/items/slow")).status).toBe(503);
    },
  );
});

describe("the middleware of both doors around a resource of the polyfill door", () => {
  const nativeOnly = ["bodyLimit", "compress", "conditional"];

  class Things extends PolyfillResource {
    paths = ["/things/:id"];

    GET(context: ContextOf<Things, NodeContext>): unknown {
      if (context.params.pathParam("id") === "0") throw new HTTPError(Status.Conflict);
      return context.response
        .setHeader("content-type", "text/plain")
        .end(`${client.get(context)} ${requestIdOf(context)}`);
    }
  }

  it.each(ordersOf(names.filter((name) => !nativeOnly.includes(name))))(
    "C5.3 works stacked as %s",
    async (_, order) => {
      const classes = all([], 60_000);
      const group = ResourceGroup.builder()
        .resources(Things)
        .middleware(...order.map((name) => classes[name]!))
        .build();
      const server = await started(PolyfillApplication.builder().resources(group).build());
      const send = (path: string, token = "ada-token") => {
        const headers = { authorization: `Bearer ${token}`, origin: "https://app.example", "x-request-id": "id-1" };
        return ask(server, { path, headers });
      };
      const { "strict-transport-security": _secure, ...expected } = onEvery;

      const found = await send("/things/7");
      expect([found.status, found.text]).toEqual([200, "Ada id-1"]);
      expect(found.headers).toMatchObject({ ...expected, "content-type": "text/plain", vary: "Origin" });

      const conflict = await send("/things/0");
      expect([conflict.status, JSON.parse(conflict.text)]).toEqual([409, { title: "Conflict", status: 409 }]);
      expect(conflict.headers).toMatchObject({
        ...expected,
        "content-type": "application/problem+json",
        vary: "Origin",
      });

      const refused = await send("/things/7", "x");
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, 'Bearer error="invalid_token"']);
      for (const [name, field] of Object.entries(fieldBy)) {
        expect([name, field in refused.headers]).toEqual([name, order.indexOf(name) < order.indexOf("bearer")]);
      }
    },
  );
});
