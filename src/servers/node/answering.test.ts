import { Application as Native, Attribute, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { Application as Polyfill, Resource as PolyfillResource } from "fingerpost/modules/http.polyfill.js";
import type { IncomingMessage } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { methods } from "../../http/protocol/method.ts";
import { Status } from "../../http/protocol/status.ts";
import { ask, started } from "../../../tests/support/sockets.ts";
import type { NodeContext } from "../node.ts";

const address = new Attribute<string>("address");

class NativeAddress extends NativeResource {
  paths = ["/"];
  GET(request: Request): Response {
    return new Response(String(address.find(request)));
  }
}

class PolyfillAddress extends PolyfillResource {
  paths = ["/"];
  GET(context: NodeContext): unknown {
    return context.response.end(String(address.find(context)));
  }
}

describe.each([
  ["native", Native.builder().resources(NativeAddress).build()],
  ["polyfill", Polyfill.builder().resources(PolyfillAddress).build()],
])("listener({ address }) of the %s chain", (_door, app) => {
  it("C6.1 has the attribute say where the client is", async () => {
    expect((await ask(await started(app, { address }))).text).toBe("127.0.0.1");
  });

  it("C7.5 answers 400, and logs nothing, where the client reset its connection before it was asked for", async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const server = await started(app, { address, onError });
    server.on("connection", (socket) => Object.defineProperty(socket, "remoteAddress", { value: undefined }));
    expect((await ask(server)).status).toBe(400);
    expect(onError.mock.calls.map(([error]) => (error as HTTPError).status)).toEqual([400]);
    expect((await ask(await started(app))).text).toBe("undefined");
  });

  it("C5.6 sets none where none is given", async () => {
    expect((await ask(await started(app))).text).toBe("undefined");
  });
});

describe.each([
  ["native", Native, NativeAddress],
  ["polyfill", Polyfill, PolyfillAddress],
] as const)("listener({ onRequest }) of the %s chain", (_door, Application, Class) => {
  const app = (Application as typeof Native)
    .builder()
    .resources(Class as typeof NativeAddress)
    .build();

  it("C6.1 adds what Node knows to inputs, before the application gets them", async () => {
    const onRequest = (input: object, request: IncomingMessage): void => {
      address.set(input, `${request.httpVersion} of ${request.headers["x-user"]}`);
    };
    const server = await started(app, { address, onRequest });
    expect((await ask(server, { headers: { "x-user": "Ada" } })).text).toBe("1.1 of Ada");
  });

  it("C6.3 answers what it throws as what a handler throws", async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const errors = [new HTTPError(Status.Forbidden, "Not you"), new Error("mine")];
    const server = await started(app, {
      onError,
      onRequest() {
        throw errors.shift();
      },
    });
    expect(await ask(server)).toMatchObject({ status: 403, text: expect.stringContaining("Not you") });
    expect(await ask(server)).toMatchObject({ status: 500, text: '{"title":"Internal Server Error","status":500}' });
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it("C6.3 waits for a Promise of it, and answers one that rejects in the same way", async () => {
    const told = await started(app, {
      async onRequest(input) {
        await Promise.resolve();
        address.set(input, "late");
      },
    });
    expect((await ask(told)).text).toBe("late");
    const onRequest = async (): Promise<never> => Promise.reject(new HTTPError(Status.Forbidden));
    expect((await ask(await started(app, { onRequest }))).status).toBe(403);
  });
});

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

const nativeUsers = Native.builder()
  .resources(NativeUsers)
  .onError(() => {})
  .build();
const polyfillUsers = Polyfill.builder().resources(PolyfillUsers).build();

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
  ["native", nativeUsers],
  ["polyfill", polyfillUsers],
])("listener() of the %s chain", (_door, app) => {
  it.each(expected)("C4.1 answers %s", async (request, answer) => {
    const [method, path] = request.split(" ") as [string, string];
    const { status, reason, text } = await ask(await started(app, { onError: () => {} }), {
      method,
      path,
      headers: { host: "evil" },
    });
    expect(`${status} ${status === 200 ? text : reason}`).toBe(answer);
  });

  it("C7.3 answers a refusal with problem details", async () => {
    const answer = await ask(await started(app), { path: "/nothing" });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(answer.text)).toEqual({ title: "Not Found", status: 404 });
  });
});
