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
import { addLate } from "../dispatch/mounted-resource.ts";

const get = (url = "/item/7", method = "GET"): Handled => ({ url, method }) as Handled;

class Item extends Resource {
  override paths = ["/item/:id"];
  override GET(_input: unknown): unknown {
    return "item";
  }
  override PUT(_input: unknown): unknown {
    return undefined;
  }
}

/** An application whose one resource is inside this middleware. */
function inside(...classes: (new () => Middleware)[]) {
  const group = ResourceGroup.builder()
    .resources(Item)
    .middleware(...classes)
    .build();
  return Application.builder().resources(group).build();
}

/** An application that is inside this middleware as a whole. */
function within(...classes: (new () => Middleware)[]) {
  return Application.builder()
    .resources(Item)
    .middleware(...classes)
    .build();
}

describe("Middleware", () => {
  it("wraps nothing until an application is built", () => {
    class Lonely extends Middleware {}
    for (const call of ["next", "errorHeaders", "resourceOf"] as const) {
      expect(() => new Lonely()[call]({})).toThrow(
        new TypeError(`Cannot call ${call}() of Lonely: it wraps nothing; pass its class to middleware()`),
      );
    }
  });

  it("finds no handler where there is none, whatever Object.prototype holds", () => {
    for (const name of ["ALL", "GET", "TRACE"] as const) {
      expect(Object.getOwnPropertyDescriptor(Middleware.prototype, name)).toEqual({
        value: undefined,
        writable: true,
        enumerable: false,
        configurable: true,
      });
      expect(new Middleware()[name]).toBeUndefined();
    }
  });

  it("may be given handlers by assignment, also of its prototype", async () => {
    class Assigned extends Middleware {
      constructor() {
        super();
        this.GET = (input) => `own ${String(this.next(input))}`;
      }
    }
    class Patched extends Middleware {}
    Patched.prototype.ALL = function (this: Middleware, input: unknown) {
      return `shared ${String(this.next(input))}`;
    };
    expect(await inside(Assigned, Patched).handle(get())).toBe("own shared item");
  });

  it("is refused if its constructor returns something else", () => {
    class Other extends Middleware {
      constructor() {
        super();
        return [] as never;
      }
    }
    expect(() => inside(Other)).toThrow(
      new TypeError("Cannot add Other as middleware: its constructor returned an array"),
    );
  });

  it("is refused in a group of another copy of the package, whose base class is another one", () => {
    class Foreign {
      ALL(): never {
        throw new HTTPError(Status.Forbidden);
      }
    }
    const group = new ResourceGroup([Item], ["/"], [Foreign]);
    expect(() => Application.builder().resources(group).build()).toThrow(
      new TypeError("Cannot add Foreign as middleware: it must extend Middleware"),
    );
  });

  it("is not added by new ResourceGroup() with the arguments of its builder", () => {
    const Called = ResourceGroup as unknown as new (...given: unknown[]) => object;
    expect(() => new Called("/api", Item)).toThrow(new TypeError("Cannot add a group: write ResourceGroup.builder()"));
  });

  it("C5.4 is refused if its constructor returns an instance that wraps another resource", () => {
    const shared: Middleware[] = [];
    class Only extends Middleware {
      constructor() {
        super();
        shared.push(this);
        return shared[0] as this;
      }
    }
    inside(Only);
    expect(() => inside(Only)).toThrow(
      new TypeError(
        "Cannot add Only as middleware: its constructor returned an instance that wraps something already; " +
          "keep what several share outside of the class",
      ),
    );
  });
});

describe("next()", () => {
  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["/item/7", '"/item/7"'],
    [7, "7"],
  ])("refuses %j", async (input, got) => {
    class Wrong extends Middleware {
      override ALL(_input: unknown): unknown {
        return this.next(input);
      }
    }
    const error = new TypeError(`Cannot continue after next() of Wrong: expected an input, got ${got}`);
    await expect(inside(Wrong).handle(get())).rejects.toThrow(error);
    await expect(within(Wrong).handle(get())).rejects.toThrow(error);
  });

  it("takes a function for a replacement", async () => {
    class Wrap extends Middleware {
      override ALL(input: Handled): unknown {
        const { url, method } = input;
        return this.next(
          input,
          Object.assign(() => {}, { url, method }),
        );
      }
    }
    expect(await inside(Wrap).handle(get())).toBe("item");
  });

  it("names the resource whose handler returned nothing, at any depth", async () => {
    class Pass extends Middleware {
      override ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    const message = "Cannot continue after next(): PUT of Item returned no value; write return";
    for (const app of [inside(Pass), inside(Pass, Pass), within(Pass), within(Pass, Pass)]) {
      await expect(app.handle(get("/item/7", "PUT"))).rejects.toThrow(new TypeError(message));
    }
  });

  it("names the middleware where no resource returned nothing", async () => {
    class Swallow extends Middleware {
      override ALL(input: unknown): unknown {
        try {
          return this.next(input);
        } catch {
          return undefined;
        }
      }
    }
    class Pass extends Middleware {
      override ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    const app = within(Pass, Swallow);
    await expect(app.handle(get("/nothing", "PURGE".repeat(40)))).rejects.toThrow(
      new TypeError(`Cannot continue after next(): ${"PURGE".repeat(16)} of Swallow returned no value; write return`),
    );
  });

  it("names the middleware inside that returned nothing, not the resource inside of that", async () => {
    class Swallow extends Middleware {
      override ALL(_input: unknown): unknown {
        return undefined;
      }
    }
    class Pass extends Middleware {
      override ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    for (const app of [inside(Pass, Swallow), within(Pass, Swallow)]) {
      await expect(app.handle(get())).rejects.toThrow(
        new TypeError("Cannot continue after next(): GET of Swallow returned no value; write return"),
      );
    }
  });

  it("awaits a thenable, and takes what only looks like one for a value", async () => {
    const results: unknown[] = [{ then: 5 }, { then: (resolve: (value: string) => void) => resolve("later") }];
    class Answer extends Middleware {
      override ALL(_input: unknown): unknown {
        return results.shift();
      }
    }
    class Look extends Middleware {
      override async ALL(input: unknown): Promise<unknown> {
        return [await this.next(input)];
      }
    }
    const app = inside(Look, Answer);
    expect(await app.handle(get())).toEqual([{ then: 5 }]);
    expect(await app.handle(get())).toEqual(["later"]);
  });

  it("C5.2 awaits a thenable that is a function, too", async () => {
    const nothing = Object.assign(() => {}, { then: (resolve: (value: undefined) => void) => resolve(undefined) });
    class Answer extends Middleware {
      override ALL(_input: unknown): unknown {
        return nothing;
      }
    }
    class Look extends Middleware {
      override ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    await expect(inside(Look, Answer).handle(get())).rejects.toThrow("returned no value; write return");
  });

  it("goes on with a replacement also after a request to another application has failed", async () => {
    const { handle } = inside(
      class extends Middleware {
        override ALL(input: Handled): unknown {
          // A call of another application in between must not pass for the one that goes on.
          void other.handle(get("/item/8")).catch(() => {});
          return this.next(input, { url: "/elsewhere", method: input.method });
        }
      },
    );
    const other = inside(
      class extends Middleware {
        override ALL(): unknown {
          throw new HTTPError(Status.Conflict);
        }
      },
    );
    expect(await handle(get())).toBe("item");
  });
});

describe("errorHeaders()", () => {
  it("is one object for a call, whatever middleware asks, and another for another call", async () => {
    const seen: Headers[] = [];
    class Ask extends Middleware {
      override ALL(input: object): unknown {
        seen.push(this.errorHeaders(input));
        return this.next(input);
      }
    }
    class Again extends Ask {}
    const app = inside(Ask, Again);
    await app.handle(get());
    await app.handle(get());
    expect(seen[0]).toBeInstanceOf(Headers);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });
});

describe("errorHeaders() and resourceOf()", () => {
  it.each(["errorHeaders", "resourceOf"] as const)("%s() refuses an input that did not come in", async (call) => {
    class Ask extends Middleware {
      override ALL(): unknown {
        return this[call](get());
      }
    }
    await expect(async () => inside(Ask).handle(get())).rejects.toThrow(
      new TypeError(`Cannot call ${call}() of Ask: the input did not come in here`),
    );
  });
});

describe("resourceOf()", () => {
  it("is the resource that answers; null where none can", async () => {
    const seen: unknown[] = [];
    class Ask extends Middleware {
      override ALL(input: object): unknown {
        seen.push(this.resourceOf(input));
        return this.next(input);
      }
    }
    const app = within(Ask);
    await app.handle(get());
    await app.handle(get("/nothing")).catch(() => {});
    await app.handle(get("/item/7", "PURGE")).catch(() => {});
    await inside(Ask).handle(get());
    expect(seen).toEqual([expect.any(Item), null, null, expect.any(Item)]);
  });
});

describe.each(["errorHeaders", "resourceOf"] as const)("%s()", (call) => {
  it("is refused for an input that did not come in", async () => {
    class Stray extends Middleware {
      override ALL(input: Handled): unknown {
        return this[call]({ ...input });
      }
    }
    const error = new TypeError(`Cannot call ${call}() of Stray: the input did not come in here`);
    await expect(inside(Stray).handle({ ...get(), params: undefined })).rejects.toThrow(error);
    await expect(within(Stray).handle(get("/nothing"))).rejects.toThrow(error);
  });
});

describe("fields of errors", () => {
  it("need a middleware that is in an application", () => {
    class Alone extends Middleware {
      ALL(input: unknown): unknown {
        return this.next(input);
      }
    }
    const alone = new Alone() as unknown as { [addLate](input: object, add: () => void): void };
    expect(() => alone[addLate]({}, () => {})).toThrow("errorHeaders()");
  });
});
