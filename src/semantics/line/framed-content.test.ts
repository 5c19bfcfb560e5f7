import { describe, expect, it, onTestFinished, vi } from "vitest";
import { running } from "../../dispatch/runtime-host.ts";
import type * as ResponseModule from "../../http/message/response.ts";
import { Application, bytes, Middleware, Resource, reply, text } from "../../modules/http.semantics.ts";

const { framed } = vi.hoisted(() => ({ framed: new WeakSet<object>() }));
vi.mock("../../http/message/framed-content.ts", () => ({
  notePassed: (request: object) => framed.add(request),
  passedWith: (request: object) => (framed.has(request) ? {} : undefined),
  isFramed: (request: object) => framed.has(request),
}));
// As on Bun and Deno, whose class counts nothing.
vi.mock("../../http/message/response.ts", async (load) => {
  const actual = await load<typeof ResponseModule>();
  const responseOf: typeof actual.responseOf = (answer, isCounted) =>
    actual.responseOf(answer, isCounted, globalThis.Response);
  return { ...actual, responseOf, Response: globalThis.Response };
});

class Uploads extends Resource {
  paths = ["/"] as const;
  static POST = { content: bytes("application/octet-stream", { maxBytes: 10 }), 204: "Read" };
  POST({ content }: { content: Uint8Array }) {
    read.push([...content]);
    return reply(204);
  }
}

const read: number[][] = [];
const errors: unknown[] = [];
const app = Application.builder()
  .resources(Uploads)
  .onError((error) => void errors.push(error))
  .build();

/** A request whose content a server framed by a length, which may be a lie of the server. */
function framedRequest(length: number, body: BodyInit): Request {
  const headers = { "content-type": "application/octet-stream", "content-length": String(length) };
  return new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

async function statusOf(request: Request, host: unknown = {}): Promise<number> {
  return (await app.fetch(request, host)).status;
}

describe("content that the server framed", () => {
  it("is read at once", async () => {
    const request = framedRequest(3, new Uint8Array([1, 2, 3]));
    const atOnce = vi.spyOn(request, "arrayBuffer");
    expect(await statusOf(request)).toBe(204);
    expect(atOnce).toHaveBeenCalledOnce();
    expect(read.pop()).toEqual([1, 2, 3]);
  });

  it("is read in parts if no server passed itself, or there is no length", async () => {
    const requests: [Request, unknown][] = [
      [framedRequest(3, new Uint8Array([1, 2, 3])), undefined],
      [framedRequest(0, new Uint8Array([1, 2, 3])), {}],
    ];
    for (const [request, host] of requests) {
      const atOnce = vi.spyOn(request, "arrayBuffer");
      expect((await app.fetch(request, ...(host === undefined ? [] : [host]))).status).toBe(204);
      expect(atOnce).not.toHaveBeenCalled();
      expect(read.pop()).toEqual([1, 2, 3]);
    }
  });

  it("RFC 9110 §15.5.14 is 413 without reading where it says so, and if there is more than it said", async () => {
    const long = framedRequest(11, new Uint8Array(11));
    const atOnce = vi.spyOn(long, "arrayBuffer");
    expect(await statusOf(long)).toBe(413);
    expect(atOnce).not.toHaveBeenCalled();
    expect(await statusOf(framedRequest(3, new Uint8Array(11)))).toBe(413);
  });

  it("is 400 if it breaks off", async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error("gone")),
    });
    const request = framedRequest(3, broken);
    vi.spyOn(request, "bodyUsed", "get").mockReturnValue(true);
    expect(await statusOf(request)).toBe(400);
  });

  it("is the server's fault if somebody keeps a reader of it", async () => {
    const request = framedRequest(3, new Uint8Array([1, 2, 3]));
    request.body!.getReader();
    expect(await statusOf(request)).toBe(500);
    expect(errors.pop()).toBeInstanceOf(TypeError);
  });
});

describe("the length of an answer", () => {
  class Greeting extends Resource {
    paths = ["/"] as const;
    static GET = { 200: text() };
    GET(): string {
      return "Köln";
    }
  }
  class Pass extends Middleware {
    ALL(request: Request): Response | Promise<Response> {
      return this.next(request);
    }
  }
  const plain = Application.builder().resources(Greeting).build();
  const guarded = Application.builder().middleware(Pass).resources(Greeting).build();

  it("is written by the server where nobody else gets the answer", async () => {
    const { host } = running;
    onTestFinished(() => void (running.host = host));
    running.host = { ...host, writesLength: (request) => framed.has(request) };
    const lengthFrom = async ({ fetch }: typeof plain, ...passed: unknown[]): Promise<string | null> =>
      (await fetch(new Request("http://localhost/"), ...passed)).headers.get("content-length");
    expect(await lengthFrom(plain, {})).toBeNull();
    expect(await lengthFrom(plain)).toBe("5");
    expect(await lengthFrom(guarded, {})).toBe("5");
  });
});
