import { Application, json, Middleware, Resource, ResourceGroup, lines } from "fingerpost";
import { timeout } from "fingerpost/middleware/timeout";
import { Resource as NativeResource, Response } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const mebibyte = 1_048_576;

class Notes extends Resource {
  paths = ["/notes"] as const;

  static PUT = { content: json(z.array(z.string()), { maxBytes: 100 }), 204: "Stored" };
  PUT(): void {}

  static POST = { 204: "Stored" };
  POST(): void {}

  static PATCH = { content: lines(z.string(), { maxBytes: 3 * mebibyte }), 204: "Stored" };
  PATCH(): void {}
}

class Plain extends NativeResource {
  paths = ["/plain"];
  POST(): Response {
    return new Response("plain");
  }
}

/** Content in parts of 64 KiB, which counts what was asked of it. */
function counting(length: number): {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly read: () => number;
} {
  let read = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (read >= length) return controller.close();
        read += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

/** By way: a function that reads a clone, and gives how many bytes it had. */
const ways: Readonly<Record<string, (request: Request) => Promise<number>>> = {
  "text()": async (request) => (await request.clone().text()).length,
  "arrayBuffer()": async (request) => (await request.clone().arrayBuffer()).byteLength,
  "a reader": async (request) => {
    let length = 0;
    for (const reader = request.clone().body!.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return length;
      length += value.byteLength;
    }
  },
  "a clone of a clone": async (request) => (await request.clone().clone().text()).length,
};

class Audit extends Middleware {
  static way = ways["text()"]!;
  static seen: number | null = null;

  async ALL(request: Request): Promise<globalThis.Response> {
    Audit.seen = null;
    Audit.seen = await Audit.way(request);
    return this.next(request) as Promise<globalThis.Response>;
  }
}

const around = Application.builder().resources(Notes, Plain).middleware(Audit).build();
const inside = Application.builder()
  .resources(
    ResourceGroup.builder()
      .resources(Notes)
      .middleware(timeout({ timeoutMs: 60_000 }), Audit)
      .build(),
  )
  .build();

async function sent(
  app: { fetch(request: Request): Promise<globalThis.Response> },
  method: string,
  length: number,
  path = "/notes",
): Promise<[status: number, detail: string | undefined, read: number]> {
  const { body, read } = counting(length);
  const headers = { "content-type": method === "PATCH" ? "application/jsonl" : "application/json" };
  const request = new Request(`http://localhost${path}`, { method, headers, body, duplex: "half" } as RequestInit);
  const response = await app.fetch(request);
  const text = await response.text();
  return [response.status, text.startsWith("{") ? (JSON.parse(text) as { detail?: string }).detail : text, read()];
}

describe.each(Object.entries(ways))("C8.11 a clone read by %s", (_name, way) => {
  it.each([
    ["the application", around],
    ["a resource, inside timeout()", inside],
  ])("is bounded as the operation is, in middleware around %s", async (_where, app) => {
    Audit.way = way;
    const [status, detail, read] = await sent(app, "PUT", 80 * mebibyte);
    expect([status, detail]).toEqual([413, "The content is longer than 100 bytes"]);
    expect(read).toBeLessThan(mebibyte);
    expect(Audit.seen).toBe(null);
  });
});

describe("C8.11 a clone", () => {
  it("is bounded by 1 MiB where the operation takes no content, or there is none", async () => {
    Audit.way = ways["text()"]!;
    for (const [method, path] of [
      ["POST", "/notes"],
      ["DELETE", "/notes"],
      ["POST", "/nowhere"],
    ] as const) {
      const [status, detail, read] = await sent(around, method, 80 * mebibyte, path);
      expect([status, detail], `${method} ${path}`).toEqual([413, `The content is longer than ${mebibyte} bytes`]);
      expect(read).toBeLessThan(2 * mebibyte);
    }
    expect((await sent(around, "POST", mebibyte))[0]).toBe(204);
    expect(Audit.seen).toBe(mebibyte);
  });

  it("is as long as lines may be", async () => {
    Audit.way = ways["text()"]!;
    expect((await sent(around, "PATCH", 3 * mebibyte))[0]).toBe(204);
    expect(Audit.seen).toBe(3 * mebibyte);
    expect((await sent(around, "PATCH", 4 * mebibyte))[0]).toBe(413);
  });

  it("is not read where Content-Length says more", async () => {
    let detail = "";
    Audit.way = async (request) => {
      await request.clone().body!.cancel();
      const clone = request.clone();
      await clone.text().catch((error: Error) => (detail = error.message));
      return 0;
    };
    const body = JSON.stringify(["x".repeat(200)]);
    const headers = { "content-type": "application/json", "content-length": String(body.length) };
    const response = await around.fetch(new Request("http://localhost/notes", { method: "PUT", headers, body }));
    expect([response.status, detail]).toEqual([413, "The content is longer than 100 bytes"]);
  });

  it("has the content of the request, which has it still, and none where there is none", async () => {
    Audit.way = async (request) => {
      const [once, twice] = [request.clone(), request.clone()];
      return (await once.text()).length + (await twice.text()).length;
    };
    const headers = { "content-type": "application/json" };
    for (let time = 0; time < 2; time++) {
      const request = new Request("http://localhost/notes", { method: "PUT", headers, body: '["ab"]' });
      expect((await around.fetch(request)).status).toBe(204);
      expect(Audit.seen).toBe(12);
    }
    expect((await around.request("/notes", { method: "POST" })).status).toBe(204);
    expect(Audit.seen).toBe(0);
  });

  it("is bounded as the application says to which a request came last", async () => {
    const request = new Request("http://localhost/notes", { method: "PUT", body: "x".repeat(200) });
    Audit.way = async () => 0;
    await around.handle(request).catch(() => {});
    const wider = Application.builder()
      .resources(
        class extends Notes {
          static override PUT = { content: json(z.array(z.string()), { maxBytes: 1_000 }), 204: "Stored" };
        },
      )
      .middleware(Audit)
      .build();
    Audit.way = ways["text()"]!;
    await wider.handle(request).catch(() => {});
    expect(Audit.seen).toBe(200);
  });

  it("is not bounded of a resource of the native module, which declares nothing", async () => {
    Audit.way = ways["text()"]!;
    expect((await sent(around, "POST", 2 * mebibyte, "/plain"))[1]).toBe("plain");
    expect(Audit.seen).toBe(2 * mebibyte);
  });

  it("is none of an object without clone()", async () => {
    Audit.way = async () => 0;
    const input = { url: "http://localhost/notes", method: "POST", headers: new Headers() };
    expect((await around.handle(input)).status).toBe(204);
  });
});
