// C2.3: what an input was routed by is read once. A getter that says something else the second time leads no guard
// astray.
import { idempotency } from "fingerpost/idempotency";
import { memoryRecords } from "fingerpost/stores";
import { describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { nativeAround } from "./around.ts";
import { rows } from "./table.ts";

/** An input whose URL and method are something else when they are read again. */
function changing(headers: Readonly<Record<string, string>> = {}): {
  readonly input: object;
  readonly reads: string[];
} {
  const reads: string[] = [];
  const input = {
    headers: new Headers(headers),
    signal: new AbortController().signal,
    body: null,
    get url() {
      return reads.push("url") > 0 && reads.filter((name) => name === "url").length > 1
        ? "http://localhost/elsewhere"
        : "http://localhost/items";
    },
    get method() {
      return reads.push("method") > 0 && reads.filter((name) => name === "method").length > 1 ? "DELETE" : "GET";
    },
  };
  return { input, reads };
}

const all: readonly { readonly name: string; readonly middleware: MiddlewareClass; readonly headers?: object }[] = [
  ...rows,
  { name: "idempotency", middleware: idempotency({ store: memoryRecords(), ownerOf: () => "everyone" }) },
];

describe.each(all)("$name", ({ middleware, headers }) => {
  it("C2.3 reads neither url nor method again", async () => {
    const { input, reads } = changing(headers as Readonly<Record<string, string>>);
    const seen: unknown[] = [];
    const app = nativeAround(middleware, (request) => {
      const count = reads.length;
      // What goes on in place of the input has what was read.
      if ((request as object) !== input) seen.push(request.method, request.url, reads.length - count);
      return new Response("reached");
    });
    const response = (await app.handle(input as Request)) as Response;
    expect(response.status).toBe(200);
    expect(reads.toSorted()).toEqual(["method", "url"]);
    if (seen.length > 0) expect(seen).toEqual(["GET", "http://localhost/items", 0]);
  });
});

it("C5.4 leads to the handler of the method that guards have seen, of a class with getters", async () => {
  class Context {
    readonly headers = new Headers();
    #reads = 0;
    get url(): string {
      return "http://localhost/items";
    }
    get method(): string {
      return this.#reads++ === 0 ? "GET" : "DELETE";
    }
  }
  const { timeout } = await import("fingerpost/middleware/timeout");
  const app = nativeAround(timeout({ timeoutMs: 10_000 }), ({ method, url }) => new Response(`${method} ${url}`));
  expect(await ((await app.handle(new Context() as never)) as Response).text()).toBe("GET http://localhost/items");
});
