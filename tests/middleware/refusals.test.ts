import { describe, expect, it, onTestFinished, vi } from "vitest";
import { completeMethods } from "../../src/application/completed-methods.ts";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { linesOf } from "../../src/content/lines.ts";
import { lightResponse } from "../../src/http/message/light-response.ts";
import { Response as Own } from "../../src/http/message/response.ts";
import { basic } from "../../src/middleware/basic.ts";
import { bearer } from "../../src/middleware/bearer.ts";
import { conditional } from "../../src/middleware/conditional.ts";
import { cors } from "../../src/middleware/cors.ts";
import { csrf } from "../../src/middleware/csrf.ts";
import { negotiate } from "../../src/middleware/negotiate.ts";
import { requestId } from "../../src/middleware/request-id.ts";
import { Application, Resource } from "../../src/modules/http.native.ts";

class Page extends Resource {
  paths = ["/"];

  GET(): Response {
    return new Response("a page");
  }

  async POST(request: Request): Promise<Response> {
    for await (const _ of linesOf(request, { maxBytes: 1_000 })) break;
    return new Response("done");
  }
}

function appWith(...middleware: readonly MiddlewareClass[]) {
  const errors: Error[] = [];
  const app = Application.builder()
    .resources(Page)
    .middleware(...middleware)
    .onError((error) => void errors.push(error as Error))
    .build();
  return { app, errors };
}

const to = (init?: RequestInit): Request => new Request("http://localhost/", init);

describe("a refusal", () => {
  const coded = {
    method: "POST",
    body: "1",
    headers: { "content-type": "application/jsonl", "content-encoding": "br" },
  };
  const cases: [name: string, status: number, request: Request, ...middleware: MiddlewareClass[]][] = [
    ["bearer()", 401, to(), bearer({ tokens: { "a-token": "a" } })],
    ["basic()", 401, to(), basic({ realm: "r", users: { ada: "engine" } })],
    ["csrf()", 403, to({ method: "POST", headers: { "sec-fetch-site": "cross-site" } }), csrf()],
    ["conditional()", 412, to({ headers: { "if-match": '"other"' } }), conditional()],
    ["negotiate()", 406, to({ headers: { accept: "text/css" } }), negotiate({ produces: ["text/html"] })],
    ["the reader of lines", 415, to(coded)],
  ];

  it.each(cases)("of %s has no stack: no code is at fault", async (_name, status, request, ...middleware) => {
    const { app, errors } = appWith(...middleware);
    expect((await app.fetch(request)).status).toBe(status);
    expect(errors.map(({ stack }) => stack)).toEqual(errors.map(({ message }) => `HTTPError: ${message}`));
    expect(errors).toHaveLength(1);
  });

  it("of a method that was completed has no stack, and says what is allowed", async () => {
    const { app, errors } = appWith();
    completeMethods(app.dispatcher.resources[0]!, ["PUT"], { HEAD: (GET) => GET, OPTIONS: () => null });
    const response = await app.fetch(to({ method: "PUT" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
    expect(errors.map(({ stack }) => stack)).toEqual(["HTTPError: Method Not Allowed"]);
  });

  it("goes out with the fields of all middleware, without Headers that nobody asked for", async () => {
    const guards = [
      requestId({ generate: () => "42" }),
      cors({ origins: "*" }),
      bearer({ tokens: { "a-token": "a" } }),
    ];
    const { app } = appWith(...guards);
    const request = Object.assign(to(), { [lightResponse]: Own });
    const made = vi.spyOn(globalThis, "Headers");
    onTestFinished(() => made.mockRestore());
    const response = await app.fetch(request);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    expect(response.status).toBe(401);
    const { "content-length": _, ...fields } = Object.fromEntries(response.headers);
    expect(fields).toEqual({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag",
      "content-type": "application/problem+json",
      "www-authenticate": 'Bearer realm="default"',
      "x-request-id": "42",
    });
  });
});
