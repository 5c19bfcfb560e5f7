import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { listener, serve, type NodeApplication, type NodeContext } from "fingerpost/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Handled } from "../support/chains.ts";

const { HTTPError, ResourceGroup, Status } = native;

class NativeItem extends native.Resource {
  paths = ["/item/:id"];
  async GET(request: Request & Handled): Promise<Response> {
    if (request.params.pathParam("id") === "bug") throw new Error("secret");
    return new Response(`item ${request.params.pathParam("id")}`, { headers: { "x-chain": "native" } });
  }
  async POST(request: Request & Handled): Promise<Response> {
    return new Response(await request.text(), Status.Created);
  }
}

class PolyfillItem extends polyfill.Resource {
  paths = ["/item/:id"];
  async GET({ params, response }: NodeContext & Handled): Promise<void> {
    if (params.pathParam("id") === "bug") throw new Error("secret");
    response.setHeader("x-chain", "polyfill").end(`item ${params.pathParam("id")}`);
  }
  async POST({ request, response }: NodeContext & Handled): Promise<void> {
    response.statusCode = 201;
    await new Promise((resolve) => request.pipe(response).on("finish", resolve));
  }
}

const applications: readonly (readonly [string, string, () => NodeApplication])[] = [
  [
    "http.native.js",
    "native",
    () =>
      native.Application.builder()
        .resources(NativeItem)
        .onError(() => {})
        .build() as NodeApplication,
  ],
  ["http.polyfill.js", "polyfill", () => polyfill.Application.builder().resources(PolyfillItem).build()],
];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The address at which these applications are served by `node:http`. */
async function addressOf(app: NodeApplication): Promise<string> {
  const server = createServer(listener(app, { onError: () => {} })).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(applications)("%s", (_name, chain, build) => {
  it("C6.1 listener() answers the requests of node:http", async () => {
    const address = await addressOf(build());
    const response = await fetch(`${address}/item/7?q=1`);
    expect([response.status, response.headers.get("x-chain"), await response.text()]).toEqual([200, chain, "item 7"]);
    const posted = await fetch(`${address}/item/7`, { method: "POST", body: "content" });
    expect([posted.status, await posted.text()]).toEqual([201, "content"]);
    expect((await fetch(`${address}/nothing`)).status).toBe(404);
    expect((await fetch(`${address}/item/7`, { method: "DELETE" })).status).toBe(501);
  });

  it("C6.1 serve() resolves when it listens, and closes on abort", async () => {
    const controller = new AbortController();
    const server = await serve(build(), { port: 0, hostname: "127.0.0.1", signal: controller.signal });
    expect(server.listening).toBe(true);
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/item/7`)).text()).toBe("item 7");
    const closed = once(server, "close");
    controller.abort();
    await closed;
    await expect(fetch(`http://127.0.0.1:${port}/item/7`)).rejects.toThrow();
  });

  it("C6.3 survives what a handler does: every request gets one answer, which tells nothing", async () => {
    const address = await addressOf(build());
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`${address}/item/bug`);
      expect([response.status, await response.text()]).toEqual([500, '{"title":"Internal Server Error","status":500}']);
    }
    expect((await fetch(`${address}/item/7`)).status).toBe(200);
  });
});

describe("listener()", () => {
  it("C6.1 gives handlers of the polyfill chain url, method, params, a signal and Node's own objects", async () => {
    const seen = vi.fn();
    class Item extends polyfill.Resource {
      paths = ["/item/:id"];
      GET(context: NodeContext & Handled): void {
        seen(Object.keys(context), context.url, context.method, context.params.pathParam("id"));
        expect(context.request).toBeInstanceOf(IncomingMessage);
        expect(context.response).toBeInstanceOf(ServerResponse);
        expect(context.signal).toBe(context.signal);
        expect(context.signal.aborted).toBe(false);
        context.response.end();
      }
    }
    const address = await addressOf(polyfill.Application.builder().resources(Item).build());
    expect((await fetch(`${address}/item/7?q=1`)).status).toBe(200);
    expect(seen.mock.calls).toEqual([
      [["url", "method", "request", "response", "signal", "params"], "/item/7?q=1", "GET", "7"],
    ]);
  });

  it("C5.7 keeps the fields that middleware of the polyfill chain set, on errors too", async () => {
    class Stamp extends polyfill.Middleware {
      ALL(context: NodeContext): unknown {
        context.response.setHeader("x-stamp", "1");
        return this.next(context);
      }
    }
    class Item extends polyfill.Resource {
      paths = ["/item/:id"];
      GET(_context: unknown): never {
        throw new HTTPError(Status.Conflict);
      }
    }
    const group = ResourceGroup.builder().resources(Item).middleware(Stamp).build();
    const onResource = await addressOf(polyfill.Application.builder().resources(group).build());
    const onApplication = await addressOf(polyfill.Application.builder().resources(Item).middleware(Stamp).build());
    const stampOf = async (url: string) => {
      const response = await fetch(url);
      return [response.status, response.headers.get("x-stamp")];
    };
    expect(await stampOf(`${onResource}/item/7`)).toEqual([409, "1"]);
    expect(await stampOf(`${onResource}/nothing`)).toEqual([404, null]);
    expect(await stampOf(`${onApplication}/nothing`)).toEqual([404, "1"]);
  });
});

// C6.2 is served by srvx, Bun.serve, Deno.serve and Workers, from the packed tarball: tests/runtimes.
