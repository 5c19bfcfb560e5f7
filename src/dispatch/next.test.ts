import * as native from "fingerpost/modules/http.native.js";
import { Application, type HTTPError, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";
import type { HeadersOrList } from "../http/answer/field-list.ts";
import type { Exchange } from "./exchange.ts";
import { exchangesOf } from "./input-exchange.ts";
import { addLate } from "./mounted-resource.ts";
import { drop } from "./next.ts";

type MiddlewareClass = new () => Middleware;

const get = (url: string, method = "GET"): Handled => ({ url, method }) as Handled;
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const answer = ({ method, params }: Handled): string => `${method} ${params.pathParam("id") ?? params.pattern}`;

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
const aroundEach = (...classes: MiddlewareClass[]) =>
  Application.builder()
    .resources(
      ResourceGroup.builder()
        .resources(Note, Stats)
        .middleware(...classes)
        .build(),
    )
    .build();

/** An application with one resource, which answers all paths by another application. */
function mounting(inner: { handle(input: unknown): Promise<unknown> }, ...classes: MiddlewareClass[]) {
  class Mount extends Resource {
    override paths = ["/:path*"];
    override GET = (input: unknown): unknown => inner.handle(input);
  }
  const group = ResourceGroup.builder()
    .resources(Mount)
    .middleware(...classes)
    .build();
  return Application.builder().resources(group).build();
}

class Late extends Middleware {
  override async ALL(input: Handled): Promise<unknown> {
    await later();
    return this.next(input);
  }
}
class Twice extends Middleware {
  override async ALL(input: Handled): Promise<unknown> {
    const first = await this.next(input);
    await later();
    return [first, await this.next(input)];
  }
}
class AtOnceTwice extends Middleware {
  override ALL(input: Handled): unknown {
    return Promise.all([this.next(input), this.next(input)]);
  }
}
class Pass extends Middleware {
  override ALL(input: Handled): unknown {
    return this.next(input);
  }
}

describe("next() of one input", () => {
  it("may be called late, and twice", async () => {
    for (const appOf of [around, aroundEach]) {
      expect(await appOf(Late, Twice, Late).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7"]);
      expect(await appOf(AtOnceTwice, Late).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7"]);
    }
  });

  it("goes on where it came in, though another application has handled it since", async () => {
    const inners = [around(), aroundEach(Late), around(Late), around(Twice, Late), aroundEach(Pass)];
    for (const inner of inners) {
      const once = await mounting(inner).handle(get("/notes/7"));
      expect(await mounting(inner, Late, Pass).handle(get("/notes/7"))).toEqual(once);
      expect(await mounting(inner, Twice).handle(get("/notes/7"))).toEqual([once, once]);
      expect(await mounting(inner, AtOnceTwice, Late).handle(get("/notes/7"))).toEqual([once, once]);
      expect(await mounting(mounting(inner, Late), Twice).handle(get("/notes/7"))).toEqual([once, once]);
    }
  });

  it("goes on where it came in, though nothing matched in an application within", async () => {
    class Retry extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const statuses = [];
        for (let left = 2; left > 0; left--) {
          await later();
          statuses.push(await Promise.resolve(this.next(input)).catch(({ status }: HTTPError) => status));
        }
        return statuses;
      }
    }
    for (const inner of [around(), around(Late), aroundEach(Late)]) {
      expect(await mounting(inner, Retry).handle(get("/nothing"))).toEqual([404, 404]);
    }
  });

  it("goes on where it came in, though middleware has asked other applications, as nothing matched", async () => {
    const others = [around(Pass), aroundEach(Pass), around()];
    class Ask extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        for (const other of others) await other.handle(input).catch(later);
        return this.next(input);
      }
    }
    const elsewhere = Application.builder().middleware(Ask, Late).build();
    await expect(elsewhere.handle(get("/notes/7"))).rejects.toMatchObject({ status: 404 });
    await expect(elsewhere.handle(get("/nothing"))).rejects.toMatchObject({ status: 404 });
  });

  it("goes on where it came in, though its application has handled it for another resource meanwhile", async () => {
    class Aside extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        if (input.url === "/stats") return this.next(input);
        const { url } = input;
        const aside = await app.handle(Object.assign(input, { url: "/stats" }));
        return [aside, this.next(Object.assign(input, { url }))];
      }
    }
    const app = aroundEach(Aside);
    expect(await app.handle(get("/notes/7"))).toEqual(["GET /stats", "GET 7"]);
  });

  it("may come in by two requests at once, of one application or of two", async () => {
    const input = get("/notes/7");
    const [one, two] = [around(Late, Late), aroundEach(Late, Late)];
    const answers = await Promise.all([one.handle(input), two.handle(input), one.handle(input), two.handle(input)]);
    expect(answers).toEqual(Array.from({ length: 4 }, () => "GET 7"));
  });

  it("C5.4 is refused by an instance that it did not come to, as other guards are around that", async () => {
    const given: Handled[] = [];
    class Gathering extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        given.push(input);
        await later();
        return this.next(given[0]!);
      }
    }
    const app = aroundEach(Gathering);
    const outcomes = await Promise.allSettled([app.handle(get("/notes/7")), app.handle(get("/stats"))]);
    const message =
      "Cannot continue after next() of Gathering: the input did not come in here; " +
      "to pass on another one, write next(input, replacement)";
    expect(outcomes).toEqual([
      { status: "fulfilled", value: "GET 7" },
      { status: "rejected", reason: new TypeError(message) },
    ]);
  });

  it("is refused where its params were replaced by others", async () => {
    class Forging extends Middleware {
      override ALL(input: Handled): unknown {
        return this.next(Object.assign(input, { params: { pathParam: () => "8" } }));
      }
    }
    await expect(aroundEach(Forging).handle(get("/notes/7"))).rejects.toThrow("the input did not come in here");
  });
});

describe("next() of a replacement", () => {
  const replacing = (make: (input: Handled) => unknown, isLate = false): MiddlewareClass =>
    class Replacing extends Middleware {
      override ALL(input: Handled): unknown {
        return isLate ? later().then(() => this.next(input, make(input))) : this.next(input, make(input));
      }
    };

  it("is what inner middleware and handlers are given, of which they may make another", async () => {
    for (const isLate of [false, true]) {
      const copy = replacing(({ url, method }) => ({ url, method }), isLate);
      for (const appOf of [around, aroundEach]) {
        expect(await appOf(copy, Twice, copy, Late, copy).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7"]);
      }
    }
  });

  it("may be the input itself, and undefined", async () => {
    expect(await aroundEach(replacing((input) => input)).handle(get("/notes/7"))).toBe("GET 7");
    expect(await aroundEach(replacing(() => undefined)).handle(get("/notes/7"))).toBe("GET 7");
  });

  it("leads the input itself where it led as it came in, though it has changed", async () => {
    class Change extends Middleware {
      override ALL(input: Handled): unknown {
        Object.assign(input, { url: "/stats", method: "PUT" });
        return this.next(input, input);
      }
    }
    for (const app of [around(Change), aroundEach(Change)]) expect(await app.handle(get("/notes/7"))).toBe("PUT 7");
  });

  it("may be passed on again by the same request, by another method too", async () => {
    class Again extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const other = get("/elsewhere");
        const answers = [this.next(input, other)];
        await later();
        answers.push(this.next(input, other));
        answers.push(this.next(input, Object.assign(other, { method: "DELETE" })));
        return [...answers, this.next(input)];
      }
    }
    expect(await aroundEach(Again).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7", "DELETE 7", "GET 7"]);
  });

  it("C5.4 has no method that a guard further out would have seen, unless it is GET for HEAD", async () => {
    class OfDelete extends Middleware {
      DELETE(): never {
        throw new Error("guarded");
      }
    }
    class Override extends Middleware {
      ALL(input: Handled): unknown {
        return this.next(input, get(input.url, input.method === "HEAD" ? "GET" : "DELETE"));
      }
    }
    class OfGet extends Middleware {
      GET(input: Handled): unknown {
        return this.next(input);
      }
    }
    class Long extends Middleware {
      ALL(input: Handled): unknown {
        return this.next(input, get(input.url, input.method === "POST" ? "GET" : "X".repeat(100)));
      }
    }
    class OfAll extends Middleware {
      ALL(): never {
        throw new Error("guarded");
      }
      GET(input: Handled): unknown {
        return this.next(input);
      }
    }
    const refusedOf = (which: string, method: string, outer: string): TypeError =>
      new TypeError(
        `Cannot continue after next() of ${which}: the replacement is ${method}, which ${outer} further out has not ` +
          `seen; put ${which} around the application`,
      );
    const refused = refusedOf("Override", "DELETE", "OfDelete");
    await expect(aroundEach(OfDelete, Override).handle(get("/notes/7"))).rejects.toThrow(refused);
    const ofHead = replacing((input) => get(input.url, "DELETE"));
    await expect(aroundEach(OfDelete, ofHead).handle(get("/notes/7", "HEAD"))).rejects.toThrow(
      refusedOf("Replacing", "DELETE", "OfDelete"),
    );
    await expect(aroundEach(OfGet, Long).handle(get("/notes/7", "POST"))).rejects.toThrow(
      refusedOf("Long", "GET", "OfGet"),
    );
    await expect(aroundEach(OfAll, Long).handle(get("/notes/7"))).rejects.toThrow(
      refusedOf("Long", "X".repeat(80), "OfAll"),
    );
    expect(await aroundEach(Pass, Override).handle(get("/notes/7"))).toBe("DELETE 7");
    await expect(aroundEach(Override, OfDelete).handle(get("/notes/7"))).rejects.toThrow("guarded");
    expect(await aroundEach(OfGet, Override).handle(get("/notes/7"))).toBe("DELETE 7");
    expect(await aroundEach(OfGet, Override).handle(get("/notes/7", "HEAD"))).toBe("GET 7");
    const outermost = Application.builder()
      .resources(ResourceGroup.builder().resources(Note).middleware(OfDelete).build())
      .middleware(Override);
    await expect(outermost.build().handle(get("/notes/7"))).rejects.toThrow("guarded");
  });

  it("goes to an application within, and comes back", async () => {
    const copy = replacing(({ url, method }) => ({ url, method }), true);
    for (const inner of [around(copy, Late), aroundEach(Late, copy), around()]) {
      expect(await mounting(inner, copy, Twice, copy).handle(get("/notes/7"))).toEqual(["GET 7", "GET 7"]);
    }
  });

  it.each([null, "/notes/7", 7])("is refused as %j", async (replacement) => {
    const refused = aroundEach(replacing(() => replacement)).handle(get("/notes/7"));
    await expect(refused).rejects.toThrow(
      /^Cannot continue after next\(\) of Replacing: expected an input as replacement, got /,
    );
  });

  it("is refused without strings url and method", async () => {
    for (const appOf of [around, aroundEach]) {
      for (const replacement of [{ url: "/notes/7" }, { url: 5, method: "GET" }]) {
        await expect(appOf(replacing(() => replacement)).handle(get("/notes/7"))).rejects.toThrow(
          /^Cannot handle the input: expected an object with strings "url" and "method"/,
        );
      }
    }
  });

  it("is refused if it has come in somewhere else, also where no middleware is", async () => {
    const message = "the replacement belongs to another request; make one for each call";
    for (const elsewhere of [around(), around(Pass), aroundEach(Pass)]) {
      const replacement = get("/stats");
      await elsewhere.handle(replacement);
      for (const appOf of [around, aroundEach]) {
        await expect(appOf(replacing(() => replacement)).handle(get("/notes/7"))).rejects.toThrow(message);
      }
    }
    const unmatched = get("/nothing");
    await around(Pass)
      .handle(unmatched)
      .catch(() => {});
    await expect(aroundEach(replacing(() => unmatched)).handle(get("/notes/7"))).rejects.toThrow(message);
  });
});

describe("an input that is used for ever", () => {
  it("is in no more exchanges than there are chains, each with no more than a number of results", async () => {
    const apps = [aroundEach(Pass), around(Pass), mounting(aroundEach(Late), Pass)];
    const input = get("/notes/7");
    const handleAll = async (): Promise<number> => {
      for (const app of apps) await app.handle(input);
      return exchangesOf(input).length;
    };
    const few = await handleAll();
    for (let left = 80; left > 0; left--) await handleAll();
    expect([few, await handleAll()]).toEqual([4, 4]);
    expect(exchangesOf(input).map(({ earlier }) => earlier.length)).toEqual([64, 64, 64, 64]);
  });
});

describe("a middleware that goes on for ever", () => {
  it("keeps no more than a number of results, and one exchange of a replacement", async () => {
    let kept: unknown[] = [];
    class Polling extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const other = get("/notes/8");
        for (let left = 200; left > 0; left--) {
          await this.next(input);
          await this.next(input, other);
        }
        const [{ earlier, ties }] = exchangesOf(input) as [Exchange];
        kept = [earlier.length, ties!.replacements.length, ties!.replacements[0]!.earlier.length];
        return "done";
      }
    }
    for (const appOf of [around, aroundEach]) {
      expect(await appOf(Polling, Pass).handle(get("/notes/7"))).toBe("done");
      expect(kept).toEqual([64, 1, 64]);
    }
  });
});

describe("error fields that are put off", () => {
  const add = Symbol("add");

  /** Middleware that puts off adding fields, and then asks for the fields, goes on, or does so after it has set one. */
  function puttingOff(adds: (fields: HeadersOrList) => void, ask: (fields: () => Headers) => void = () => {}) {
    return class PuttingOff extends native.Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        this[add](request);
        ask(() => this.errorHeaders(request));
        return this.next(request);
      }
      [add](request: object): void {
        (this as unknown as { [addLate](input: object, adds: (fields: HeadersOrList) => void): void })[addLate](
          request,
          adds,
        );
      }
    };
  }
  const missed = (...classes: (new () => native.Middleware)[]): Promise<Response> =>
    native.Application.builder()
      .middleware(...classes)
      .build()
      .fetch(new Request("http://h/nothing"));
  const stamp = (fields: HeadersOrList): void => fields.set("x-late", "1");

  it("are there when middleware asks for them, and in the response", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const seen: (string | null)[] = [];
    const asking = puttingOff(stamp, (fields) => seen.push(fields().get("x-late"), fields().get("x-late")));
    for (const middleware of [asking, puttingOff(stamp)]) {
      const { status, headers } = await missed(middleware);
      expect([status, headers.get("x-late")]).toEqual([404, "1"]);
    }
    expect(seen).toEqual(["1", "1"]);
    expect(printed).not.toHaveBeenCalled();
  });

  it("come together with those that were set before and after", async () => {
    const early = puttingOff(
      () => {},
      (fields) => fields().set("x-early", "1"),
    );
    const { headers } = await missed(early, puttingOff(stamp));
    expect([headers.get("x-early"), headers.get("x-late")]).toEqual(["1", "1"]);
  });

  it("are left out where adding them fails, which is reported", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const fault = new Error("no fields");
    const failing = puttingOff(() => {
      throw fault;
    });
    const { status, headers } = await missed(failing, puttingOff(stamp));
    expect([status, headers.get("x-late")]).toEqual([404, "1"]);
    expect(printed.mock.calls).toEqual([[fault]]);
  });

  it("are refused for an input that did not come in", async () => {
    const seen: unknown[] = [];
    class Stray extends puttingOff(stamp) {
      override ALL(request: Request): Response | Promise<Response> {
        try {
          this[add](new Request("http://h/other"));
        } catch (error) {
          seen.push(error);
        }
        return this.next(request);
      }
    }
    await missed(Stray);
    expect(seen).toEqual([new TypeError("Cannot call errorHeaders() of Stray: the input did not come in here")]);
  });
});

describe("error fields", () => {
  it("C5.7 of an input that came in twice at once belong to both", async () => {
    class Stamp extends native.Middleware {
      override async ALL(request: Request): Promise<Response> {
        this.errorHeaders(request).append("x-stamp", "early");
        await later();
        this.errorHeaders(request).append("x-stamp", "late");
        return this.next(request);
      }
    }
    const app = native.Application.builder().middleware(Stamp).build();
    const request = new Request("http://h/nothing");
    const responses = await Promise.all([app.fetch(request), app.fetch(request)]);
    const stamps = responses.map(({ headers }) => headers.get("x-stamp"));
    for (const stamp of stamps) expect(stamp).toMatch(/early.*late/);
  });

  it("C5.7 of an application differ from the fields of another that it handed the request to", async () => {
    const stamping = (name: string) =>
      class extends native.Middleware {
        override ALL(request: Request): Response | Promise<Response> {
          this.errorHeaders(request).set(name, "1");
          return this.next(request);
        }
      } as new () => native.Middleware;
    const inner = native.Application.builder().middleware(stamping("x-inner")).build();
    class Mount extends native.Resource {
      override paths = ["/:path*"];
      override GET = (request: Request): Promise<Response> => inner.handle(request);
    }
    const app = native.Application.builder().resources(Mount).middleware(stamping("x-outer")).build();
    const { status, headers } = await app.fetch(new Request("http://h/nothing"));
    expect([status, headers.get("x-outer"), headers.get("x-inner")]).toEqual([404, "1", null]);
  });
});

describe("next() after a replacement", () => {
  const copyOf = ({ url, method }: Handled): Handled => ({ url, method }) as Handled;

  it("C5.5 goes on in each run of several at once, with the input itself and with replacements", async () => {
    const waysOf = (input: Handled, copy: Handled): [Handled, Handled | undefined][] => [
      [input, undefined],
      [input, copy],
      [input, copy],
      [input, undefined],
      [input, copyOf(input)],
    ];
    class Hedge extends Middleware {
      override ALL(input: Handled): unknown {
        return Promise.all(waysOf(input, copyOf(input)).map(([given, other]) => this.next(given, other)));
      }
    }
    for (const appOf of [around, aroundEach]) {
      expect(await appOf(Hedge, Late, Late).handle(get("/notes/7"))).toEqual(Array(5).fill("GET 7"));
      const twice = appOf(Late, Hedge, Pass, Hedge, Late).handle(get("/notes/7"));
      expect(await twice).toEqual(Array(5).fill(Array(5).fill("GET 7")));
    }
  });

  it("C5.5 goes on with a replacement where the input came in twice at once", async () => {
    class Replacing extends Middleware {
      override ALL(input: Handled): unknown {
        return this.next(input, copyOf(input));
      }
    }
    for (const appOf of [around, aroundEach]) {
      const [app, input] = [appOf(Replacing, Late, Replacing, Late), get("/notes/7")];
      expect(await Promise.all([app.handle(input), app.handle(input)])).toEqual(["GET 7", "GET 7"]);
    }
  });

  it("C5.5 goes on in an application within, to which an input and replacements of it come at once", async () => {
    class Hedge extends Middleware {
      override ALL(input: Handled): unknown {
        const others = [undefined, copyOf(input), copyOf(input), undefined];
        return Promise.all(others.map((other) => this.next(input, other)));
      }
    }
    for (const inner of [around(Late, Late), aroundEach(Late, Late), mounting(around(Late), Late)]) {
      expect(await mounting(inner, Hedge, Late).handle(get("/notes/7"))).toEqual(Array(4).fill("GET 7"));
    }
  });

  it("C5.5 goes on in a run that is further in than one which began after it", async () => {
    class Staggered extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const copy = copyOf(input);
        const runs = [];
        for (const other of [undefined, undefined, copy, copy]) {
          runs.push(this.next(input, other));
          await later();
        }
        return Promise.all(runs);
      }
    }
    for (const appOf of [around, aroundEach]) {
      expect(await appOf(Staggered, Late, Late, Late).handle(get("/notes/7"))).toEqual(Array(4).fill("GET 7"));
      const [app, input, answers] = [appOf(Late, Late, Late), get("/notes/7"), [] as unknown[]];
      for (let left = 3; left > 0; left--) {
        answers.push(app.handle(input));
        await later();
      }
      expect(await Promise.all(answers)).toEqual(Array(3).fill("GET 7"));
    }
  });

  it("C5.5 goes on with the input itself where a middleware further in brings it back", async () => {
    let came: Handled[] = [];
    class Replacing extends Middleware {
      override ALL(input: Handled): unknown {
        came = [input];
        return this.next(input, copyOf(input));
      }
    }
    class Back extends Middleware {
      override ALL(input: Handled): unknown {
        came.push(input);
        return this.next(input, came[0]);
      }
    }
    class Seeing extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        came.push(input);
        await later();
        return this.next(input);
      }
    }
    for (const appOf of [around, aroundEach]) {
      const input = get("/notes/7");
      expect(await appOf(Replacing, Back, Seeing, Seeing).handle(input)).toBe("GET 7");
      expect(came.map((one) => one === input)).toEqual([true, false, true, true]);
    }
  });

  it("C5.5 is of what came in last, though a middleware further out goes on again", async () => {
    let goneOnAgain = (): void => {};
    let tried = (): void => {};
    const again = new Promise<void>((resolve) => (goneOnAgain = resolve));
    const trying = new Promise<void>((resolve) => (tried = resolve));
    let error: unknown;
    class Again extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        const both = [this.next(input), this.next(input)];
        goneOnAgain();
        return (await Promise.all(both))[0];
      }
    }
    let turns = 0;
    class Replacing extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        if (turns++ === 0) return this.next(input, get("/notes/2"));
        await trying;
        return "waited";
      }
    }
    class Stale extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        await again;
        error = await Promise.resolve()
          .then(() => this.next(original))
          .catch((reason: unknown) => reason);
        tried();
        return this.next(input);
      }
    }
    const original = get("/notes/1");
    expect(await aroundEach(Again, Replacing, Stale).handle(original)).toBe("GET 1");
    expect(error).toBeInstanceOf(TypeError);
  });
});

describe("drop()", () => {
  it("C5.2 silences an error that comes when nobody waits any more", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    for (const isDropped of [true, false]) {
      class Hasty extends Middleware {
        override ALL(input: Handled): unknown {
          const going = this.next(input) as Promise<unknown>;
          if (isDropped) drop(going);
          return "at once";
        }
      }
      class Failing extends Resource {
        override paths = ["/"];
        override async GET(): Promise<never> {
          await later();
          throw new Error("late");
        }
      }
      const group = ResourceGroup.builder().resources(Failing).middleware(Hasty).build();
      expect(await Application.builder().resources(group).build().handle(get("/"))).toBe("at once");
      await later();
      await later();
      expect(printed).toHaveBeenCalledTimes(isDropped ? 0 : 1);
    }
  });
});
