import { describe, expect, it } from "vitest";
import { framing, framingOf } from "./framed-content.ts";

/** As on Deno, all requests have the same. */
const guardOfAll = Symbol("headers guard");

/** A class of requests as Deno has them: they keep whether their fields can be changed. */
class DenoRequest extends Request {
  constructor(url: string, guard: string | null, init: RequestInit = { method: "POST", body: "hello" }) {
    super(url, init);
    const own = Object.getOwnPropertySymbols(this).find(({ description }) => description === "headers guard");
    if (own !== undefined) Reflect.deleteProperty(this, own);
    if (guard !== null) Object.defineProperty(this, own ?? guardOfAll, { value: guard });
  }
}

const url = "http://localhost/";
const deno = framingOf({ Request: DenoRequest as typeof Request, Deno: {} })!;
const info = { remoteAddr: {} };

function isFramed(request: Request): boolean {
  deno.note(request, info);
  return deno.isFramed(request);
}

describe("framingOf()", () => {
  it("has no proof on other runtimes, and does not ask them for their class of requests", () => {
    const runtime = {
      get Request(): never {
        throw new Error("loaded");
      },
    };
    expect(framingOf(runtime)).toBeNull();
    expect(framing === null).toBe((globalThis as { Bun?: unknown }).Bun === undefined && !("Deno" in globalThis));
  });

  it("on Deno takes requests whose fields cannot be changed", () => {
    expect(isFramed(new DenoRequest(url, "immutable"))).toBe(true);
    expect(isFramed(new DenoRequest(url, "request"))).toBe(false);
    expect(isFramed(new DenoRequest(url, null))).toBe(false);
    expect(isFramed(new DenoRequest(url, "immutable"))).toBe(true);
  });

  it("knows the requests with which a runtime passed itself, and neither a Proxy nor an heir of one", () => {
    const request = new DenoRequest(url, "immutable");
    expect(deno.isServed(request)).toBe(false);
    deno.note(request, info);
    expect(deno.isServed(request)).toBe(true);
    for (const other of [new Proxy(request, {}), Object.create(request) as object, request.clone()]) {
      expect(deno.isServed(other)).toBe(false);
    }
  });

  it("knows that who passes an object of its own is not the runtime", () => {
    const made = new DenoRequest(url, "request");
    deno.note(made, {});
    expect(deno.isServed(made)).toBe(false);
    const bun = framingOf({ Request, Bun: {} })!;
    const [own, other] = [new Request(url), new Request(url)];
    bun.note(own, { requestIP: () => null });
    bun.note(other, {});
    expect([bun.isServed(own), bun.isServed(other)]).toEqual([true, false]);
  });

  it("on Bun takes requests whose address the server knows", () => {
    const bun = framingOf({ Request, Bun: {} })!;
    const own = new Request(url, { method: "POST", body: "hello" });
    const server = { requestIP: (request: Request) => (request === own ? { address: "::1" } : null) };
    const failing = {
      requestIP: () => {
        throw new Error("stopped");
      },
    };
    bun.note(own, server);
    expect(bun.isFramed(own)).toBe(true);
    for (const [request, host] of [
      [new Request(url), server],
      [new Request(url), {}],
      [new Request(url), failing],
    ] as const) {
      bun.note(request, host);
      expect(bun.isFramed(request)).toBe(false);
    }
  });

  it("takes only requests that came with a host", () => {
    expect(deno.isFramed(new DenoRequest(url, "immutable"))).toBe(false);
    for (const host of [undefined, null, "host"]) {
      const request = new DenoRequest(url, "immutable");
      deno.note(request, host);
      expect(deno.isFramed(request)).toBe(false);
    }
    expect(isFramed(Object.freeze(new DenoRequest(url, "immutable")))).toBe(false);
    for (const request of [undefined, null, "GET"]) expect(() => deno.note(request, info)).not.toThrow();
  });

  it("takes nothing that stands in for a request, or has members of its own", () => {
    const request = new DenoRequest(url, "immutable");
    deno.note(request, info);
    expect(deno.isFramed(new Proxy(request, {}))).toBe(false);
    expect(deno.isFramed(Object.create(request) as object)).toBe(false);
    class Other extends DenoRequest {}
    expect(isFramed(new Other(url, "immutable"))).toBe(false);
    for (const name of ["arrayBuffer", "body", "bodyUsed", "headers", "url"]) {
      const changed = new DenoRequest(url, "immutable");
      Object.defineProperty(changed, name, { value: null });
      expect(isFramed(changed)).toBe(false);
    }
  });

  it("takes nothing that was read, has a coding, or came by TLS, which the attacks do not try", async () => {
    const read = new DenoRequest(url, "immutable");
    await read.text();
    expect(isFramed(read)).toBe(false);
    const headers = { "transfer-encoding": "chunked" };
    const coded = new DenoRequest(url, "immutable");
    Object.defineProperty(DenoRequest.prototype, "headers", { value: new Headers(headers), configurable: true });
    expect(isFramed(coded)).toBe(false);
    Reflect.deleteProperty(DenoRequest.prototype, "headers");
    expect(isFramed(coded)).toBe(true);
    expect(isFramed(new DenoRequest("https://localhost/", "immutable"))).toBe(false);
  });
});
