import { Application as Native, Attribute, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { Application as Polyfill, Resource as PolyfillResource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
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
