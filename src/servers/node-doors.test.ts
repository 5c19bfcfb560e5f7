import { Application as Native, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { Application as Polyfill, Resource as PolyfillResource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { methods } from "../http/method.ts";
import { ask, started } from "../../tests/sockets.ts";
import type { NodeContext } from "./node.ts";

type Params = { params: { pathParam(name: string): string | undefined; queryParam(name: string): string | undefined } };
type Handlers = Record<string, (input: never) => unknown>;

const paths = ["/", "/users/:id?", "/(.+\\.txt)"];

function answerOf({ method, params }: Params & { method: string }): string {
  return `${method} ${params.pathParam("id")} ${params.pathParam("0")} ${params.queryParam("q")}`;
}

class NativeUsers extends NativeResource {
  paths = paths;
}

class PolyfillUsers extends PolyfillResource {
  paths = paths;
}

for (const method of methods) {
  if (method === "PATCH") continue;
  (NativeUsers.prototype as unknown as Handlers)[method] = (request: Request & Params) =>
    new Response(answerOf(request));
  (PolyfillUsers.prototype as unknown as Handlers)[method] = (context: NodeContext & Params) =>
    void context.response.end(answerOf(context));
}

const native = Native.builder()
  .resources(NativeUsers)
  .onError(() => {})
  .build();
const polyfill = Polyfill.builder().resources(PolyfillUsers).build();

const expected: [request: string, answer: string][] = [
  ["GET /users/7?q=1&r=2", "200 GET 7 undefined 1"],
  ["GET /users/7/", "200 GET 7 undefined undefined"],
  ["GET /%75sers/%37", "200 GET 7 undefined undefined"],
  ["GET /", "200 GET undefined undefined undefined"],
  ["GET /users", "200 GET undefined undefined undefined"],
  ["GET /a/b.txt#x?q=1", "200 GET undefined a/b.txt undefined"],
  ["GET /./users/x/../7", "200 GET 7 undefined undefined"],
  ["GET /users\\7", "200 GET 7 undefined undefined"],
  ["GET http://evil/users/7", "200 GET 7 undefined undefined"],
  ["GET HTTP://u:p@[::1]:80/users/7", "200 GET 7 undefined undefined"],
  ["GET http://evil?q=1", "200 GET undefined undefined 1"],
  ["GET http:///users/7", "404 Not Found"],
  ["GET //users/7", "404 Not Found"],
  ["GET /users/7%2F8", "200 GET 7/8 undefined undefined"],
  ["GET /users//7", "404 Not Found"],
  ["GET /Users", "404 Not Found"],
  ["GET /__proto__", "404 Not Found"],
  ["GET /users/__proto__", "200 GET __proto__ undefined undefined"],
  ["GET /users/%zz", "400 Bad Request"],
  ["GET /users/%ff", "400 Bad Request"],
  ["OPTIONS *", "404 Not Found"],
  ["GET http://[::1/", "400 Bad Request"],
  ["GET http://h:99999/", "400 Bad Request"],
  [`GET /users/${"x".repeat(9000)}`, "414 URI Too Long"],
  ["TRACE /users/7", "200 TRACE 7 undefined undefined"],
  ["DELETE /users/7", "200 DELETE 7 undefined undefined"],
  ["PATCH /users/7", "501 Not Implemented"],
  ["PURGE /users/7", "501 Not Implemented"],
  ["PURGE /nothing", "404 Not Found"],
];

describe.each([
  ["native", native],
  ["polyfill", polyfill],
])("listener() of the %s door", (_door, app) => {
  it.each(expected)("C4.1 answers %s", async (request, answer) => {
    const [method, path] = request.split(" ") as [string, string];
    const { status, reason, text } = await ask(await started(app, { onError: () => {} }), {
      method,
      path,
      headers: { host: "evil/admin" },
    });
    expect(`${status} ${status === 200 ? text : reason}`).toBe(answer);
  });

  it("C7.3 answers a refusal with problem details", async () => {
    const answer = await ask(await started(app), { path: "/nothing" });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(answer.text)).toEqual({ title: "Not Found", status: 404 });
  });
});
