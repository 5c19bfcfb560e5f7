import { Application, HTTPError, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/contract/doors.ts";
import { errorFieldsOf } from "./application.ts";

type MiddlewareClass = new () => Middleware;

const get = (url: string): Handled => ({ url, method: "GET" }) as Handled;

class Note extends Resource {
  override paths = ["/notes/:id"];
  override GET = ({ params }: Handled): unknown => `note ${params.pathParam("id")}`;
}
class Stats extends Resource {
  override paths = ["/stats"];
  override GET = (): unknown => "stats";
}

const around = (...classes: MiddlewareClass[]): Application =>
  Application.builder()
    .resources(Note, Stats)
    .middleware(...classes)
    .build();
const aroundEach = (...classes: MiddlewareClass[]): Application => {
  const group = ResourceGroup.builder().resources(Note, Stats);
  return Application.builder()
    .resources(group.middleware(...classes).build())
    .build();
};

/** What middleware of the application left for errors of an input. */
const leftFor = (app: Application, input: object): string | null => errorFieldsOf(app, input)?.get("x-left") ?? null;

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
      expect(await app.handle(get("/notes/7"))).toEqual(["note 7", "note 7"]);
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
      expect(await app.handle(get("/notes/7"))).toEqual(["note 7", "stats", "note 7"]);
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

describe("an input that came in for another resource", () => {
  it("C5.4 is refused by an instance that wraps this one, as other guards are around it", async () => {
    const given: Handled[] = [];
    class Gathering extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        given.push(input);
        await Promise.resolve();
        return this.next(given[0]!);
      }
    }
    const app = aroundEach(Gathering);
    const [own, other] = await Promise.allSettled([app.handle(get("/notes/7")), app.handle(get("/stats"))]);
    expect(own).toEqual({ status: "fulfilled", value: "note 7" });
    const message =
      "Cannot continue after next() of Gathering: it wraps Stats, and the input came in for Note; " +
      "call next() of the instance that was given it";
    expect(other).toEqual({ status: "rejected", reason: new TypeError(message) });
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
    for (const app of [around(Own), aroundEach(Own)]) expect(await app.handle(get("/notes/7"))).toBe("note own id");
  });

  it("tell nothing on another input: it belongs to the call that runs, and has its params", async () => {
    class Own extends Middleware {
      override ALL({ method }: Handled): unknown {
        return this.next({ url: "/stats", method, params: { pathParam: () => "own" } });
      }
    }
    for (const app of [around(Own), aroundEach(Own)]) expect(await app.handle(get("/notes/7"))).toBe("note 7");
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
      expect(answers).toEqual(["note 6", "note 7", "note 8", "note 6", "note 7", "note 8"]);
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
    expect(await app.handle(found)).toBe("note 7");
    await expect(app.handle(missed)).rejects.toMatchObject({ status: 404 });
    expect(leftFor(app, found)).toBe("/notes/7");
  });
});

describe("a copy that is passed on again by another method", () => {
  it("C5.7 has the fields for errors of its call", async () => {
    class Twice extends Middleware {
      override ALL({ url, method, params }: Handled): unknown {
        const other = { url, method, params };
        expect(this.next(other)).toBe("note 7");
        this.errorFields(Object.assign(other, { method: "DELETE" })).set("x-left", url);
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
      expect(await app.handle(input)).toBe("note 7");
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
    expect(await around(Late).handle(get("/notes/7"))).toBe("note 8");
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
      ["/notes/7", "note 7"],
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
    expect(await Promise.all(inputs.map((input) => app.handle(input)))).toEqual(["note 7", "stats"]);
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
    expect(await outer.handle(input)).toBe("note 7");
    expect(leftFor(outer, input)).toBeNull();
  });
});
