import { Application, HTTPError, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";
import { errorFieldsOf } from "./application.ts";
import { standIn } from "./stand-in.ts";

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

/** Middleware that passes on what `make` makes of the input, at once or after an await. */
function passing(make: (input: Handled) => unknown, isLate = false): MiddlewareClass {
  return class Passing extends Middleware {
    override ALL(input: Handled): unknown {
      return isLate ? Promise.resolve().then(() => this.next(make(input))) : this.next(make(input));
    }
  };
}

function inside(...classes: MiddlewareClass[]) {
  const group = ResourceGroup.builder()
    .resources(Item)
    .middleware(...classes)
    .build();
  return Application.builder().resources(group, Other).build();
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

  it("takes them away without middleware, too, and gives those of this call where the method is not implemented", async () => {
    const app = within();
    const input = get("/item/7") as { url: string; method: string; params?: { pattern: string } };
    await app.handle(input);
    Object.assign(input, { url: "/static", method: "GE" });
    expect([await statusOf(app.handle(input)), input.params?.pattern]).toEqual([501, "/static"]);
    input.url = "/nothing";
    expect([await statusOf(app.handle(input)), input.params]).toEqual([404, undefined]);
  });

  it("gives middleware of the application a frozen input of no path as it is", async () => {
    const app = within(passing((input) => input));
    expect(await statusOf(app.handle(Object.freeze(get("/nothing"))))).toBe(404);
    expect(await statusOf(app.handle(Object.freeze(get())))).toBeInstanceOf(TypeError);
  });

  it("adds nothing to another input either, where there are no params", async () => {
    const other = get("/nothing");
    expect(await statusOf(within(passing(() => other)).handle(get("/nothing")))).toBe(404);
    expect("params" in other).toBe(false);
  });
});

describe("another input, passed on by middleware of a resource", () => {
  it("has the params of the one that came in, at once whatever its path", async () => {
    expect(await inside(passing(() => get("/other/8"))).handle(get())).toEqual(["GET", "/item/:id", "7"]);
    expect(await inside(passing(() => get("not a path"))).handle(get())).toEqual(["GET", "/item/:id", "7"]);
  });

  it("has them late if it brings them along", async () => {
    const bring = (input: Handled): unknown => ({ url: "/other/8", method: "PUT", params: input.params });
    expect(await inside(passing(bring, true)).handle(get())).toEqual(["PUT", "/item/:id", "7"]);
    const forged = passing(({ url, method }) => ({ url, method, params: { pathParam: () => "forged" } }), true);
    expect(await inside(forged).handle(get())).toEqual(["GET", "/item/:id", "7"]);
  });

  it("has them late if it stands in for the one that came in", async () => {
    const replace = (input: Handled): unknown => {
      const other = get("/other/8", "PUT");
      standIn(other, input);
      return other;
    };
    expect(await inside(passing(replace, true)).handle(get())).toEqual(["PUT", "/item/:id", "7"]);
  });

  it("C2.3 belongs to the call in which what it stands in for came in last", async () => {
    class Old extends Resource {
      override paths = ["/old/:id"];
      override async GET(input: Handled): Promise<unknown> {
        const id = input.params.pathParam("id");
        await Promise.resolve();
        return app.handle(Object.assign(input, { url: `/item/${id}` }));
      }
    }
    let left = 9;
    const replacing = passing((input) => {
      if (left-- === 0) throw new Error("This goes on for ever");
      const other = { ...input };
      standIn(other, input);
      return other;
    }, true);
    const app = Application.builder().resources(Old, Item).middleware(replacing).build();
    expect(await app.handle(get("/old/7"))).toEqual(["GET", "/item/:id", "7"]);
  });

  it("C5.7 leaves error fields with the call of the application that it came into", async () => {
    const replacing = passing((input) => {
      const other = { ...input };
      standIn(other, input);
      return other;
    }, true);
    class Marking extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        await Promise.resolve();
        this.errorFields(input).set("x-mark", "1");
        return this.next(input);
      }
    }
    const inner = within(replacing, Marking);
    let given: object = {};
    class Mount extends Resource {
      override paths = ["/item/:id"];
      override GET(input: Handled): unknown {
        return inner.handle((given = input));
      }
    }
    await Application.builder().resources(Mount).middleware(replacing).build().handle(get());
    expect(errorFieldsOf(inner, given)?.get("x-mark")).toBe("1");
  });

  it("late and without anything is refused, unless its own path leads to the same resource", async () => {
    const late = (url: string) => statusOf(inside(passing(() => get(url), true)).handle(get()));
    expect(await late("/item/8")).toEqual(["GET", "/item/:id", "8"]);
    const message =
      "Cannot continue after next() of Passing: the path of the other input does not lead to Item; " +
      "copy params to it from the input that came in";
    for (const url of ["/other/8", "/nothing", "*"]) expect(await late(url)).toEqual(new TypeError(message));
  });

  it("is refused if it is of a kind that no input is", async () => {
    const app = inside(passing(() => ({ url: "/item/8" })));
    expect(await statusOf(app.handle(get()))).toEqual(
      new TypeError(
        'Cannot handle the input: expected an object with strings "url" and "method", its "method" is undefined',
      ),
    );
    const late = inside(passing(() => ({ url: 5, method: "GET" }), true));
    expect(await statusOf(late.handle(get()))).toBeInstanceOf(TypeError);
  });

  it("decides by its method, one that is none of the nine included", async () => {
    for (const isLate of [false, true]) {
      const app = inside(passing((input) => ({ ...input, method: "PURGE" }), isLate));
      expect(await statusOf(app.handle(get()))).toBe(501);
    }
    expect(await statusOf(inside(passing(() => get("/item/7", "PURGE"), true)).handle(get()))).toBe(501);
  });

  it("is known from then on: passed on again it is the same call", async () => {
    const other = get("/item/8");
    const same = vi.fn();
    const app = inside(
      passing(() => other),
      class extends Middleware {
        override ALL(input: object): unknown {
          same(this.errorFields(input) === this.errorFields(other), input === other);
          return this.next(input);
        }
      },
    );
    expect(await app.handle(get())).toEqual(["GET", "/item/:id", "7"]);
    expect(same.mock.calls).toEqual([[true, true]]);
  });
});

describe("another input, used for several calls", () => {
  it("C5.5 gets the params of each, and goes by its method each time", async () => {
    const own = {} as Handled;
    const app = inside(passing((input) => Object.assign(own, input)));
    expect(await app.handle(get("/item/7", "PUT"))).toEqual(["PUT", "/item/:id", "7"]);
    expect(await app.handle(get("/item/8", "GET"))).toEqual(["GET", "/item/:id", "8"]);
    const canned = get("/nothing");
    const always = within(passing(() => canned));
    expect(await always.handle(get("/item/7"))).toEqual(["GET", "/item/:id", "7"]);
    expect(await always.handle(get("/other/8"))).toEqual(["GET", "/other/:id", "8"]);
    expect(await statusOf(always.handle(get("/nothing")))).toBe(404);
  });

  it("is the same call where it is passed on again later, unless by another method", async () => {
    class Again extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const other = get("/nothing");
        const answers = [this.next(other)];
        await Promise.resolve();
        answers.push(this.next(other));
        Object.assign(other, { method: "DELETE" });
        answers.push(this.next(other));
        return [...answers, input.params.pathParam("id")];
      }
    }
    class Removable extends Resource {
      override paths = ["/removable/:id"];
      override GET({ params }: Handled): unknown {
        return `got ${params.pathParam("id")}`;
      }
      override DELETE({ params }: Handled): unknown {
        return `deleted ${params.pathParam("id")}`;
      }
    }
    const group = ResourceGroup.builder().resources(Removable).middleware(Again).build();
    const app = Application.builder().resources(group).build();
    expect(await app.handle(get("/removable/7"))).toEqual(["got 7", "got 7", "deleted 7", "7"]);
  });

  it("C5.7 shares error fields with the one whose params it brings along, while that is processed", async () => {
    class Copying extends Middleware {
      override ALL(input: Handled): unknown {
        return this.errorFields({ ...input }) === this.errorFields(input);
      }
    }
    expect(await inside(Copying).handle(get())).toBe(true);
  });
});

describe("another input, passed on while middleware of another call runs", () => {
  it("C5.5 has the params that it brings along", async () => {
    const waiting: (() => void)[] = [];
    class InPairs extends Middleware {
      override ALL(input: Handled): unknown {
        return new Promise((resolve) => {
          waiting.push(() => resolve(this.next({ url: "/x", method: "GET", params: input.params })));
          if (waiting.length === 2) for (const go of waiting.splice(0)) go();
        });
      }
    }
    const app = inside(InPairs);
    const answers = await Promise.all([app.handle(get("/item/7")), app.handle(get("/item/8"))]);
    expect(answers).toEqual(["7", "8"].map((id) => ["GET", "/item/:id", id]));
  });
});

describe("another input, passed on by middleware of the application", () => {
  it("leads where the one that came in leads, by the method of its own", async () => {
    expect(await within(passing(() => get("/other/8", "PUT"))).handle(get())).toEqual(["PUT", "/item/:id", "7"]);
    expect(await statusOf(within(passing(() => get("/other/8", "PURGE"))).handle(get()))).toBe(501);
    expect(await within(passing(() => get("/other/8"))).handle(get("/item/7", "PURGE"))).toEqual([
      "GET",
      "/item/:id",
      "7",
    ]);
  });

  it("leads nowhere if the one that came in does", async () => {
    expect(await statusOf(within(passing(() => get("/item/8"))).handle(get("/nothing")))).toBe(404);
    expect(await statusOf(within(passing(() => get("/item/8"))).handle(get("http://[::1/")))).toBe(400);
    expect(await statusOf(within(passing(() => get("/item/8"))).handle(get(`/${"x".repeat(9000)}`)))).toBe(414);
  });

  it("leads late where its own path does", async () => {
    expect(await within(passing(() => get("/other/8"), true)).handle(get())).toEqual(["GET", "/other/:id", "8"]);
    expect(await statusOf(within(passing(() => get("/nothing"), true)).handle(get()))).toBe(404);
  });

  it("belongs to the middleware that runs, not to one inside that has run", async () => {
    const calls: string[] = [];
    class Twice extends Middleware {
      override ALL(input: Handled): unknown {
        const first = this.next(get("/other/8"));
        calls.push(String(first));
        void input;
        return this.next(get("/other/9"));
      }
    }
    expect(
      await within(
        Twice,
        passing((input) => input),
      ).handle(get()),
    ).toEqual(["GET", "/item/:id", "7"]);
    expect(calls).toEqual(["GET,/item/:id,7"]);
  });
});

describe("handle() of an input that middleware of the application made after an await", () => {
  it("C5.5 goes by its path, whatever params it brings along", async () => {
    const elsewhere = (input: Handled): unknown => ({ url: "/other/8", method: "GET", params: input.params });
    expect(await within(passing(elsewhere, true)).handle(get())).toEqual(["GET", "/other/:id", "8"]);
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

describe("errorFieldsOf()", () => {
  it("is what middleware left for an input, null where none ran", async () => {
    const app = inside(
      class extends Middleware {
        override ALL(input: object): unknown {
          this.errorFields(input).set("x-a", "1");
          return this.next(input);
        }
      },
    );
    const [guarded, free] = [get(), get("/other/8")];
    await Promise.all([app.handle(guarded), app.handle(free)]);
    expect(errorFieldsOf(app, guarded)?.get("x-a")).toBe("1");
    expect(errorFieldsOf(app, free)).toBeNull();
  });
});
