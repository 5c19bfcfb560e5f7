import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { Application, readInput, Resource } from "fingerpost";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { errorResponse } from "../../src/dispatch/error-response.ts";
import { holds, runs, timeout } from "./runs.ts";

const form = z.object({ n: z.int().optional(), tags: z.array(z.string().max(3)).optional() });
const declared = {
  path: z.object({ id: z.int() }),
  query: z.object({ n: z.int().optional(), is: z.boolean().optional(), all: z.array(z.int()).optional() }),
  headers: z.object({ "x-count": z.int().max(9).optional() }),
  cookies: z.object({ theme: z.enum(["dark", "light"]).optional() }),
  content: { "application/json": form, "application/x-www-form-urlencoded": form },
  200: z.any(),
};

class Own extends Resource {
  override paths = ["/:id"];
  static POST = declared;
  override POST({ path, query, headers, cookies, content }: Record<string, unknown>): unknown {
    return { path, query, headers, cookies, content };
  }
}

class Native extends native.Resource {
  override paths = ["/:id"];
  override async POST(request: native.RequestOf): Promise<Response> {
    return Response.json(await readInput(request, declared));
  }
}

class Polyfill extends polyfill.Resource {
  override paths = ["/:id"];
  override POST(context: polyfill.ContextOf): Promise<unknown> {
    return readInput(context, declared);
  }
}

const own = Application.builder().resources(Own).build();
const ofNative = native.Application.builder().resources(Native).build();
const ofPolyfill = polyfill.Application.builder().resources(Polyfill).build();

const value = fc.constantFrom("5", "-1", "05", "1e2", "x", "", "true", "9007199254740993", "%ff", "dark");
const pairs = fc
  .array(fc.tuple(fc.constantFrom("n", "is", "all", "tags", "__proto__"), value), { maxLength: 4 })
  .map((all) => all.map((pair) => pair.join("=")).join("&"));
const requests = fc.record({
  id: fc.constantFrom("5", "x", "05", "%20"),
  query: pairs,
  count: fc.option(fc.constantFrom("3", "10", "x", ""), { nil: undefined }),
  theme: fc.option(fc.constantFrom("dark", "pink"), { nil: undefined }),
  type: fc.option(
    fc.constantFrom(
      "application/json",
      "application/json;charset=utf-8",
      "application/x-www-form-urlencoded",
      "text/csv",
      "application/json;charset=latin1",
    ),
    { nil: undefined },
  ),
  body: fc.oneof(pairs, fc.json(), fc.constantFrom('{"n":5}', '{"n":"5"}', '{"tags":["long one"]}', "{", "\ud800")),
});

describe("a declaration", () => {
  it("reads the same, and gives the same errors, in all three chains", { timeout }, async () => {
    const seen = new Set<number>();
    await holds(
      fc.asyncProperty(requests, async ({ id, query, count, theme, type, body }) => {
        const headers = new Headers();
        if (count !== undefined) headers.set("x-count", count);
        if (theme !== undefined) headers.set("cookie", `theme=${theme}`);
        if (type !== undefined) headers.set("content-type", type);
        const make = (): Request =>
          new Request(`http://localhost/${id}?${query}`, {
            method: "POST",
            headers,
            body: new TextEncoder().encode(body),
          });
        const expected = await toldBy(await own.fetch(make()));
        expect(await toldBy(await ofNative.fetch(make()))).toEqual(expected);
        const { method, url } = make();
        const context = { method, url: url.slice("http://localhost".length), request: make() };
        const answer = await ofPolyfill.handle(context).then(
          (read) => Response.json(read),
          (error: unknown) => errorResponse(error, null, {}),
        );
        expect(await toldBy(answer)).toEqual(expected);
        seen.add(expected.status);
      }),
      Math.min(runs, 1000),
    );
    if (runs >= 1000) expect([...seen].toSorted((a, b) => a - b)).toEqual([200, 400, 404, 415, 422]);
  });
});

async function toldBy(response: Response): Promise<{ status: number; accept: string | null; content: unknown }> {
  return { status: response.status, accept: response.headers.get("accept"), content: await response.json() };
}
