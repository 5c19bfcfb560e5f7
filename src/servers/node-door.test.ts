import { Application as Native, Attribute, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { Application as Polyfill, Resource as PolyfillResource } from "fingerpost/modules/http.polyfill.js";
import type { IncomingMessage } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { HTTPError } from "../http/http-error.ts";
import { Status } from "../http/status.ts";
import { ask, started } from "../../tests/sockets.ts";
import type { NodeContext } from "./node.ts";

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
])("listener({ address }) of the %s door", (_door, app) => {
  it("C6.1 has the attribute say where the client is", async () => {
    expect((await ask(await started(app, { address }))).text).toBe("127.0.0.1");
  });

  it("C5.6 sets none where none is given", async () => {
    expect((await ask(await started(app))).text).toBe("undefined");
  });
});

describe.each([
  ["native", Native, NativeAddress],
  ["polyfill", Polyfill, PolyfillAddress],
] as const)("listener({ onRequest }) of the %s door", (_door, Application, Class) => {
  const app = (Application as typeof Native)
    .builder()
    .resources(Class as typeof NativeAddress)
    .build();

  it("C6.1 tells inputs what Node knows, before the application gets them", async () => {
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
