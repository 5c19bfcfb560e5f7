import { Application, HTTPError, Middleware, Resource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";

type MiddlewareClass = new () => Middleware;

const get = (url = "/item/7", method = "GET"): Handled => ({ url, method }) as Handled;

const answer = (input: Handled): unknown => [input.method, input.params.pattern, input.params.pathParam("id")];

class Item extends Resource {
  override paths = ["/item/:id"];
  override GET(input: Handled): unknown {
    return answer(input);
  }
  override PUT(input: Handled): unknown {
    return answer(input);
  }
}
class Other extends Resource {
  override paths = ["/other/:id", "/static"];
  override GET(input: Handled): unknown {
    return answer(input);
  }
}

function within(...classes: MiddlewareClass[]) {
  return Application.builder()
    .resources(Item, Other)
    .middleware(...classes)
    .build();
}

const statusOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error instanceof HTTPError ? error.status : error));

describe("handle()", () => {
  it("takes away the params of an earlier call if the path matches nothing", async () => {
    const seen: unknown[] = [];
    const app = within(
      class extends Middleware {
        override ALL(input: Handled): unknown {
          seen.push("params" in input, input.params);
          return this.next(input);
        }
      },
    );
    const input = { url: "/item/7", method: "GET" } as { url: string; method: string };
    await app.handle(input);
    input.url = "/nothing";
    expect(await statusOf(app.handle(input))).toBe(404);
    expect(await statusOf(app.handle({ url: "/nothing", method: "GET" }))).toBe(404);
    expect(seen).toEqual([true, expect.anything(), true, undefined, false, undefined]);
  });

  it("removes them without middleware, too, and sets params if the method is not implemented", async () => {
    const app = within();
    const input = get("/item/7") as { url: string; method: string; params?: { pattern: string } };
    await app.handle(input);
    Object.assign(input, { url: "/static", method: "GE" });
    expect([await statusOf(app.handle(input)), input.params?.pattern]).toEqual([501, "/static"]);
    input.url = "/nothing";
    expect([await statusOf(app.handle(input)), input.params]).toEqual([404, undefined]);
  });

  it("passes a frozen input of no path to middleware of the application as it is", async () => {
    class Passing extends Middleware {
      override ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    const app = within(Passing);
    expect(await statusOf(app.handle(Object.freeze(get("/nothing"))))).toBe(404);
    expect(await statusOf(app.handle(Object.freeze(get())))).toBeInstanceOf(TypeError);
  });
});

describe("match()", () => {
  it("names the pattern that matched, of several", () => {
    expect(within().match(get("/static")).pattern?.source).toBe("/static");
    expect(within().match(get("/other/7")).pattern?.source).toBe("/other/:id");
  });

  it("reads params of every kind, and says so if one cannot be decoded", () => {
    const app = within();
    expect(app.match(get("/item/a%2Fb"))).toMatchObject({ matched: true, params: { id: "a/b" } });
    expect(app.match(get("/item/%ff"))).toMatchObject({
      matched: false,
      status: { status: 400 },
      reason: "A path param is not valid percent-encoded UTF-8",
      resource: { name: "Item" },
      pattern: { source: "/item/:id" },
    });
    expect(app.match(get("/static", "X".repeat(100)))).toMatchObject({
      status: { status: 501 },
      reason: `Other does not implement ${"X".repeat(80)}`,
    });
  });

  it("says why no pattern matches, with the status that handle() throws", async () => {
    const app = within(class Around extends Middleware {});
    const of = async (url: string): Promise<unknown> => {
      const found = app.match(get(url));
      expect(await statusOf(app.handle(get(url)))).toBe(found.matched ? 200 : found.status.status);
      return found.matched ? found : [found.status.status, found.reason];
    };
    expect(await of("/nothing")).toEqual([404, "No pattern matches the path"]);
    expect(await of("*")).toEqual([404, "The URL has no path: it is neither absolute nor begins with a slash"]);
    expect(await of("http://[::1/")).toEqual([400, "The URL cannot be parsed"]);
    expect(await of(`/${"x".repeat(8192)}`)).toEqual([414, "The path is longer than 8,192 characters"]);
  });

  it("reads an absolute URL of any scheme as handle() does", async () => {
    const app = within();
    for (const url of ["https://h/item/7", "blob:http://h/item/7", "file:///item/7", "x:/item/7"]) {
      const decision = app.match(new Request(url));
      expect([decision.matched, decision.pattern?.source ?? null], url).toEqual(
        (await statusOf(app.handle(new Request(url)))) === 404 ? [false, null] : [true, "/item/:id"],
      );
    }
  });
});

describe("resources", () => {
  it("is made once, in the order of registration", () => {
    const app = within();
    expect(app.resources).toBe(app.resources);
    expect(app.resources.map(({ name }) => name)).toEqual(["Item", "Other"]);
  });
});
