import { Answer, answerMade } from "../answer/carried-answer.ts";
import { describe, expect, it } from "vitest";
import { kept, lightContent, takeAnswer, type LightResponse } from "./light-response.ts";
import { Response, responseOf, responseClassOf } from "./response.ts";

const Platform = globalThis.Response;
const isLight = Response !== Platform;

type Class = typeof globalThis.Response;
type Attempt = (Class: Class) => unknown;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const streamOf = (text: string): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob([text]).stream();
/** Passes a value that the types refuse. */
const odd = (value: unknown): never => value as never;

/** The bodies of responses, by name, so that a failure says which. */
const bodies: Record<string, () => BodyInit | null | undefined> = {
  nothing: () => undefined,
  null: () => null,
  "an empty string": () => "",
  text: () => "Grüße",
  "a lone surrogate": () => "a\ud800b",
  bytes: () => utf8("bytes"),
  "a part of a buffer": () => utf8("a longer text").subarray(2, 8),
  "a buffer": () => utf8("buffer").buffer,
  "another view": () => new DataView(utf8("a view").buffer, 2),
  "a blob with a type": () => new Blob(["blob"], { type: "text/x-blob" }),
  "a blob without one": () => new Blob(["blob"]),
  "a form": () => new URLSearchParams({ a: "1 2" }),
  "a stream": () => streamOf("stream"),
  "a number": () => odd(7),
  "an object": () => odd({ toString: () => "object" }),
};

const inits: Record<string, () => ResponseInit | undefined> = {
  nothing: () => undefined,
  null: () => odd(null),
  "an empty one": () => ({}),
  "a status": () => ({ status: 201, statusText: "Created" }),
  "a status without content": () => ({ status: 204 }),
  "205": () => ({ status: 205 }),
  "304": () => ({ status: 304 }),
  "the last status": () => ({ status: 599 }),
  "a status below 200": () => ({ status: 199 }),
  "101": () => ({ status: 101 }),
  "a status above 599": () => ({ status: 600 }),
  "a status that is text": () => ({ status: odd("418") }),
  "a status that is a fraction": () => ({ status: 200.9 }),
  "a status that is not a number": () => ({ status: odd("teapot") }),
  "a reason phrase of Latin-1": () => ({ statusText: "Schön" }),
  "a reason phrase with a line": () => ({ statusText: "a\nb" }),
  "a reason phrase of others": () => ({ statusText: "✓" }),
  "a reason phrase that is a number": () => ({ statusText: odd(7) }),
  "a record": () => ({ headers: { "X-A": "1", "content-type": "text/csv" } }),
  "a record with numbers": () => ({ headers: odd({ "x-count": 5 }) }),
  "a record with a list": () => ({ headers: odd({ "x-list": ["a", "b"] }) }),
  "one name in two cases": () => ({ headers: { "X-A": "1", "x-a": "2" } }),
  "cookies in pairs": () => ({
    headers: [
      ["Set-Cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
  }),
  "pairs that are not": () => ({ headers: odd([["x-a"]]) }),
  "pairs that are strings": () => ({ headers: odd(["ab"]) }),
  "a Map": () => ({ headers: odd(new Map([["x-a", "1"]])) }),
  Headers: () => ({ headers: new Headers({ "x-a": "1", "set-cookie": "a=1" }) }),
  "headers that are null": () => ({ headers: odd(null) }),
  "headers that are text": () => ({ headers: odd("x-a: 1") }),
  "a value with spaces around": () => ({ headers: { "x-a": " \t1 " } }),
  "an empty value": () => ({ headers: { "x-a": "" } }),
  "a value with a line": () => ({ headers: { "x-a": "1\r\nx-b: 2" } }),
  "a value of Latin-1": () => ({ headers: { "x-a": "é" } }),
  "a value of others": () => ({ headers: { "x-a": "✓" } }),
  "a control character": () => ({ headers: { "x-a": "a\u0001b" } }),
  "a name that is none": () => ({ headers: { "x a": "1" } }),
  "an empty name": () => ({ headers: { "": "1" } }),
  "a symbol": () => ({ headers: odd({ [Symbol("x")]: "1" }) }),
  "an init that is text": () => odd("200"),
  "another response": () => new Platform("other", { status: 202, headers: { "x-other": "1" } }),
};

/** Returns everything visible of a response, or the class of a failure. */
async function seen(attempt: Attempt, Class: Class): Promise<unknown> {
  try {
    const response = (await attempt(Class)) as globalThis.Response;
    if (!(response instanceof Platform)) return response;
    const { status, statusText, ok, type, url, redirected, bodyUsed } = response;
    const fields = [...response.headers];
    const content = [...new Uint8Array(await response.arrayBuffer())];
    const after = response.bodyUsed;
    return { status, statusText, ok, type, url, redirected, bodyUsed, fields, content, after };
  } catch (error) {
    return `fails with ${(error as Error).constructor.name}`;
  }
}

async function agree(attempt: Attempt): Promise<void> {
  expect(await seen(attempt, Response)).toEqual(await seen(attempt, Platform));
}

describe("Response()", () => {
  for (const [body, bodyOf] of Object.entries(bodies)) {
    for (const [init, initOf] of Object.entries(inits)) {
      it(`is as the platform's: made of ${body} with ${init}`, () => agree((Class) => new Class(bodyOf(), initOf())));
    }
  }

  it("copies bytes and fields, so that later changes are not its own", async () => {
    const bytes = utf8("first");
    const headers = new Headers({ "x-a": "1" });
    const response = new Response(bytes, { headers });
    bytes.fill(0);
    headers.set("x-a", "2");
    expect(response.headers.get("x-a")).toBe("1");
    expect(await response.text()).toBe("first");
  });

  it.skipIf(!isLight)("reads each member of the init, of its headers and of a value once", async () => {
    const read: string[] = [];
    const noted = <T extends object>(object: T, path: string): T =>
      new Proxy(object, {
        get: (target, key) => {
          if (typeof key === "string") read.push(`${path}${key}`);
          return Reflect.get(target, key) as unknown;
        },
      });
    for (const value of ["1", "a\r\nb", 7, ["a"]]) {
      for (const status of [200, 204, 99, "418"]) {
        for (const make of [
          (init: ResponseInit) => new Response("text", init),
          (init: ResponseInit) => Response.json({}, init),
        ]) {
          read.length = 0;
          const headers = noted({ "x-a": value }, "headers.");
          try {
            make(noted({ status: odd(status), statusText: "x", headers: odd(headers) }, ""));
          } catch {
            // Read as often where it is refused.
          }
          expect(read.filter((name) => name !== "headers.then").toSorted(), `${status} ${String(value)}`).toEqual([
            "headers",
            "headers.x-a",
            "status",
            "statusText",
          ]);
        }
      }
    }
    let count = 0;
    const counted = { toJSON: () => (count++, "x") };
    expect(await Response.json(counted, { headers: odd(new Map([["x-a", "1"]])) }).json()).toBe("x");
    expect(() => Response.json({ toJSON: () => void count++ })).toThrow(TypeError);
    expect(count).toBe(2);
  });

  it.skipIf(!isLight)(
    "takes no bytes in shared memory, and leaves those that change their length to the platform",
    async () => {
      const shared = new SharedArrayBuffer(2);
      for (const view of [new Uint8Array(shared), new DataView(shared)]) {
        expect(() => new Response(odd(view))).toThrow(
          new TypeError(
            "Cannot make a response: its bytes are in shared memory, which may change while they are sent; write " +
              "bytes.slice()",
          ),
        );
      }
      expect(await new Response(new Uint8Array(new SharedArrayBuffer(2)).slice()).text()).toBe("\0\0");
      const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
      await agree((Class) => new Class(new Uint8Array(new Resizable(2, { maxByteLength: 4 }))));
    },
  );

  it.skipIf(!isLight)("has the names and lengths of the platform's functions", async () => {
    const shapes = (Class: Class): unknown =>
      [Class, Class.prototype].flatMap((object) =>
        Reflect.ownKeys(object)
          .filter((key) => Object.hasOwn(object === Class ? Platform : Platform.prototype, key))
          .map((key) => {
            const { value, get, enumerable } = Object.getOwnPropertyDescriptor(object, key)!;
            const { name, length } = (get ?? Object(value)) as Function;
            return [String(key), enumerable, name, length];
          })
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
    expect(shapes(Response)).toEqual(shapes(Platform));
    expect(await Response.prototype.text.call(new Response("own"))).toBe("own");
    // Functions of the platform read what only its own instances have (`docs/runtimes.md`).
    await expect((async () => Platform.prototype.text.call(new Response("own")))()).rejects.toThrow(TypeError);
  });

  it.skipIf(!isLight)("keeps bytes that are marked, and no others", () => {
    const marked = Object.assign(utf8("bytes"), { [kept]: true });
    for (const bytes of [marked, utf8("bytes")]) {
      const response = new Response(bytes, { headers: { "content-type": "text/csv" } }) as LightResponse;
      expect(response[lightContent] === bytes).toBe(bytes === marked);
      expect(response[lightContent]).toEqual(utf8("bytes"));
    }
  });

  it("is an instance of the platform's class, as the platform's are of it", () => {
    class Own extends Response {}
    expect(new Response() instanceof Platform).toBe(true);
    expect(new Platform() instanceof Response).toBe(true);
    expect(new Own() instanceof Response).toBe(true);
    expect(new Own("x").status).toBe(200);
    expect(new Platform() instanceof Own).toBe(false);
    expect(Object.prototype.toString.call(new Response())).toBe("[object Response]");
  });

  it("has the members of the platform's class, enumerable as there", () => {
    const membersOf = (Class: Class): string[] => {
      const members = [];
      for (const name in new Class()) members.push(name);
      return members.toSorted();
    };
    expect(membersOf(Response)).toEqual(membersOf(Platform));
    expect(Response.name).toBe("Response");
    expect(Reflect.ownKeys(Response)).not.toContain("whole");
  });
});

describe("members of a Response", () => {
  const made = (Class: Class): globalThis.Response => new Class('{"a":1}', { headers: { "content-type": "text/x" } });
  const attempts: Record<string, Attempt> = {
    json: async (Class) => JSON.stringify(await made(Class).json()),
    text: (Class) => made(Class).text(),
    "the type of a blob": async (Class) => (await made(Class).blob()).type,
    "a form": async (Class) => {
      const init = { headers: { "content-type": "application/x-www-form-urlencoded" } };
      return [...(await new Class("a=1&b=2", init).formData())].flat().join(" ");
    },
    "content read twice": async (Class) => {
      const response = made(Class);
      await response.text();
      return response.text();
    },
    "a clone": (Class) => made(Class).clone(),
    "a clone, and then itself": (Class) => {
      const response = made(Class);
      response.clone();
      return response;
    },
    "a clone of what was read": async (Class) => {
      const response = made(Class);
      await response.text();
      return response.clone();
    },
    "fields that change before content is read": (Class) => {
      const response = made(Class);
      response.headers.set("x-b", "2");
      response.headers.delete("content-type");
      return response;
    },
    "fields that change after a clone": (Class) => {
      const response = made(Class);
      response.clone();
      response.headers.set("x-b", "2");
      return response.clone();
    },
    "fields as the same object": (Class) => {
      const response = made(Class);
      const { headers } = response;
      void response.body;
      return String(headers === response.headers);
    },
    "a body, read by a reader": async (Class) => {
      const { value } = await made(Class).body!.getReader().read();
      return new TextDecoder().decode(value);
    },
    "the body as the same stream": (Class) => {
      const response = made(Class);
      return String(response.body === response.body);
    },
    "no body": (Class) => String(new Class().body),
    "an immutable redirect": (Class) => Class.redirect("http://localhost/a").headers.set("x-a", "1"),
    "a redirect": (Class) => Class.redirect("http://localhost/a", 307),
    "a redirect with another status": (Class) => Class.redirect("http://localhost/a", 200),
    "an error": (Class) => Class.error(),
    "JSON of a value": (Class) => Class.json({ a: "é" }),
    "JSON of null": (Class) => Class.json(null),
    "JSON of nothing": (Class) => Class.json(undefined),
    "JSON of a cycle": (Class) => {
      const cycle: unknown[] = [];
      cycle.push(cycle);
      return Class.json(cycle);
    },
    "JSON with a status": (Class) => Class.json([], { status: 201, statusText: "Created", headers: { "x-a": "1" } }),
    "JSON of another type": (Class) => Class.json([], { headers: { "Content-Type": "application/x+json" } }),
    "JSON with a status without content": (Class) => Class.json([], { status: 204 }),
    "JSON with a status that is none": (Class) => Class.json([], { status: 99 }),
    "a copy with another's head": (Class) => new Platform("copy", made(Class)),
    "a copy of another's content": (Class) => new Class(made(Class).body, { status: 203 }),
  };
  for (const [because, attempt] of Object.entries(attempts)) {
    it(`are as the platform's: ${because}`, () => agree(attempt));
  }

  it("throws for a stream that somebody reads, as the platform does", async () => {
    const locked = streamOf("x");
    locked.getReader();
    expect(() => new Response(locked)).toThrow(TypeError);
  });
});

describe.runIf(isLight)("a light Response", () => {
  const light = (...parts: ConstructorParameters<Class>): LightResponse => new Response(...parts) as LightResponse;

  it("hands its parts to a server once, and was read then", async () => {
    const response = light("Hello", { status: 201, statusText: "Created", headers: { "X-A": "1" } });
    expect(response[lightContent]).toBe("Hello");
    expect(response.bodyUsed).toBe(false);
    expect(response[takeAnswer]()).toMatchObject({
      status: 201,
      reason: "Created",
      lines: ["x-a", "1", "content-type", "text/plain;charset=UTF-8"],
      content: "Hello",
    });
    expect(response.bodyUsed).toBe(true);
    expect(response[takeAnswer]()).toBeNull();
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(response.body).not.toBeNull();
  });

  it("hands out fields as they are by then", () => {
    const response = light(null, { headers: { "x-a": "1" } });
    response.headers.append("x-b", "2");
    expect(response[takeAnswer]()?.lines).toEqual(["x-a", "1", "x-b", "2"]);
    expect(response.bodyUsed).toBe(false);
  });

  it("has no content to hand out once there is a whole one", () => {
    const response = light("Hello");
    void response.body;
    expect(response[lightContent]).toBeUndefined();
    expect(response[takeAnswer]()).toBeNull();
    expect(light(new Blob(["x"]))[lightContent]).toBeUndefined();
  });
});

describe("responseClassOf()", () => {
  const node = { Response: Platform, process: { release: { name: "node" } } };
  it.each([
    ["Node", { ...node, navigator: { userAgent: "Node.js/26" } }, true],
    ["Node without a navigator", node, true],
    ["Bun", { ...node, Bun: {} }, false],
    ["Deno", { ...node, Deno: {} }, false],
    ["Workers", { ...node, navigator: { userAgent: "Cloudflare-Workers" } }, false],
    ["a browser", { Response: Platform, navigator: { userAgent: "Mozilla/5.0" } }, false],
    ["a process of another kind", { Response: Platform, process: {} }, false],
  ])("makes a light class on Node alone: %s", (_name, globals, isMade) => {
    expect(responseClassOf(globals) === Platform).toBe(!isMade);
  });
});

const classes = [Response, globalThis.Response];

describe("responseOf()", () => {
  it("has the fields, the text and its length, whatever the class", async () => {
    for (const Class of classes) {
      const lines = ["x-a", "1", "set-cookie", "a=1", "set-cookie", "b=2"];
      const response = responseOf(new Answer(201, lines, "Köln"), true, Class);
      expect(response).toBeInstanceOf(globalThis.Response);
      expect([response.status, response.headers.get("x-a"), response.headers.getSetCookie()]).toEqual([
        201,
        "1",
        ["a=1", "b=2"],
      ]);
      expect([response.headers.get("content-length"), await response.text()]).toEqual(["5", "Köln"]);
      const empty = responseOf(new Answer(204, [], null), true, Class);
      expect([empty.status, [...empty.headers], empty.body]).toEqual([204, [], null]);
    }
  });

  it("has the reason, and content that is bytes, a Blob or a stream", async () => {
    for (const Class of classes) {
      for (const content of [new Uint8Array([104, 105]), new Blob(["hi"]), new Response("hi").body]) {
        const answer = new Answer(200, [], content);
        answer.reason = "Fine";
        const response = responseOf(answer, true, Class);
        expect([response.statusText, await response.text()]).toEqual(["Fine", "hi"]);
      }
    }
  });

  it("has the fields that were added, and changes no list of others", () => {
    for (const Class of classes) {
      const lines = ["content-type", "text/plain"];
      const answer = new Answer(200, lines, "tea");
      answer.fields.append("X-Request-Id", "42");
      for (const line of ["a=1", "b=2"]) answer.fields.append("Set-Cookie", line);
      const { headers } = responseOf(answer, true, Class);
      expect([headers.get("x-request-id"), headers.getSetCookie()]).toEqual(["42", ["a=1", "b=2"]]);
      expect(lines).toEqual(["content-type", "text/plain"]);
    }
  });

  it("has one length, whatever was said of it before", () => {
    for (const Class of classes)
      expect(
        responseOf(new Answer(200, ["content-length", "3"], "tea"), true, Class).headers.get("content-length"),
      ).toBe("3");
  });

  it("leaves the length to the platform where nobody else sees it", async () => {
    const response = responseOf(new Answer(200, ["x-a", "1"], "Köln"), false, globalThis.Response);
    expect([response.headers.get("content-length"), await response.text()]).toEqual([null, "Köln"]);
  });

  it("says that content is coded already", () => {
    const given: unknown[] = [];
    class Noting extends globalThis.Response {
      constructor(body: BodyInit | null, init: ResponseInit) {
        super(body, init);
        given.push(init);
      }
    }
    const answer = new Answer(200, ["content-encoding", "gzip"], new Blob(["x"]));
    answer.isCoded = true;
    responseOf(answer, true, Noting as typeof Response);
    expect(given).toEqual([expect.objectContaining({ encodeBody: "manual" })]);
  });

  it("is the response that a user has made", () => {
    const response = new Response("tea", { status: 201 });
    const answer = answerMade(response);
    expect([answer.status, responseOf(answer)]).toEqual([201, response]);
  });
});
