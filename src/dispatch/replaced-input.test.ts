import { Application, Middleware, Resource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { turn } from "../../tests/support/sockets.ts";
import { requestFor } from "../../tests/middleware/around.ts";
import { lightBytes, type LightRequest } from "../http/message/light-request.ts";
import { replacedInput } from "./replaced-input.ts";

describe("replacedInput()", () => {
  it("makes a Request with what is given, and all else of the one that came in", async () => {
    const { signal } = new AbortController();
    const request = requestFor({ method: "PUT", body: "content", headers: { "x-a": "1" }, signal });
    const other = replacedInput(request, {}) as Request;
    expect(other).toBeInstanceOf(Request);
    expect([other.url, other.method, other.headers.get("x-a")]).toEqual([request.url, "PUT", "1"]);
    expect(await other.text()).toBe("content");
  });

  it("replaces fields, content and signal", async () => {
    const gone = new AbortController();
    const headers = new Headers({ "x-b": "2" });
    const body = new TextEncoder().encode("other");
    const request = requestFor({ method: "PUT", body: "content", headers: { "x-a": "1" } });
    const other = replacedInput(request, { headers, body, signal: gone.signal }) as Request;
    gone.abort();
    expect([other.headers.get("x-a"), other.headers.get("x-b"), other.signal.aborted]).toEqual([null, "2", true]);
    expect(await other.text()).toBe("other");
  });

  it("has no field where none is given, with and without content", async () => {
    for (const body of [undefined, new Uint8Array(1)]) {
      const request = requestFor({ method: "PUT", headers: { "x-a": "1" } });
      const given = body === undefined ? { headers: new Headers() } : { headers: new Headers(), body };
      expect([...(replacedInput(request, given) as Request).headers]).toEqual([]);
    }
  });

  it("has none where the runtime keeps those of the request, as Bun does", () => {
    class Keeping extends Request {
      constructor(input: Request, init: RequestInit) {
        super(input, { ...init, headers: input.headers });
      }
    }
    const request = requestFor({ headers: { "x-a": "1", "x-b": "2" } });
    vi.stubGlobal("Request", Keeping);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect([...(replacedInput(request, { headers: new Headers() }) as Request).headers]).toEqual([]);
    expect(request.headers.get("x-a")).toBe("1");
  });

  it("replaces the URL, and nothing else", async () => {
    const { signal } = new AbortController();
    const request = requestFor({ method: "PUT", body: "content", headers: { "x-a": "1" }, signal });
    const other = replacedInput(request, { url: "http://localhost/other" }) as Request;
    expect([other.url, other.method, other.headers.get("x-a")]).toEqual(["http://localhost/other", "PUT", "1"]);
    expect(await other.text()).toBe("content");
  });

  it("keeps what Workers know of the request, whatever is replaced", () => {
    const request = new Request("http://localhost/", { redirect: "manual", cf: { country: "DE" } } as RequestInit);
    // Other runtimes do not know it; a host may add it.
    if (!("cf" in request)) Object.defineProperty(request, "cf", { value: { country: "DE" } });
    for (const replacement of [{}, { url: "http://localhost/other" }, { signal: AbortSignal.abort() }]) {
      const other = replacedInput(request, replacement) as Request & { readonly cf?: unknown };
      expect([other.cf, other.redirect]).toEqual([{ country: "DE" }, "manual"]);
    }
  });

  it("keeps the signal of the request", () => {
    const gone = new AbortController();
    const other = replacedInput(requestFor({ signal: gone.signal }), {}) as Request;
    gone.abort();
    expect(other.signal.aborted).toBe(true);
  });

  it("takes a light Request whose class knows no signal", () => {
    const light = Object.create(Object.create(Request.prototype) as object) as Request;
    const { method, url, headers } = requestFor();
    const values = { method, url, headers, body: null, signal: null, cf: { country: "DE" } };
    for (const [name, value] of Object.entries(values)) Object.defineProperty(light, name, { value });
    expect((replacedInput(light, {}) as Request).signal.aborted).toBe(false);
  });

  it("makes a copy of any other object, with its prototype", () => {
    class Context {
      readonly url = "/items";
      readonly method = "GET";
      own(): string {
        return this.url;
      }
    }
    const context = new Context();
    const { signal } = new AbortController();
    const other = replacedInput(context, { signal }) as Context & { signal: AbortSignal };
    expect(other).not.toBe(context);
    expect([other.own(), other.method, other.signal]).toEqual(["/items", "GET", signal]);
  });

  it("copies the properties of an object that can be listed, and no others", () => {
    const key = Symbol("key");
    const context = Object.defineProperty({ url: "/items", method: "GET", ip: "192.0.2.1", [key]: 7 }, "hidden", {
      value: true,
    });
    const other = replacedInput(context, {}) as typeof context;
    expect([other.ip, other[key], "hidden" in other]).toEqual(["192.0.2.1", 7, false]);
  });

  it("gives a copy a URL and a method as if they had been assigned, where its class has only getters", () => {
    class Context {
      get url(): string {
        return "/items";
      }
      get method(): string {
        return "GET";
      }
    }
    const other = replacedInput(new Context(), {}) as { url?: string; method: string };
    expect({ ...other }).toEqual({ url: "/items", method: "GET" });
    other.method = "PUT";
    delete other.url;
    expect(Object.entries(other)).toEqual([["method", "PUT"]]);
  });

  it("gives a copy the URL and the method by which the input was routed, whatever they are now", async () => {
    const seen: unknown[] = [];
    class Change extends Middleware {
      override ALL(input: { url: string; method: string }): unknown {
        Object.assign(input, { url: "/other", method: "PUT" });
        const { url, method } = replacedInput(input, {}) as typeof input;
        seen.push(url, method);
        return this.next(input);
      }
    }
    class Item extends Resource {
      override paths = ["/items"];
      override GET = (): string => "item";
    }
    const app = Application.builder().resources(Item).middleware(Change).build();
    await app.handle({ url: "/items", method: "GET" });
    expect(seen).toEqual(["/items", "GET"]);
  });

  it("has reading fail where the content was read or is being read, as it does for the one that came in", async () => {
    const ways: readonly ((request: Request) => unknown)[] = [
      (request) => request.text(),
      (request) => request.body!.getReader(),
    ];
    for (const read of ways) {
      const request = requestFor({ method: "PUT", body: "content", headers: { "x-a": "1" }, redirect: "manual" });
      await read(request);
      const other = replacedInput(replacedInput(request, {}), {}) as Request;
      expect([other.method, other.headers.get("x-a"), other.redirect]).toEqual(["PUT", "1", "manual"]);
      expect(other.body!.locked).toBe(true);
      await expect(other.text()).rejects.toThrow(TypeError);
    }
  });

  // Deno returns such content twice.
  it.skipIf("Deno" in globalThis)(
    "has reading of the one that came in fail, too, where the other was read",
    async () => {
      const request = requestFor({ method: "PUT", body: "content" });
      await (replacedInput(request, {}) as Request).text();
      await expect((replacedInput(request, {}) as Request).text()).rejects.toThrow(TypeError);
    },
  );

  it("keeps all else of a Request whose content is replaced, read or not", async () => {
    const body = new TextEncoder().encode("other");
    for (const read of [async () => {}, (request: Request) => request.text()]) {
      const request = requestFor({ method: "PUT", body: "content", redirect: "manual" });
      await read(request);
      const other = replacedInput(request, { body }) as Request;
      expect([other.redirect, await other.text()]).toEqual(["manual", "other"]);
    }
    expect((replacedInput(requestFor({ redirect: "manual" }), {}) as Request).redirect).toBe("manual");
  });

  it("hands over what is left of content that was read in part", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ["a", "b", "c"]) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    const request = requestFor({ method: "PUT", body, duplex: "half" });
    const reader = request.body!.getReader();
    await reader.read();
    reader.releaseLock();
    expect(await (replacedInput(request, {}) as Request).text()).toBe("bc");
  });

  it("C6.3 leaves no rejection to nobody where content fails that nobody waits for yet, also of a clone", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const ways = [
      "arrayBuffer",
      "blob",
      "formData",
      "json",
      "text",
      ...("bytes" in Request.prototype ? ["bytes"] : []),
    ];
    for (const way of ways) {
      for (const isCloned of [false, true]) {
        const body = new ReadableStream({ pull: () => turn().then(() => Promise.reject(new Error("left"))) });
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const input = requestFor({ method: "PUT", body, headers, duplex: "half" });
        const other = replacedInput(replacedInput(input, {}), {}) as Request;
        const content = (isCloned ? other.clone() : other)[way as "text"]();
        await turn(10);
        await expect(content).rejects.toThrow("left");
      }
    }
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("makes a Request as the platform's own, whatever content it has", () => {
    const other = replacedInput(requestFor({ method: "PUT", body: "content" }), {});
    expect([Object.getPrototypeOf(other), Object.keys(other)]).toEqual([Request.prototype, []]);
    const [content, none] = [other, replacedInput(requestFor(), {})].map((one) => Object.hasOwn(one, "text"));
    expect([content, none]).toEqual([true, false]);
  });

  it("has what a host put on the Request, or its class has, be there on the other, however often replaced", () => {
    class Hosted extends Request {
      readonly #name = "h";
      readonly own = { name: "node" };
      _request = "internal";
      get host(): string {
        return this.#name;
      }
      nameOf(): string {
        return this.#name;
      }
      override get cache(): "no-store" {
        return "no-store";
      }
    }
    const request = new Hosted("http://localhost/items");
    Object.defineProperties(request, {
      ip: { get: (): string => "192.0.2.1", enumerable: true },
      waitUntil: { value: () => "waits" },
      params: { value: {}, writable: true },
    });
    const twice = replacedInput(replacedInput(request, {}), {}) as Hosted & { ip: string; waitUntil: () => string };
    expect([twice.ip, twice.waitUntil(), twice.own, twice.host, twice.nameOf()]).toEqual([
      ...["192.0.2.1", "waits", request.own, "h", "h"],
    ]);
    expect([Object.keys(twice), "_request" in twice, "params" in twice]).toEqual([["own", "ip"], false, false]);
    expect([twice.cache, twice.constructor]).toEqual(["default", Request]);
  });

  it("sets by a setter that a host's class has what the Request that came in keeps private", () => {
    class Hosted extends Request {
      #state = "new";
      get state(): string {
        return this.#state;
      }
      set state(state: string) {
        this.#state = state;
      }
    }
    const request = new Hosted("http://localhost/items");
    const other = replacedInput(request, {}) as Hosted;
    other.state = "seen";
    expect([other.state, request.state]).toEqual(["seen", "seen"]);
  });

  it("has functions of the Request's own be the same", () => {
    const waitUntil = (): void => {};
    const request = Object.assign(requestFor(), { waitUntil });
    expect((replacedInput(request, {}) as typeof request).waitUntil).toBe(waitUntil);
  });

  it("reads what a host put on the Request no earlier than the handler does", () => {
    let ip = "early";
    const request = Object.defineProperty(requestFor(), "ip", { get: () => ip });
    const other = replacedInput(request, {}) as { ip?: string };
    ip = "late";
    expect(other.ip).toBe("late");
  });
});

describe("a replaced input that holds bytes", () => {
  const bytes = new TextEncoder().encode("held");
  const made = (): Request & Partial<LightRequest> =>
    replacedInput(new Request("https://a.example/", { method: "POST", body: "sent" }), { body: bytes }) as Request;

  it("returns them without a stream, as often as they are asked for", async () => {
    const request = made();
    expect(await request[lightBytes]!(4, request)).toEqual(bytes);
    expect(await request[lightBytes]!(3, request)).toBeNull();
    expect(await request.text()).toBe("held");
  });

  it("returns nothing once somebody reads or replaces them", async () => {
    const read = made();
    await read.text();
    const locked = made();
    void locked.body!.getReader();
    const replaced = Object.defineProperty(made(), "body", { value: null });
    for (const request of [read, locked, replaced]) expect(request[lightBytes]!(4, request)).toBeNull();
    // A Proxy that runs methods on its target.
    const target = made();
    expect(target[lightBytes]!(4, new Proxy(target, {}))).toBeNull();
  });

  it("hands them on to the next one", async () => {
    const next = replacedInput(made(), { headers: new Headers() }) as Request & Partial<LightRequest>;
    expect(await next[lightBytes]!(4, next)).toEqual(bytes);
    expect(await next.text()).toBe("held");
    const read = made();
    await read.text();
    await expect((replacedInput(read, { headers: new Headers() }) as Request).text()).rejects.toThrow(TypeError);
  });
});
