import {
  Application,
  HTTPError,
  Middleware,
  Resource,
  ResourceGroup,
  Status,
} from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";
import { errorFieldsOf } from "./application.ts";

type MiddlewareClass = new () => Middleware;

const get = (url: string, method = "GET"): Handled => ({ url, method }) as Handled;
const answer = ({ method, params }: Handled): unknown => `${method} ${params.pathParam("id") ?? params.pattern}`;
const copyOf = ({ url, method, params }: Handled): Handled => ({ url, method, params }) as Handled;

class Note extends Resource {
  override paths = ["/notes/:id", "/notes"];
  override GET = answer;
  override DELETE = answer;
}
class Stats extends Resource {
  override paths = ["/stats"];
  override GET = answer;
}

const around = (...classes: MiddlewareClass[]) =>
  Application.builder()
    .resources(Note, Stats)
    .middleware(...classes)
    .build();
const aroundEach = (...classes: MiddlewareClass[]) => {
  const group = ResourceGroup.builder().resources(Note, Stats);
  return Application.builder()
    .resources(group.middleware(...classes).build())
    .build();
};

/** What queues callbacks until there are as many, and calls all of them where the last one comes. */
function gathering(count: number): (goOn: () => void) => void {
  const waiting: (() => void)[] = [];
  return (goOn) => {
    if (waiting.push(goOn) === count) for (const next of waiting.splice(0)) next();
  };
}

/** Middleware that holds inputs until there are as many, and passes on all of them in the call of the last. */
function holding(count: number, make: (input: Handled) => unknown): MiddlewareClass {
  const gather = gathering(count);
  return class extends Middleware {
    override ALL(input: Handled): unknown {
      return new Promise((resolve) => gather(() => resolve(new Promise((done) => done(this.next(make(input)))))));
    }
  };
}

/** Writes the URL of the input that it is given into the fields for errors. */
class Stamp extends Middleware {
  override ALL(input: Handled): unknown {
    this.errorFields(input).append("x-stamp", input.url);
    return this.next(input);
  }
}

class Replacing extends Middleware {
  override ALL({ url, method }: Handled): unknown {
    return this.next({ url, method });
  }
}

/** What middleware of the application left for errors of an input. */
const leftFor = (app: Application, input: object): string | null => errorFieldsOf(app, input)?.get("x-left") ?? null;

const both = (app: Application, one: string, other: string): Promise<unknown[]> =>
  Promise.all([app.handle(get(one)), app.handle(get(other))]);

describe("an input that outer middleware passed on", () => {
  it("goes on for the call that it was given for, released in that of another", async () => {
    const kept = (input: Handled): unknown => input;
    for (const app of [around(Replacing, holding(2, kept)), aroundEach(Replacing, holding(2, kept))])
      expect(await both(app, "/notes/7", "/notes/8")).toEqual(["GET 7", "GET 8"]);
    expect(await both(around(Replacing, holding(2, kept)), "/notes/7", "/stats")).toEqual(["GET 7", "GET /stats"]);
  });

  it("goes on for that also if outer middleware has passed it on for another since, which did not come as far", async () => {
    const shared = {} as { url: string; method: string };
    class Shared extends Middleware {
      override ALL({ url, method }: Handled): unknown {
        return this.next(Object.assign(shared, { url, method }));
      }
    }
    class Closed extends Middleware {
      override ALL(input: Handled): unknown {
        return input.params.pathParam("id") === "8" ? "closed" : this.next(input);
      }
    }
    class Late extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        await Promise.resolve();
        this.errorFields(input).set("x-late", "1");
        return this.next(input);
      }
    }
    const app = around(Shared, Closed, Late);
    const [one, other] = [get("/notes/7"), get("/notes/8")];
    const first = app.handle(one);
    expect(await app.handle(other)).toBe("closed");
    expect(await first).toBe("GET 7");
    expect([one, other].map((input) => errorFieldsOf(app, input)?.get("x-late") ?? null)).toEqual(["1", null]);
  });

  it("does so by the method that it has now", async () => {
    const deleting = (input: Handled): unknown => Object.assign(input, { method: "DELETE" });
    for (const app of [around(Replacing, holding(2, deleting)), aroundEach(Replacing, holding(2, deleting))])
      expect(await both(app, "/notes/7", "/notes/8")).toEqual(["DELETE 7", "DELETE 8"]);
  });
});

describe("an input that another application handled meanwhile", () => {
  it("C2.3 has the params of its call again when that goes on", async () => {
    class Anything extends Resource {
      override paths = ["/:anything*"];
      override GET = ({ params }: Handled): unknown => params.pathParam("anything");
    }
    const other = Application.builder().resources(Anything).build();
    class Guard extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        return [await other.handle(input), await this.next(input)];
      }
    }
    for (const app of [around(Guard), aroundEach(Guard), around(Replacing, Guard), aroundEach(Replacing, Guard)])
      expect(await app.handle(get("/notes/7"))).toEqual(["notes/7", "GET 7"]);
    const input = get("/nowhere");
    await expect(around(Guard).handle(input)).rejects.toMatchObject({ status: 404 });
    expect(input.params).toBeUndefined();
  });

  it("tells nothing by the params of that one, but by its path", async () => {
    const params = {} as { of?: unknown };
    class Keeping extends Middleware {
      override ALL(input: Handled): unknown {
        params.of = input.params;
        return this.next(input);
      }
    }
    await around(Keeping).handle(get("/stats"));
    class Foreign extends Middleware {
      override async ALL({ url, method }: Handled): Promise<unknown> {
        return this.next({ url, method, params: params.of });
      }
    }
    expect(await aroundEach(Foreign).handle(get("/notes/7"))).toBe("GET 7");
    expect(await around(Foreign).handle(get("/notes/7"))).toBe("GET 7");
  });
});

describe("an input with copied params", () => {
  it("belongs to the call that they are of, released in that of another, also where no value is in them", async () => {
    const app = aroundEach(holding(2, copyOf), Stamp);
    const inputs = [get("/notes"), get("/notes?b")];
    await Promise.all(inputs.map((input) => app.handle(input)));
    expect(inputs.map((input) => errorFieldsOf(app, input)?.get("x-stamp"))).toEqual(["/notes", "/notes?b"]);
  });

  it("belongs to it also when it is passed on again, in the call of another", async () => {
    const app = aroundEach(
      class extends Middleware {
        override async ALL(input: Handled): Promise<unknown> {
          return this.next(input);
        }
      },
      thrice(copyOf),
    );
    expect(await both(app, "/notes/7", "/notes/8")).toEqual([
      ["GET 7", "GET 7", "DELETE 7"],
      ["GET 8", "GET 8", "DELETE 8"],
    ]);
  });

  it.each([false, true])("C5.7 has the fields for errors of the call, passed on after an await: %s", async (isLate) => {
    class Passing extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        if (isLate) await Promise.resolve();
        return this.next(copyOf(input));
      }
    }
    class Closed extends Middleware {
      override ALL(): unknown {
        throw new HTTPError(Status.Gone);
      }
    }
    const nested = [around(Passing, Passing, Stamp, Closed), aroundEach(Passing, Passing, Stamp, Closed)];
    for (const app of [around(Passing, Stamp, Closed), aroundEach(Passing, Stamp, Closed), ...nested]) {
      for (const path of ["/notes/7", "/notes"]) {
        const input = get(path);
        await expect(app.handle(input)).rejects.toMatchObject({ status: 410 });
        expect(errorFieldsOf(app, input)?.get("x-stamp")).toBe(path);
      }
    }
  });

  it("belongs to it also if it was passed on before without any", async () => {
    const shared = {} as { url: string; method: string; params?: unknown };
    let isCopied = false;
    const gather = gathering(2);
    class Shared extends Middleware {
      override ALL({ url, method, params }: Handled): unknown {
        const passOn = (): unknown => this.next(Object.assign(shared, { url, method, ...(isCopied && { params }) }));
        return isCopied ? new Promise((resolve) => gather(() => resolve(passOn()))) : passOn();
      }
    }
    const app = aroundEach(Shared);
    expect(await app.handle(get("/notes/6"))).toBe("GET 6");
    isCopied = true;
    expect(await both(app, "/notes/7", "/notes/8")).toEqual(["GET 7", "GET 8"]);
  });

  it("matches nothing if that is what was copied, released in the call of another", async () => {
    const app = around(holding(2, copyOf), Stamp);
    const inputs = [get("/nowhere", "DELETE"), get("/notes/7")];
    const [missed, found] = await Promise.allSettled(inputs.map((input) => app.handle(input)));
    expect(missed).toMatchObject({ status: "rejected", reason: { status: 404 } });
    expect(found).toEqual({ status: "fulfilled", value: "GET 7" });
    expect(inputs.map((input) => errorFieldsOf(app, input)?.get("x-stamp") ?? null)).toEqual([null, "/notes/7"]);
    const others = [get("/a"), get("/b")];
    await Promise.allSettled(others.map((input) => app.handle(input)));
    expect(others.map((input) => errorFieldsOf(app, input)?.get("x-stamp") ?? null)).toEqual([null, "/b"]);
    const shared = {};
    const sharing = around(holding(2, (input) => Object.assign(shared, copyOf(input))));
    const misses = ["/a", "/b"].map((path) => sharing.handle(get(path)).catch((error: HTTPError) => error.status));
    expect(await Promise.all(misses)).toEqual([404, 404]);
  });

  it("has them again if the same object is passed on without", async () => {
    const bare = { url: "/notes/7", method: "GET" } as { params?: unknown };
    class Twice extends Middleware {
      override ALL(): unknown {
        const first = this.next(bare);
        delete bare.params;
        const second = this.next(bare);
        return [first, second, this.next(Object.assign(bare, { params: undefined }))];
      }
    }
    for (const make of [around, aroundEach]) {
      delete bare.params;
      expect(await make(Twice).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7", "GET 7"]);
    }
  });

  it("goes where its path leads each time that they are copied, around the application and late", async () => {
    class Late extends Middleware {
      override async ALL({ params }: Handled): Promise<unknown> {
        await Promise.resolve();
        const other = {};
        const results = [];
        for (const url of ["/notes/8", "/stats", "/notes/9"])
          results.push(await this.next(Object.assign(other, { url, method: "GET", params })));
        return results;
      }
    }
    expect(await around(Late).handle(get("/notes/7"))).toEqual(["GET 8", "GET /stats", "GET 9"]);
  });

  it("keeps its resource around the application, whatever its path, before an await", async () => {
    const elsewhere = (input: Handled): unknown => Object.assign(copyOf(input), { url: "/stats" });
    class Rewriting extends Middleware {
      override ALL(input: Handled): unknown {
        return this.next(elsewhere(input));
      }
    }
    expect(await around(Rewriting).handle(get("/notes/7"))).toBe("GET 7");
  });

  it("goes where its path leads, around the application and late, and is known from then on", async () => {
    const app = around(
      class extends Middleware {
        override async ALL(input: Handled): Promise<unknown> {
          await Promise.resolve();
          const other = Object.assign(copyOf(input), { url: "/notes/8" });
          return [await this.next(other), await this.next(other), other.params.pathParam("id")];
        }
      },
    );
    expect(await app.handle(get("/notes/7"))).toEqual(["GET 8", "GET 8", "8"]);
  });
});

/** Middleware that passes on one copy of each input three times, of two inputs together, all but the first time in the call of the last. */
function thrice(make: (input: Handled) => Handled): MiddlewareClass {
  const gather = gathering(2);
  return class extends Middleware {
    override ALL(input: Handled): unknown {
      const other = make(input);
      const first = this.next(other);
      const again = (method: string): unknown => this.next(Object.assign(other, { method }));
      return new Promise((resolve) => gather(() => resolve([first, again("GET"), again("DELETE")])));
    }
  };
}

describe("an input that was first passed on after an await", () => {
  it("C5.5 decides by its method each time", async () => {
    class Late extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        await Promise.resolve();
        const other = { ...input } as { url: string; method: string };
        const first = await this.next(other);
        other.method = "DELETE";
        return [first, await this.next(other)];
      }
    }
    for (const app of [around(Late), aroundEach(Late)])
      expect(await app.handle(get("/notes/7"))).toEqual(["GET 7", "DELETE 7"]);
  });

  it("C5.5 belongs to the call that runs, where the same object is used for that", async () => {
    for (const make of [around, aroundEach]) {
      const shared = {} as { url: string; method: string };
      let isLate = true;
      class Shared extends Middleware {
        override ALL({ url, method }: Handled): unknown {
          Object.assign(shared, { url, method });
          return isLate ? Promise.resolve().then(() => this.next(shared)) : this.next(shared);
        }
      }
      const app = make(Shared);
      expect(await app.handle(get("/notes/7"))).toBe("GET 7");
      isLate = false;
      expect(await app.handle(get("/notes/8", "DELETE"))).toBe("DELETE 8");
    }
  });

  it("C5.5 goes by its path at another resource than the one that it was passed on to before", async () => {
    const shared = {} as { url: string; method: string; params?: unknown };
    class Shared extends Middleware {
      override async ALL({ url, method }: Handled): Promise<unknown> {
        await Promise.resolve();
        delete shared.params;
        return this.next(Object.assign(shared, { url, method }));
      }
    }
    const app = aroundEach(Shared);
    expect(await app.handle(get("/notes/7"))).toBe("GET 7");
    expect(await app.handle(get("/stats"))).toBe("GET /stats");
  });
});

describe("an input that is passed on a second time, after an await", () => {
  it("goes to the resource that it went to before, wherever its path leads", async () => {
    class Twice extends Middleware {
      override async ALL({ method }: Handled): Promise<unknown> {
        const other = { url: "/stats", method };
        const first = this.next(other);
        await Promise.resolve();
        return [first, this.next(other)];
      }
    }
    for (const app of [around(Twice), aroundEach(Twice)])
      expect(await app.handle(get("/notes/7"))).toEqual(["GET 7", "GET 7"]);
  });

  it("does so if another application has handled it meanwhile", async () => {
    const elsewhere = Application.builder().resources(Stats).build();
    class Twice extends Middleware {
      override async ALL({ method }: Handled): Promise<unknown> {
        const other = { url: "/stats", method };
        const first = this.next(other);
        return [first, await elsewhere.handle(other), this.next(other)];
      }
    }
    for (const app of [around(Twice), aroundEach(Twice)])
      expect(await app.handle(get("/notes/7"))).toEqual(["GET 7", "GET /stats", "GET 7"]);
  });

  it("C5.7 has the fields for errors of the same call where it matches nothing", async () => {
    class Twice extends Middleware {
      override async ALL({ url, method }: Handled): Promise<unknown> {
        const other = { url, method };
        expect(() => this.next(other)).toThrow(HTTPError);
        await Promise.resolve();
        this.errorFields(other).set("x-left", url);
        return this.next(other);
      }
    }
    const [app, input] = [around(Twice), get("/nowhere")];
    await expect(app.handle(input)).rejects.toMatchObject({ status: 404 });
    expect(leftFor(app, input)).toBe("/nowhere");
  });
});

describe("params that are none of an application", () => {
  it("stay on an input that came in, for its handler", async () => {
    class Own extends Middleware {
      override ALL(input: Handled): unknown {
        Object.assign(input, { params: { pathParam: (name: string) => `own ${name}` } });
        return this.next(input);
      }
    }
    for (const app of [around(Own), aroundEach(Own)]) expect(await app.handle(get("/notes/7"))).toBe("GET own id");
  });

  it("tell nothing on another input: it belongs to the call that runs, and has its params", async () => {
    class Own extends Middleware {
      override ALL({ method }: Handled): unknown {
        return this.next({ url: "/stats", method, params: { pathParam: () => "own" } });
      }
    }
    for (const app of [around(Own), aroundEach(Own)]) expect(await app.handle(get("/notes/7"))).toBe("GET 7");
  });
});

describe("one object that is passed on for all requests", () => {
  it("C5.5 belongs to the call that runs, in one application and in another", async () => {
    const shared = {};
    class Shared extends Middleware {
      override ALL({ url, method }: Handled): unknown {
        return this.next(Object.assign(shared, { url, method }));
      }
    }
    for (const make of [around, aroundEach]) {
      const answers: unknown[] = [];
      for (const app of [make(Shared), make(Shared)])
        for (const url of ["/notes/6", "/notes/7", "/notes/8"]) answers.push(await app.handle(get(url)));
      expect(answers).toEqual(["GET 6", "GET 7", "GET 8", "GET 6", "GET 7", "GET 8"]);
    }
  });

  it("C5.7 has no fields for errors of a call whose params are left on it", async () => {
    const shared = {};
    class Shared extends Middleware {
      override ALL(input: Handled): unknown {
        return this.next(Object.assign(shared, input));
      }
    }
    class Leaving extends Middleware {
      override ALL(input: Handled): unknown {
        this.errorFields(input).append("x-left", input.url);
        return this.next(input);
      }
    }
    const app = around(Shared, Leaving);
    const [found, missed] = [get("/notes/7"), get("/nowhere")];
    expect(await app.handle(found)).toBe("GET 7");
    await expect(app.handle(missed)).rejects.toMatchObject({ status: 404 });
    expect(leftFor(app, found)).toBe("/notes/7");
  });
});

describe("a copy that is passed on again by another method", () => {
  it("C5.7 has the fields for errors of its call", async () => {
    class Twice extends Middleware {
      override ALL({ url, method, params }: Handled): unknown {
        const other = { url, method, params };
        expect(this.next(other)).toBe("GET 7");
        this.errorFields(Object.assign(other, { method: "PUT" })).set("x-left", url);
        return this.next(other);
      }
    }
    for (const app of [around(Twice), aroundEach(Twice)]) {
      const input = get("/notes/7");
      await expect(app.handle(input)).rejects.toMatchObject({ status: 501 });
      expect(leftFor(app, input)).toBe("/notes/7");
    }
  });
});

describe("a copy that is passed on often", () => {
  it("keeps no chain of the calls before, which would end in too deep a recursion", async () => {
    class Often extends Middleware {
      override async ALL({ url, method, params }: Handled): Promise<unknown> {
        for (let times = 0; times < 20_000; times++) {
          await Promise.resolve();
          this.next({ url, method, params });
        }
        const other = { url, method, params };
        this.errorFields(other).set("x-left", url);
        return this.next(other);
      }
    }
    for (const app of [around(Often), aroundEach(Often)]) {
      const input = get("/notes/7");
      expect(await app.handle(input)).toBe("GET 7");
      expect(leftFor(app, input)).toBe("/notes/7");
    }
  });
});

describe("an input to which no params were copied", () => {
  it("goes where its path leads after an await, around the application", async () => {
    class Late extends Middleware {
      override async ALL({ method }: Handled): Promise<unknown> {
        await Promise.resolve();
        return this.next({ url: "/notes/8", method, params: undefined });
      }
    }
    expect(await around(Late).handle(get("/notes/7"))).toBe("GET 8");
  });

  it("C5.7 belongs to the call that runs at the same URL, as of a class that declares params", async () => {
    class Context {
      readonly params = undefined;
      readonly url: string;
      readonly method: string;
      constructor({ url, method }: Handled) {
        this.url = url;
        this.method = method;
      }
    }
    class Leaving extends Middleware {
      override ALL(input: Handled): unknown {
        const other = new Context(input);
        this.errorFields(other).set("x-left", input.url);
        return this.next(other);
      }
    }
    for (const [path, outcome] of [
      ["/notes/7", "GET 7"],
      ["/nowhere", 404],
    ] as const) {
      const [app, input] = [around(Leaving), get(path)];
      expect(await app.handle(input).catch((error: HTTPError) => error.status)).toBe(outcome);
      expect(leftFor(app, input)).toBe(path);
    }
  });
});

describe("an input that only its path tells of", () => {
  it("C5.7 has fields for errors of its own, released in the call of another resource", async () => {
    const waiting: (() => void)[] = [];
    class Held extends Middleware {
      override ALL({ url, method }: Handled): unknown {
        const goOn = (): unknown => {
          const other = { url, method };
          this.errorFields(other).append("x-left", url);
          return this.next(other);
        };
        return new Promise((resolve) => {
          waiting.push(() => resolve(goOn()));
          if (waiting.length === 2) for (const next of waiting) next();
        });
      }
    }
    const app = aroundEach(Held);
    const inputs = [get("/notes/7"), get("/stats")];
    expect(await Promise.all(inputs.map((input) => app.handle(input)))).toEqual(["GET 7", "GET /stats"]);
    expect(inputs.map((input) => leftFor(app, input))).toEqual([null, "/stats"]);
  });

  it("C5.7 has fields for errors of its own, with params of another application", async () => {
    class Leaving extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const { url, method, params } = input;
        if (url === "/stats") return inner.handle({ url: "/notes/7", method, outer: params });
        await Promise.resolve();
        const other = { url, method, params: (input as Handled & { outer: unknown }).outer };
        this.errorFields(other).set("x-left", url);
        return this.next(other);
      }
    }
    const [outer, inner] = [around(Leaving), around(Leaving)];
    const input = get("/stats");
    expect(await outer.handle(input)).toBe("GET 7");
    expect(leftFor(outer, input)).toBeNull();
  });
});
