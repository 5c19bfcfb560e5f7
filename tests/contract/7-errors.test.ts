import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as native from "fingerpost/modules/http.native.js";
import { HTTPError, Status } from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { listener, type NodeApplication } from "fingerpost/node";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { chains, rejectionOf, statusOf, type Chain, type Handled } from "../support/chains.ts";

describe("HTTPError", () => {
  it("C7.1 has name, status, statusText, headers, message and cause", () => {
    const cause = new Error("cause");
    const error = new HTTPError(Status.NotFound, "No such book", { cause, headers: { "X-A": "1" } });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "HTTPError",
      status: 404,
      statusText: "Not Found",
      message: "No such book",
      cause,
    });
    expect([...error.headers]).toEqual([["x-a", "1"]]);
  });

  it("C7.1 has the reason phrase for a message by default", () => {
    const error = new HTTPError(Status.MethodNotAllowed);
    expect(error).toMatchObject({ status: 405, statusText: "Method Not Allowed", message: "Method Not Allowed" });
    expect([...error.headers]).toEqual([]);
    expect(error.cause).toBeUndefined();
  });

  it("C7.1 works as a ResponseInit, headers included", async () => {
    const error = new HTTPError(Status.Conflict, "Taken", { headers: { "X-A": "1" } });
    const response = new Response(error.message, error);
    expect([response.status, response.statusText, await response.text()]).toEqual([409, "Conflict", "Taken"]);
    expect(response.headers.get("x-a")).toBe("1");
  });

  it("C7.1 is recognized by instanceof across copies of the package", async () => {
    vi.resetModules();
    const copy = await import("fingerpost/modules/http.native.js");
    expect(copy.HTTPError).not.toBe(HTTPError);
    expect(new copy.HTTPError(Status.NotFound)).toBeInstanceOf(HTTPError);
    expect(new HTTPError(copy.Status.NotFound)).toBeInstanceOf(copy.HTTPError);
    const foreign = await rejectionOf(copy.Application.builder().build().handle({ url: "/", method: "GET" }));
    expect(foreign).toBeInstanceOf(HTTPError);
    for (const other of [new Error("x"), { status: 404, statusText: "Not Found" }, null, undefined, 404, "HTTPError"]) {
      expect(other).not.toBeInstanceOf(HTTPError);
    }
  });

  it("C7.1 is the same class in both modules", () => {
    expect(polyfill.HTTPError).toBe(native.HTTPError);
    expect(polyfill.Status).toBe(native.Status);
  });

  it("C7.1 refuses anything but a registered status with a TypeError", () => {
    for (const status of [
      499,
      "404",
      null,
      undefined,
      {},
      [],
      { status: 404 },
      { status: 404, statusText: "Gone" },
      { status: 999, statusText: "x" },
    ]) {
      expect(() => new HTTPError(status as never)).toThrow(TypeError);
      expect(() => new HTTPError(status as never)).toThrow(
        /^Cannot create an HTTPError: expected a status such as 404, got /,
      );
    }
  });
});

describe("Status", () => {
  it("C7.1 has frozen constants with status and statusText", () => {
    expect(Status.NotFound).toEqual({ status: 404, statusText: "Not Found" });
    expect(Object.isFrozen(Status)).toBe(true);
    for (const constant of Object.values(Status)) {
      expect(Object.isFrozen(constant)).toBe(true);
      expect(Object.keys(constant)).toEqual(["status", "statusText"]);
    }
  });

  it("C7.1 has every registered code", () => {
    const registered =
      "100 101 102 103 104 200 201 202 203 204 205 206 207 208 226 300 301 302 303 304 305 307 308 400 401 402 403 " +
      "404 405 406 407 " +
      "408 409 410 411 412 413 414 415 416 417 421 422 423 424 425 426 428 429 431 451 500 501 502 503 504 505 506 " +
      "507 508 510 511";
    const codes: number[] = Object.values(Status).map(({ status }) => status);
    expect(codes.toSorted((a, b) => a - b).join(" ")).toBe(registered);
  });

  it("C7.1 works as a ResponseInit", () => {
    const response = new Response("made", Status.Created);
    expect([response.status, response.statusText]).toEqual([201, "Created"]);
  });
});

describe.each(chains)("$name", (chain) => {
  const { Application, Resource, inputOf } = chain;
  class User extends Resource {
    paths = ["/users/:id"];
    GET({ params }: Handled): unknown {
      return params.pathParam("id");
    }
  }
  const app = Application.builder().resources(User).build();

  it.each([
    ["NotFound when no pattern matches", Status.NotFound, "GET", "/nothing"],
    ["NotImplemented when the resource has no such handler", Status.NotImplemented, "POST", "/users/7"],
    ["NotImplemented when the method is not one of the nine", Status.NotImplemented, "PURGE", "/users/7"],
    ["NotImplemented when it is in lower case", Status.NotImplemented, "get", "/users/7"],
    ["BadRequest for a URL that cannot be parsed", Status.BadRequest, "GET", "http://h:99999/users/7"],
    ["BadRequest for a value that cannot be decoded", Status.BadRequest, "GET", "/users/%ff"],
    ["URITooLong for a path beyond the bound", Status.URITooLong, "GET", `/users/${"7".repeat(8192)}`],
  ])("C7.2 rejects with %s", async (_name, status, method, target) => {
    const error = await rejectionOf(app.handle(inputOf(method, target)));
    expect(error).toBeInstanceOf(HTTPError);
    expect(error).toMatchObject({ ...status, message: status.statusText });
  });

  it.each([
    ["null", null, "got null"],
    ["undefined", undefined, "got undefined"],
    ["a string", "/users/7", 'got "/users/7"'],
    ["a number", 7, "got 7"],
    ["no url", { method: "GET" }, 'its "url" is undefined'],
    ["a URL object", { url: new URL("http://h/users/7"), method: "GET" }, 'write "url: url.href"'],
    ["no method", { url: "/users/7" }, 'its "method" is undefined'],
    ["a method that is not a string", { url: "/users/7", method: 5 }, 'its "method" is 5'],
    ["a frozen context", Object.freeze({ url: "/users/7", method: "GET" }), "frozen"],
    ["a sealed context", Object.seal({ url: "/users/7", method: "GET" }), "sealed"],
  ])("C7.2 rejects the host's mistake with a TypeError: %s", async (_name, input, hint) => {
    const error = await rejectionOf(app.handle(input));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(/^Cannot handle the input: expected an object /);
    expect((error as Error).message).toContain(hint);
  });

  it("C7.2 passes on what a getter of the host throws", async () => {
    const input = {
      get url(): string {
        throw new RangeError("host");
      },
      method: "GET",
    };
    expect(await rejectionOf(app.handle(input))).toEqual(new RangeError("host"));
  });

  it("C7.4 names the user's own class, cuts what it quotes at 80 characters, has no final period", async () => {
    const long = "x".repeat(300_000);
    class Wide extends Resource {
      paths = [`no-slash-${long}`];
    }
    const messages = await Promise.all([
      messageOf(() => Application.builder().resources(Wide).build()),
      messageOf(() =>
        Application.builder()
          .resources(long as never)
          .build(),
      ),
      messageOf(() =>
        Application.builder()
          .trailingSlash(long as never)
          .build(),
      ),
      messageOf(() => app.handle(long)),
      messageOf(() => app.handle({ url: "/users/7", method: Symbol(long) })),
      messageOf(() => new HTTPError(long as never)),
    ]);
    expect(messages[0]).toMatch(/^Cannot parse path pattern of Wide: /);
    for (const message of messages) {
      expect(message.length).toBeLessThan(400);
      expect(message).toMatch(/^[A-Z]/);
      expect(message).not.toMatch(/\.$/);
    }
  });
});

async function messageOf(run: () => unknown): Promise<string> {
  return ((await rejectionOf((async () => run())())) as Error).message;
}

/** How an application whose one handler throws answers, by the servers of each chain: status, content type, content. */
type Answer = readonly [status: number, type: string | null, body: unknown];

async function answerOf(response: Response): Promise<Answer> {
  return [response.status, response.headers.get("content-type"), await response.json()];
}

let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  console = vi.spyOn(globalThis.console, "error").mockImplementation(() => {});
});
afterEach(() => console.mockRestore());

const observers = { onError: vi.fn() };

type WayOut = (chain: Chain, thrown: unknown, observed: boolean, method?: string) => Promise<Response>;
const waysOut: readonly (readonly [string, WayOut])[] = [
  ["fetch() of http.native.js", byFetch],
  [
    "listener() with http.native.js",
    (_door, thrown, observed, method) => byListener(throwing(native, thrown, observed), observed, method),
  ],
  [
    "listener() with http.polyfill.js",
    (_door, thrown, observed, method) => byListener(throwing(polyfill, thrown), observed, method),
  ],
];

function throwing(chain: typeof native | typeof polyfill, thrown: unknown, observed = false): NodeApplication {
  class Item extends chain.Resource {
    paths = ["/item"];
    GET(): never {
      throw thrown;
    }
  }
  const builder = chain.Application.builder().resources(Item as never);
  if (observed && "onError" in builder)
    (builder as ReturnType<typeof native.Application.builder>).onError(observers.onError);
  return builder.build() as NodeApplication;
}

async function byFetch(_door: Chain, thrown: unknown, observed: boolean, method = "GET"): Promise<Response> {
  return (throwing(native, thrown, observed) as native.Application).fetch(
    new Request("http://localhost/item", { method }),
  );
}

async function byListener(app: NodeApplication, observed: boolean, method = "GET"): Promise<Response> {
  const server = createServer(listener(app, observed ? observers : {})).listen(0);
  await once(server, "listening");
  try {
    const response = await fetch(`http://localhost:${(server.address() as AddressInfo).port}/item`, { method });
    return new Response(await response.arrayBuffer(), response);
  } finally {
    server.close();
  }
}

describe.each(waysOut)("%s", (_name, answer) => {
  const chain = chains[0]!;
  const respond = async (thrown: unknown, observed = false) => {
    observers.onError.mockReset();
    return answer(chain, thrown, observed);
  };

  it("C7.3 is application/problem+json with title and status, and detail when the message differs", async () => {
    expect(await answerOf(await respond(new HTTPError(Status.NotFound)))).toEqual([
      404,
      "application/problem+json",
      { title: "Not Found", status: 404 },
    ]);
    expect(await answerOf(await respond(new HTTPError(Status.Conflict, "The name is taken")))).toEqual([
      409,
      "application/problem+json",
      { title: "Conflict", status: 409, detail: "The name is taken" },
    ]);
    expect(console).not.toHaveBeenCalled();
  });

  it("C7.3 has the header fields of the error", async () => {
    const response = await respond(
      new HTTPError(Status.Unauthorized, undefined, { headers: { "WWW-Authenticate": "Basic" } }),
    );
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Basic"]);
  });

  it("C7.3 says no more than the reason phrase for 5xx", async () => {
    const error = new HTTPError(Status.ServiceUnavailable, "database at 10.0.0.7 is down");
    expect(await answerOf(await respond(error))).toEqual([
      503,
      "application/problem+json",
      { title: "Service Unavailable", status: 503 },
    ]);
    expect(console.mock.calls).toEqual([["%s:", 'GET "/item" at "/item" of Item', error]]);
  });

  it.each([[new Error("secret")], ["secret"], [undefined], [null], [{ status: 404, message: "secret" }]])(
    "C7.3 says no more than the reason phrase for what is not an HTTPError: %s",
    async (error) => {
      const response = await respond(error);
      expect(await answerOf(response)).toEqual([
        500,
        "application/problem+json",
        { title: "Internal Server Error", status: 500 },
      ]);
      expect(console.mock.calls).toEqual([["%s:", 'GET "/item" at "/item" of Item', error]]);
    },
  );

  it("C7.3 gives the error to onError(), and then not to the console", async () => {
    const error = new Error("secret");
    expect((await respond(error, true)).status).toBe(500);
    expect(observers.onError.mock.calls[0]![0]).toBe(error);
    expect(console).not.toHaveBeenCalled();
  });

  it.each(["HEAD", "OPTIONS"])(
    "C7.5 prints nothing of %s that is not implemented: clients choose it",
    async (method) => {
      expect((await answer(chain, new Error("not called"), false, method)).status).toBe(501);
      expect(console).not.toHaveBeenCalled();
    },
  );

  it("C7.3 lets no stack trace out", async () => {
    const error = new Error("secret");
    const response = await respond(error);
    const text = [...response.headers].join() + response.statusText + (await response.text());
    expect(text).not.toMatch(/secret|\.ts|node_modules|at /);
  });
});

describe("the default log of an error", () => {
  const { Application, Resource } = native;
  class Item extends Resource {
    override paths = ["/items/:id"];
    override GET(): never {
      throw error;
    }
  }
  const error = new Error("disk");
  const app = Application.builder().resources(Item).build();

  it("C7.5 has the path cut at 80 characters, and neither query nor credentials", async () => {
    await app.fetch(new Request(`http://localhost/items/${"7".repeat(100)}?token=secret#part`));
    await app.fetch({ method: "GET", url: "http://ada:secret@localhost/items/7?token=secret" } as Request);
    expect(console.mock.calls.map(([, line]) => line as unknown)).toEqual([
      `GET "/items/${"7".repeat(73)}" at "/items/:id" of Item`,
      'GET "/items/7" at "/items/:id" of Item',
    ]);
  });

  it("C7.5 is one line, whatever the client sends", async () => {
    await app.fetch({ method: "GET", url: '/items/%s%o"\r\n\u001b[2J\u009b' } as Request);
    expect(console.mock.calls).toEqual([
      ["%s:", 'GET "/items/%s%o\\u0022\\u000d\\u000a\\u001b[2J\\u009b" at "/items/:id" of Item', error],
    ]);
  });

  it("C7.5 is not there for a client that leaves", async () => {
    const gone = new AbortController();
    gone.abort();
    const wrapped = new Error("wrapped", { cause: gone.signal.reason });
    const thrown: unknown[] = [gone.signal.reason, wrapped, new Error("twice", { cause: wrapped }), null, error];
    class Left extends Resource {
      override paths = ["/left"];
      override GET(): never {
        throw thrown.shift();
      }
    }
    const left = Application.builder().resources(Left).build();
    for (const _ of [...thrown]) await left.fetch(new Request("http://localhost/left", { signal: gone.signal }));
    expect(console.mock.calls.map(([, , said]) => said as unknown)).toEqual([null, error]);
  });

  it("C7.5 says what there is where no path pattern matched, or no input was given", async () => {
    class Broken extends native.Middleware {
      ALL(): never {
        throw error;
      }
    }
    await Application.builder().middleware(Broken).build().fetch(new Request("http://localhost"));
    await app.fetch(null as never);
    expect(console.mock.calls).toEqual([
      ["%s:", 'GET "/"', error],
      ["%s:", 'undefined "undefined"', expect.any(TypeError)],
    ]);
  });
});

describe("rejections of handle()", () => {
  it("C7.3 stay errors: handle() makes no responses", async () => {
    for (const { Application } of chains) {
      expect(await statusOf(Application.builder().build().handle({ url: "/", method: "GET" }))).toBe(404);
    }
  });
});
