// A request and its clones are read, and canceled, each for itself.
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Application as SemanticApplication, Resource as SemanticResource, text as declaredText } from "fingerpost";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { timeout } from "fingerpost/middleware/timeout";
import { HTTPError, Middleware, Status } from "fingerpost/modules/http.native.js";
import { conditional } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import type { NodeApplication } from "../../src/servers/node.ts";
import { nativeAround } from "../middleware/around.ts";
import { http2Session } from "../support/http2.ts";
import { begin, started } from "../support/sockets.ts";

const around: readonly (readonly [string, readonly MiddlewareClass[]])[] = [
  ["nothing", []],
  ["timeout()", [timeout({ timeoutMs: 60_000 })]],
  ["conditional()", [conditional()]],
  ["bodyLimit() streaming", [bodyLimit({ maxBytes: 10_000_000, stream: true })]],
  ["timeout() inside bodyLimit() streaming", [bodyLimit({ maxBytes: 1e7, stream: true }), timeout({ timeoutMs: 6e4 })]],
];

const cases = around.flatMap(([name, middleware]) =>
  [true, false].flatMap((lightRequests) =>
    (["HTTP/1.1", "HTTP/2"] as const).map((protocol) => [name, lightRequests, protocol, middleware] as const),
  ),
);

/** Sends an upload, all of it or its first half, and gives the status and the content of the answer. */
async function upload(
  app: NodeApplication,
  lightRequests: boolean,
  protocol: string,
  isWhole: boolean,
): Promise<[unknown, string]> {
  const options = { lightRequests, onError: () => {} };
  if (protocol === "HTTP/2") {
    const stream = (await http2Session(app, options)).request({ ":path": "/items", ":method": "PUT" });
    stream.on("error", () => {}).write("content");
    if (isWhole) stream.end();
    const [fields] = await once(stream, "response");
    return [fields[":status"], await text(stream)];
  }
  const sent = begin(await started(app, options), { path: "/items", method: "PUT" }).on("error", () => {});
  sent.write("content");
  if (isWhole) sent.end();
  const [response] = await once(sent, "response");
  return [response.statusCode, await text(response)];
}

class Refuses extends Middleware {
  ALL(): never {
    throw new HTTPError(Status.Unauthorized);
  }
}

const canceling: Record<string, MiddlewareClass> = {
  "a clone": class extends Middleware {
    async ALL(request: Request): Promise<Response> {
      const copy = request.clone();
      try {
        return await this.next(request);
      } finally {
        await copy.body!.cancel();
      }
    }
  },
  "the request of a clone": class extends Middleware {
    async ALL(request: Request): Promise<Response> {
      const copy = request.clone();
      await request.body!.cancel();
      return this.next(request, copy);
    }
  },
  "a clone of a clone, by its reader": class extends Middleware {
    async ALL(request: Request): Promise<Response> {
      const reader = request.clone().clone().body!.getReader();
      await reader.read();
      await reader.cancel();
      return this.next(request);
    }
  },
  "a clone whose loop ends": class extends Middleware {
    async ALL(request: Request): Promise<Response> {
      for await (const _ of request.clone().body as unknown as AsyncIterable<Uint8Array>) break;
      return this.next(request);
    }
  },
};

describe.each(cases)("inside %s, light requests: %s, over %s", (_name, lightRequests, protocol, middleware) => {
  it.each(Object.keys(canceling))("a guard refuses where middleware awaits that it cancels %s", async (way) => {
    const app = nativeAround([...middleware, canceling[way]!, Refuses], () => new Response());
    expect((await upload(app, lightRequests, protocol, false))[0]).toBe(401);
  });

  it("gives all of the content to the request and to its clones", async () => {
    const app = nativeAround(middleware, async (request) => {
      const clone = request.clone();
      const texts = [await clone.clone().text(), await request.text(), await clone.text()];
      return Response.json([...texts, request.bodyUsed, clone.headers.get("content-type"), clone.method]);
    });
    const [status, told] = await upload(app, lightRequests, protocol, true);
    expect([status, JSON.parse(told)]).toEqual([200, ["content", "content", "content", true, null, "PUT"]]);
  });

  it("refuses to clone what was read, or is being read", async () => {
    const app = nativeAround(middleware, async (request) => {
      const refusals: unknown[] = [];
      const attempt = (): void => {
        try {
          request.clone();
        } catch (error) {
          refusals.push((error as Error).name);
        }
      };
      const reader = request.body!.getReader();
      attempt();
      await reader.read();
      reader.releaseLock();
      attempt();
      return Response.json(refusals);
    });
    expect(await upload(app, lightRequests, protocol, true)).toEqual([200, '["TypeError","TypeError"]']);
  });

  it("gives content to a reader that has a buffer of its own, of a request and of a clone", async () => {
    const app = nativeAround(middleware, async (request) => {
      const texts = await Promise.all(
        [request.clone(), request].map(async ({ body }) => {
          const reader = (body as ReadableStream<Uint8Array>).getReader({ mode: "byob" });
          let read = "";
          for (let view = new Uint8Array(4); ;) {
            const { done, value } = await reader.read(view);
            if (done) return read;
            read += new TextDecoder().decode(value);
            view = new Uint8Array(value.buffer);
          }
        }),
      );
      return Response.json(texts);
    });
    expect(await upload(app, lightRequests, protocol, true)).toEqual([200, '["content","content"]']);
  });
});

describe.each([true, false])("a clone of declared content, light requests: %s", (lightRequests) => {
  it.each(["HTTP/1.1", "HTTP/2"])(
    "ends where the operation says, before the upload does, over %s",
    async (protocol) => {
      class Notes extends SemanticResource {
        paths = ["/items"] as const;
        static PUT = { content: declaredText("text/plain", { maxBytes: 5 }), 204: "Stored" };
        PUT(): void {}
      }
      class Audit extends Middleware {
        async ALL(request: Request): Promise<Response> {
          await request.clone().text();
          return this.next(request);
        }
      }
      const app = SemanticApplication.builder().resources(Notes).middleware(Audit).build();
      const [status, told] = await upload(app, lightRequests, protocol, false);
      expect([status, JSON.parse(told)]).toMatchObject([413, { detail: "The content is longer than 5 bytes" }]);
    },
  );
});
