import { describe, expect, it } from "vitest";
import { lightContent, type LightResponse } from "../../src/http/message/light-response.ts";
import { Application, Middleware, Resource, Response } from "../../src/modules/http.native.ts";
import { cors } from "../../src/middleware/cors.ts";
import { startedHttp2 } from "../support/http2.ts";
import { ask, native, started } from "../support/sockets.ts";

const Platform = globalThis.Response;
type Class = typeof globalThis.Response;

/** What a handler may return: made by either class, it is the same to a client. */
const answers: Record<string, (Class: Class) => Response | Promise<Response>> = {
  text: (Class) => new Class("Grüße"),
  "text that UTF-8 cannot say": (Class) => new Class("a\ud800b"),
  "no content": (Class) => new Class(null, { status: 204 }),
  "nothing, with 200": (Class) => new Class(),
  "an empty string": (Class) => new Class(""),
  json: (Class) => Class.json({ a: "é" }, { status: 201, statusText: "Made", headers: { "x-a": "é" } }),
  bytes: (Class) => new Class(new Uint8Array([0, 255]), { headers: { "content-type": "application/x" } }),
  blob: (Class) => new Class(new Blob(["blob"], { type: "text/x" })),
  stream: (Class) => new Class(new Blob(["stream"]).stream()),
  cookies: (Class) => new Class("x", { headers: [...["a=1", "b=2"].map((c): [string, string] => ["set-cookie", c])] }),
  "one name twice": (Class) => new Class("x", { headers: { "X-A": "1", "x-a": "2" } }),
  "a length that is right": (Class) => new Class("1234", { headers: { "content-length": "4" } }),
  "framing of its own": (Class) => new Class("x", { headers: { "transfer-encoding": "gzip", connection: "close" } }),
  redirect: (Class) => Class.redirect("http://localhost/a", 303),
  "not modified": (Class) => new Class(null, { status: 304, headers: { etag: '"1"' } }),
  "a copy": (Class) => {
    const first = new Class("copied", { headers: { "x-a": "1" } });
    return new Class(first.body, first);
  },
  "fields that were added": (Class) => {
    const response = new Class("x");
    response.headers.set("x-a", "1");
    response.headers.set("content-type", "text/x");
    return response;
  },
  "one that was read": async (Class) => {
    const response = new Class("read");
    await response.text();
    return response;
  },
  "one half of a clone": (Class) => {
    const response = new Class("cloned");
    response.clone();
    return response;
  },
  "a status that is none": (Class) => new Class("x", { status: 99 }),
  "an error": (Class) => Class.error(),
};

/** Of a stream HEAD tells no length, nor of no content: a handler of HEAD may leave it out. */
const uncounted = new Set(["blob", "stream", "a copy", "one half of a clone", "nothing, with 200", "redirect"]);

/** One resource for each class, so that the answers differ in nothing else. */
function application(errors: unknown[]): Application {
  const resources = [Response, Platform].map(
    (Class, at) =>
      class Answers extends Resource {
        paths = [`/${at}/:name`];
        #shared = new Class("shared");
        GET({ params }: { params: { pathParam(name: string): string | undefined } }): Response | Promise<Response> {
          const name = params.pathParam("name")!;
          return name === "shared" ? this.#shared : answers[name]!(Class);
        }
        override HEAD(request: {
          params: { pathParam(name: string): string | undefined };
        }): Response | Promise<Response> {
          return this.GET(request);
        }
      },
  );
  return Application.builder()
    .resources(...resources)
    .onError((error) => void errors.push(error))
    .build();
}

describe("responses of our own, beside the platform's", () => {
  for (const name of Object.keys(answers)) {
    for (const method of ["GET", "HEAD"]) {
      it(`are the same to a client: ${method} of ${name}`, async () => {
        const server = await started(application([]));
        const [light, whole] = await Promise.all(
          [0, 1].map(async (at) => {
            const { status, text, headers } = await ask(server, { method, path: `/${at}/${encodeURIComponent(name)}` });
            return { status, text, headers: { ...headers, date: "" } };
          }),
        );
        // The length of the platform's content is known once it was read, which HEAD does not do.
        if (method === "HEAD") delete (light!.headers as Record<string, unknown>)["content-length"];
        if (method === "HEAD") delete (whole!.headers as Record<string, unknown>)["content-length"];
        expect(light).toEqual(whole);
      });
    }

    it(`have the length that GET has: HEAD of ${name}`, async () => {
      const server = await started(application([]));
      const path = `/0/${encodeURIComponent(name)}`;
      const [head, get] = [await ask(server, { method: "HEAD", path }), await ask(server, { path })];
      expect(head.headers["content-length"]).toBe(uncounted.has(name) ? undefined : get.headers["content-length"]);
    });

    it(`are the same over HTTP/2: ${name}`, async () => {
      const over2 = await startedHttp2(application([]));
      const seen = await Promise.all(
        [0, 1].map(async (at) => {
          const { headers, text } = await over2({ ":path": `/${at}/${encodeURIComponent(name)}` });
          return { text, headers: { ...headers, date: "" } };
        }),
      );
      expect(seen[0]).toEqual(seen[1]);
    });
  }

  it("cannot be sent twice", async () => {
    const errors: unknown[] = [];
    const server = await started(application(errors));
    for (const at of [0, 1]) {
      expect((await ask(server, { path: `/${at}/shared` })).text).toBe("shared");
      expect((await ask(server, { path: `/${at}/shared` })).status).toBe(500);
    }
    expect(errors).toHaveLength(2);
  });

  it("take the fields of middleware without a copy", async () => {
    let given: LightResponse | undefined;
    class Pass extends Middleware {
      async ALL(input: unknown): Promise<Response> {
        return (await this.next(input)) as Response;
      }
    }
    class Hello extends Resource {
      paths = ["/"];
      static middleware = [Pass];
      GET(): Response {
        return (given = new Response("Hello") as LightResponse);
      }
    }
    const app = Application.builder()
      .middleware(cors({ origins: ["http://a.example"] }))
      .resources(Hello)
      .build();
    const server = await started(app);
    const { text, headers } = await ask(server, { path: "/", headers: { origin: "http://a.example" } });
    expect(text).toBe("Hello");
    expect(headers["access-control-allow-origin"]).toBe("http://a.example");
    // One that was made whole has no content of its own any more.
    expect(given?.[lightContent]).toBe("Hello");
  });

  it("are sent by an application that is not of this package", async () => {
    const server = await started(native(() => Response.json([1])));
    expect((await ask(server, {})).text).toBe("[1]");
  });
});
