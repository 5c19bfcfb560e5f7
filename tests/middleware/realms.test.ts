// Values of another realm pass every middleware, and the server of Node: Vitest with jsdom, Jest and node:vm make such
// values.
import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { Application, bytes, Resource, type Answer } from "fingerpost";
import { serve } from "fingerpost/node";
import { afterEach, describe, expect, it } from "vitest";
import { foreign } from "../support/foreign.ts";
import { nativeAround, requestFor, type NativeInput } from "./around.ts";
import { rows, textOf } from "./table.ts";

/** Bytes that are no instance of our `Uint8Array`. */
function foreignBytes(from: string): Uint8Array<ArrayBuffer> {
  const given = runInNewContext("new Uint8Array(units)", {
    units: Array.from(new TextEncoder().encode(from)),
  }) as unknown;
  expect(given).not.toBeInstanceOf(Uint8Array);
  return given as Uint8Array<ArrayBuffer>;
}

function streamOf(...parts: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(foreignBytes(part));
      controller.close();
    },
  });
}

/** Fields of a class that is not the platform's. */
class ForeignHeaders {
  readonly #own: Headers;
  constructor(init: Readonly<Record<string, string>>) {
    this.#own = new Headers(init);
  }
  get(name: string): string | null {
    return this.#own.get(name);
  }
  has(name: string): boolean {
    return this.#own.has(name);
  }
  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#own[Symbol.iterator]();
  }
}

/** A request of a class that is not the platform's, as those of jsdom, undici and servers are. */
class ForeignRequest {
  readonly url = "http://localhost/items";
  readonly method = "PUT";
  readonly headers: ForeignHeaders;
  readonly signal: AbortSignal;
  readonly body = foreign(streamOf("con", "tent"));
  readonly bodyUsed = false;
  constructor(headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    this.headers = new ForeignHeaders(headers);
    this.signal = foreign(signal);
  }
  text(): Promise<string> {
    return new Response(this.body as BodyInit).text();
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

describe.each(rows)("$name", ({ middleware, headers = {} }) => {
  const around = (handler: (request: NativeInput) => unknown): ReturnType<typeof nativeAround> =>
    nativeAround(middleware, handler, (error) => {
      throw error;
    });

  it("passes on bytes of another realm in a response", async () => {
    const init = { headers: { "content-type": "text/plain" } };
    for (const body of [streamOf("a", "bc"), foreignBytes("abc")]) {
      const response = await around(() => new Response(body, init)).fetch(requestFor({ headers }));
      expect(await textOf(response)).toBe("abc");
    }
  });

  it("passes on bytes of another realm in a request", async () => {
    const app = around(async (request) => new Response(await request.text()));
    const init: RequestInit & { readonly duplex: "half" } = {
      method: "PUT",
      body: streamOf("con", "tent"),
      duplex: "half",
    };
    expect(await textOf(await app.fetch(requestFor({ ...init, headers })))).toBe("content");
  });

  it("passes on a request of another realm, with its content and its signal", async () => {
    const client = new AbortController();
    const reasons: unknown[] = [];
    const app = around(async (request) => {
      request.signal.addEventListener("abort", () => void reasons.push(request.signal.reason));
      return new Response(await request.text());
    });
    const given = new ForeignRequest(headers, client.signal) as unknown as Request;
    expect(await textOf(await app.fetch(given))).toBe("content");
    client.abort("left");
    expect(reasons).toEqual(["left"]);
  });
});

describe("declared answers", () => {
  const date = runInNewContext("new Date(0)") as Date;
  class Image extends Resource {
    paths = ["/image/:kind"] as const;
    validator() {
      return { lastModified: date };
    }
    static GET = { 200: bytes("image/png") };
    GET({ path }: { readonly path: { readonly kind: string } }): Answer<typeof Image, "GET"> {
      const { buffer } = foreignBytes("png");
      return { bytes: foreignBytes("png"), buffer, stream: foreign(streamOf("png")) }[path.kind]!;
    }
  }
  const app = Application.builder()
    .resources(Image)
    .onError((error) => void console.error(error))
    .build();

  it.each(["bytes", "buffer", "stream"])("take %s of another realm", async (kind) => {
    const response = await app.request(`/image/${kind}`);
    expect([response.status, response.headers.get("last-modified"), await response.text()]).toEqual([
      200,
      "Thu, 01 Jan 1970 00:00:00 GMT",
      "png",
    ]);
  });
});

describe("serve()", () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it("sends bytes of another realm", async () => {
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      const init = { headers: { "content-type": "text/plain" } };
      return pathname === "/whole"
        ? new Response(foreignBytes("whole"), init)
        : new Response(streamOf("a", "b", "c"), init);
    };
    const server = await serve({ fetch }, { port: 0 });
    ends.push(() => stopped(server));
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    expect(await (await globalThis.fetch(`${origin}/whole`)).text()).toBe("whole");
    expect(await (await globalThis.fetch(`${origin}/parts`)).text()).toBe("abc");
  });
});

it("is asked by any-realm.ts alone", () => {
  // A class of the language or the Web knows no value of another realm. The command line reads no such values.
  const apart = /^cli|\.test\.ts$|any-realm\.ts$/;
  const asks =
    /instanceof (?:Array|ArrayBuffer|Blob|Date|Error|File|FormData|Headers|Map|Promise|ReadableStream|RegExp|Uint8Array|URL)\b/;
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !apart.test(file),
  );
  const found = files.flatMap((file) =>
    readFileSync(`src/${file}`, "utf8")
      .split("\n")
      .filter((line) => asks.test(line) && !/^\s*(?:\*|\/\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

function stopped(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
