import { createServer, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { Application, Middleware, Resource, type RequestOf } from "../../modules/http.native.ts";
import { Application as Semantics, patch, Resource as SemanticResource } from "../../modules/http.semantics.ts";
import type { HTTPError } from "../../http/protocol/http-error.ts";
import { lightBytes, lightChunks, type LightRequest } from "../../http/message/light-request.ts";
import { takeAnswer } from "../../http/message/light-response.ts";
import { requestField } from "../../fields/request-fields.ts";
import { ask, begin, listening, native, portOf, started, turn } from "../../../tests/support/sockets.ts";

const post: RequestOptions = {
  method: "POST",
  path: "/a?b",
  headers: { host: "h", "content-type": "application/x-www-form-urlencoded", cookie: "c=d" },
};

/** Returns what a handler says of its request, for each class of requests. */
async function answers(
  handler: (request: Request) => unknown,
  options: RequestOptions = post,
  content?: string,
): Promise<{ readonly light: unknown; readonly whole: unknown }> {
  const app = native(async (request) => Response.json({ is: await handler(request) }));
  const say = async (light: boolean): Promise<unknown> =>
    JSON.parse((await ask(await started(app, { lightRequests: light }), options, content)).text).is;
  return { light: await say(true), whole: await say(false) };
}

const readings: Record<string, (request: Request) => unknown> = {
  url: ({ url }) => url,
  method: ({ method }) => method,
  headers: ({ headers }) => [...headers],
  instanceof: (request) => request instanceof Request,
  "its own constructor": (request) => request.constructor === Request,
  "as text": String,
  keys: (request) => Object.keys(Object.assign(request, { params: 1 })),
  "for in": (request) => {
    const names: string[] = [];
    // Methods that read content are a whole one's own, and no loop finds them.
    for (const name in request) if (typeof Reflect.get(request, name) !== "function") names.push(name);
    return names.toSorted();
  },
  inspect: (request: Request) => inspect(request).slice(0, 60),
  "with no content": ({ body }) => body === null,
  text: (request) => request.text(),
  arrayBuffer: async (request) => (await request.arrayBuffer()).byteLength,
  blob: async (request) => [(await request.blob()).type, (await request.blob().catch(String)) as string],
  formData: async (request) => [...(await request.formData())],
  "json of what is none": (request) => request.json().catch((error: unknown) => (error as Error).name),
  json: (request) => request.json().catch((error: unknown) => (error as Error).name),
  "what was read": async (request) => {
    await request.text();
    const { body, bodyUsed, cache } = request;
    const more = [request.json(), request.arrayBuffer(), request.blob(), request.text()];
    const failed = await Promise.all(
      more.map((reading) => reading.catch((error: unknown) => error instanceof TypeError)),
    );
    const isRefused = await (async () => request.clone())().catch((error: unknown) => error instanceof TypeError);
    return [body === null, bodyUsed, cache, failed, isRefused];
  },
  "content behind its body": async (request) => [request.body === null, await request.text()],
  "single fields": (request) =>
    ["Content-Type", "cookie", "x-none", ":path", "host"].map((name) => requestField(request, name)),
  "single fields that were set": (request) => {
    request.headers.set("cookie", "e=f");
    return requestField(request, "cookie");
  },
  "fields and content of a Proxy": (request) => {
    const headers = new Headers({ cookie: "e=f" });
    const get = (target: Request, name: PropertyKey): unknown =>
      name === "headers" ? headers : (Reflect.get(target, name) as unknown);
    const other = new Proxy(request, { get });
    return [requestField(other, "cookie"), (other as Partial<LightRequest>)[lightBytes]?.(10, other) ?? null];
  },
  "content of a Proxy that runs methods on its target": (request) => {
    const get = (target: Request, name: PropertyKey): unknown => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    };
    const other = new Proxy(request, { get }) as Partial<LightRequest>;
    return [other[lightBytes]?.(10, other) ?? null, other[lightChunks]?.(other) ?? null];
  },
  "fields and content that were put on it": (request) => {
    Object.defineProperties(request, { headers: { value: new Headers({ cookie: "e=f" }) }, body: { value: null } });
    return [requestField(request, "cookie"), (request as Partial<LightRequest>)[lightBytes]?.(10, request) ?? null];
  },
  "content within a bound": async (request) =>
    (await (request as Partial<LightRequest>)[lightBytes]?.(1, request)) ?? null,
  body: async ({ body }) => new Response(body).text(),
  bodyUsed: async (request) => [request.bodyUsed, await request.text(), request.bodyUsed],
  "content twice": async (request) => [await request.text(), await request.text().catch(String)],
  clone: async (request) => {
    const clone = request.clone();
    return [Object.getPrototypeOf(clone) === Request.prototype, await clone.text(), await request.text()];
  },
  "fields that were set": async (request) => {
    request.headers.set("x", "before");
    const text = await request.clone().text();
    request.headers.set("x", "after");
    return [request.headers.get("x"), request.clone().headers.get("x"), text];
  },
  "content of a type that was set": async (request) => {
    const stream = request.body;
    request.headers.set("content-type", "application/x-www-form-urlencoded; charset=utf-8");
    return [stream === request.body, [...(await request.formData())]];
  },
  "a type that was set": async (request) => {
    const before = request.cache;
    request.headers.delete("content-type");
    request.headers.set("content-type", "text/x");
    return [before, (await request.blob()).type];
  },
  "another URL": async (request) => {
    const { url, method, headers, signal, body } = new Request("http://other/", request);
    return [url, method, [...headers], signal.aborted, await new Response(body).text()];
  },
  "the same URL": (request) => new Request(request.url, request).text(),
  "assigned to": (request) => {
    for (const name of ["url", "method", "headers", "signal", "body", "cache"]) {
      expect(() => Object.assign(request, { [name]: 1 })).toThrow(TypeError);
    }
    return request.url;
  },
};
for (const name of Object.getOwnPropertyNames(Request.prototype)) {
  readings[`its ${name}`] = (request) => {
    const value: unknown = Reflect.get(request, name);
    return typeof value === "function" ? "a function" : String(value);
  };
}

describe("makeLightRequest()", () => {
  it.each(Object.entries(readings))("answers as a Request of Node does: %s", async (_, read) => {
    const { light, whole } = await answers(read, post, "a=1&b=%C3%A9");
    expect(light).toEqual(whole);
    expect(light).not.toBeUndefined();
  });

  it.each(Object.entries(readings))("answers so where PATCH has made it for PUT: %s", async (_, read) => {
    const note = z.object({ text: z.string() });
    const requests: Request[] = [];
    class Note extends SemanticResource {
      override paths = ["/a"];
      validator(): object {
        return { etag: '"1"' };
      }
      static GET = { 200: note };
      override GET({ request }: { request: Request }): unknown {
        requests.push(request);
        return { text: "a" };
      }
      static PUT = { content: note, 204: "Stored" };
      static PATCH = patch(this.GET, this.PUT);
      override PUT(): undefined {}
    }
    class Reading extends Middleware {
      async PUT(input: Request): Promise<Response> {
        requests.push(input);
        return Response.json({ is: await (async () => read(input))().catch(String) });
      }
    }
    const app = Semantics.builder()
      .resources(Note as never)
      .middleware(Reading)
      .build();
    const headers = { ...post.headers, "content-type": "application/merge-patch+json", "x-two": ["1", "2"] };
    const say = async (lightRequests: boolean): Promise<unknown> =>
      JSON.parse((await ask(await started(app, { lightRequests }), { ...post, method: "PATCH", headers }, "{}")).text)
        .is;
    const [light, whole] = [await say(true), await say(false)];
    expect(light).toEqual(whole);
    expect(light).not.toBeUndefined();
    expect(requests.map((request) => lightBytes in request)).toEqual([true, true, false, false]);
    expect(requests[0]!.signal).toBe(requests[1]!.signal);
  });

  it("is answered with an error as a light response, and a Request of Node is not", async () => {
    const app = Application.builder().build();
    const fetch = async (request: Request): Promise<Response> => {
      const { status } = await app.fetch(new Request(request.url));
      const [light, whole] = [await app.fetch(request), await app.fetch(new Request(request.url))];
      return Response.json([status, ...[light, whole].map((response) => takeAnswer in response)]);
    };
    const { text } = await ask(await started({ fetch }), { path: "/" });
    expect(JSON.parse(text)).toEqual([404, true, false]);
  });

  it("joins fields that came several times, as those of Node do", async () => {
    const headers = { host: "h", cookie: ["a=1", "b=2"], "x-list": ["1", "", "2"], "X-One": "3" };
    const read = (request: Request): unknown =>
      ["cookie", "x-list", "x-one"].map((name) => [requestField(request, name), request.headers.get(name)]);
    const { light, whole } = await answers(read, { path: "/", headers });
    expect(light).toEqual(whole);
    expect(light).toEqual([
      ["a=1; b=2", "a=1; b=2"],
      ["1, , 2", "1, , 2"],
      ["3", "3"],
    ]);
  });

  it("gives content of several parts, and none that is longer than may be", async () => {
    const app = native(async (request) => {
      const bytes = await (request as Request & LightRequest)[lightBytes](10, request);
      return new Response(bytes === null ? "too long" : new TextDecoder().decode(bytes));
    });
    const server = await started(app);
    const textOf = async (...parts: readonly string[]): Promise<string> => {
      const socket = connect(portOf(server), "127.0.0.1");
      const received: string[] = [];
      const closed = new Promise((resolve) => void socket.on("close", resolve));
      // The server may have closed it before all was sent.
      socket.on("error", () => {});
      socket.on("data", (chunk) => received.push(String(chunk)));
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (const part of parts) {
        socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
        await turn(10);
      }
      socket.write("0\r\n\r\n");
      await closed;
      return received.join("").split("\r\n\r\n")[1]!;
    };
    expect(await textOf("four", "more", "10")).toBe("fourmore10");
    expect(await textOf("four", "more", "than")).toBe("too long");
    expect(await textOf("more than ten")).toBe("too long");
  });

  it("blames no client for text in place of bytes, which a host asked for", async () => {
    const app = native(async (request) => {
      const reading = (request as Request & LightRequest)[lightBytes](10, request)!;
      return new Response(await reading.then(String, (error: HTTPError) => `${error.status}: ${error.message}`));
    });
    const { listener } = await import("../node.ts");
    const listen = listener(app);
    const server = createServer((request, response) => listen(request.setEncoding("utf8"), response));
    await listening(server);
    expect((await ask(server, { method: "POST", path: "/" }, "text")).text).toBe(
      "500: Cannot read the content of the request: it is text, not bytes; do not call setEncoding() before listener()",
    );
  });

  it("has no content with GET, or where none was sent", async () => {
    const read = async (request: Request): Promise<unknown> => [request.body, await request.text(), request.bodyUsed];
    const withContent: RequestOptions = { method: "GET", headers: { "content-length": 7 } };
    for (const options of [withContent, { method: "GET" }, { method: "POST" }, { method: "DELETE" }]) {
      const { light, whole } = await answers(read, options, options === withContent ? "content" : undefined);
      expect(light).toEqual(whole);
      expect(light).toEqual([null, "", false]);
    }
  });

  it("makes no Request of Node for a handler that reads method, URL, fields and signal", async () => {
    let made = 0;
    const server = await started(
      native(async (request) => {
        const { method, url, headers, signal, body, bodyUsed } = request;
        if (url.endsWith("/whole")) await request.text();
        return Response.json([method, new URL(url).pathname, headers.get("x"), signal.aborted, body, bodyUsed]);
      }),
    );
    const ofNode = Request;
    onTestFinished(() => void (globalThis.Request = ofNode));
    globalThis.Request = class extends ofNode {
      constructor(...args: ConstructorParameters<typeof Request>) {
        super(...args);
        made++;
      }
    };
    const { text } = await ask(server, { path: "/a", headers: { x: "y" } });
    expect(JSON.parse(text)).toEqual(["GET", "/a", "y", false, null, false]);
    expect(made).toBe(0);
    await ask(server, { path: "/whole" });
    expect(made).toBe(1);
  });

  it("has a URL that an application does not parse again", async () => {
    class Echo extends Resource {
      override paths = ["/echo/:text"];
      override GET({ params }: RequestOf): Response {
        return new Response(params.pathParam("text"));
      }
    }
    const server = await started(Application.builder().resources(Echo).build());
    expect((await ask(server, { path: "/echo/a" })).text).toBe("a");
    const { URL } = globalThis;
    onTestFinished(() => void (globalThis.URL = URL));
    let parsed = 0;
    globalThis.URL = class extends URL {
      constructor(...args: ConstructorParameters<typeof URL>) {
        super(...args);
        parsed++;
      }
    };
    // Once by the listener.
    for (const [path, text] of [
      ["/echo/b", "b"],
      ["/echo/%C3%A9", "é"],
      ["/./echo/%62", "b"],
    ] as const) {
      expect((await ask(server, { path, headers: { host: "h" } })).text, path).toBe(text);
    }
    expect(parsed).toBe(2);
  });

  it("hands its signal on to clones", async () => {
    const requests: Request[] = [];
    const server = await started(
      native((request) => {
        requests.push(request.clone(), request.clone());
        return new Promise(() => {});
      }),
    );
    const exchange = begin(server, { method: "POST" })
      .end("content")
      .on("error", () => {});
    while (requests.length < 2) await turn();
    exchange.destroy();
    while (requests.some(({ signal }) => !signal.aborted)) await turn();
  });

  it("is refused, never half read, by the constructor of Request and by fetch()", async () => {
    const refusals = async (request: Request): Promise<unknown> => {
      const made = await Promise.allSettled([
        (async () => new Request(request))(),
        (async () => new Request(request, { headers: { x: "y" } }))(),
        fetch(request),
      ]);
      return made.map((result) => result.status === "rejected" && result.reason instanceof TypeError);
    };
    expect((await answers(refusals, { method: "POST", path: "/", headers: { host: "127.0.0.1:1" } })).light).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("has a signal that says what has become of the client, whenever it is asked for", async () => {
    const requests: Request[] = [];
    const server = await started(
      native((request) => {
        requests.push(request);
        return request.url.endsWith("/left") ? new Promise(() => {}) : new Response("done");
      }),
    );
    await ask(server, { path: "/answered" });
    const exchange = begin(server, { path: "/left" })
      .end()
      .on("error", () => {});
    while (requests.length < 2) await turn();
    exchange.destroy();
    await turn(20);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true]);
    expect(requests[0]!.signal).toBe(requests[0]!.signal);
  });
});

/** Classes that other packages put in place of the global `Request`. */
const replacements: Record<string, (ofNode: typeof Request) => typeof Request> = {
  "a subclass": (ofNode) => class extends ofNode {},
  "a subclass of a subclass, with members of its own": (ofNode) =>
    class extends class extends ofNode {} {
      get address(): string {
        return `at ${this.url}`;
      }
    },
  "a subclass that takes each Request for an instance": (ofNode) =>
    class extends ofNode {
      static override [Symbol.hasInstance](value: unknown): boolean {
        return value instanceof ofNode;
      }
    },
  "a class of its own": (ofNode) => {
    /** As undici.install() brings one: nothing of it works on a Request of Node. */
    class Foreign {
      readonly #own: Request;
      constructor(input: string | URL | Foreign, init?: RequestInit) {
        this.#own = new ofNode(input instanceof Foreign ? input.#own.clone() : input, init);
      }
      clone(): Foreign {
        return new Foreign(this, { method: this.#own.method });
      }
      static {
        for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(ofNode.prototype))) {
          if (Object.hasOwn(this.prototype, name)) continue;
          const { get, value, ...rest } = descriptor;
          if (get !== undefined) {
            const read = function (this: Foreign): unknown {
              return Reflect.apply(get, this.#own, []);
            };
            Object.defineProperty(this.prototype, name, { ...rest, get: read });
          } else if (typeof value === "function") {
            const call = function (this: Foreign, ...args: unknown[]): unknown {
              return Reflect.apply(value, this.#own, args);
            };
            Object.defineProperty(this.prototype, name, { ...rest, value: call });
          }
        }
      }
    }
    return Foreign as unknown as typeof Request;
  },
};

describe.each(Object.entries(replacements))("a light Request where the global one is %s", (_name, replace) => {
  const reads: Record<string, (request: Request) => unknown> = {
    text: (request) => request.text(),
    json: async (request) => JSON.stringify(await request.json()),
    arrayBuffer: async (request) => new TextDecoder().decode(await request.arrayBuffer()),
    blob: async (request) => (await request.blob()).text(),
    body: (request) => new Response(request.body).text(),
    clone: async (request) => {
      const text = await request.clone().text();
      expect(await request.text()).toBe(text);
      return text;
    },
    "clone of a clone": (request) => request.clone().clone().text(),
    copy: (request) =>
      new Request(request.url, { method: "POST", body: request.body, duplex: "half" } as object).text(),
  };

  /** Tests the result of each reading of a Request while another class is in place. */
  async function readAll(replaceWhen: "before" | "after"): Promise<void> {
    vi.resetModules();
    const ofNode = Request;
    onTestFinished(() => void (globalThis.Request = ofNode));
    if (replaceWhen === "before") globalThis.Request = replace(ofNode);
    const { listener } = await import("../node.ts");
    for (const lightRequests of [true, false]) {
      const app = native(async (request) => {
        const [, name] = /\/([^/]*)$/.exec(decodeURI(request.url))!;
        expect(request).toBeInstanceOf(Request);
        expect([request.bodyUsed, request.cache]).toEqual([false, "default"]);
        return new Response(String(await reads[name!]!(request)));
      });
      const errors: unknown[] = [];
      const server = await listening(
        createServer(listener(app, { lightRequests, onError: (error) => void errors.push(error) })),
      );
      for (const name of Object.keys(reads)) {
        const answer = await ask(server, { path: `/${encodeURI(name)}`, method: "POST" }, '{"a":1}');
        expect([name, answer.text, ...errors]).toEqual([name, '{"a":1}']);
        if (replaceWhen === "after" && Request === ofNode) globalThis.Request = replace(ofNode);
      }
    }
  }

  it("returns its content if it was replaced before the server was loaded", () => readAll("before"));
  it("returns its content if it was replaced after the first request", () => readAll("after"));
});
