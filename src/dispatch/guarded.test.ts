import { describe, expect, it } from "vitest";
import { Application } from "../application/native-application.ts";
import { Middleware, Resource } from "../application/native.ts";
import { guardsIn, isGuarded } from "./guarded.ts";

class Passing extends Middleware {
  override ALL(input: Request): Promise<Response> | Response {
    return this.next(input) as Promise<Response> | Response;
  }
}
class Keys extends Middleware {
  static security = { key: { type: "apiKey", in: "header", name: "x-key" } };
  override GET(input: Request): Promise<Response> | Response {
    return this.next(input) as Promise<Response> | Response;
  }
}

/** Whether a request is guarded, as the handler of a resource behind middleware sees it. */
async function seenBehind(middleware: (typeof Passing | typeof Keys)[], method = "GET"): Promise<string> {
  class Seeing extends Resource {
    override paths = ["/"];
    static override middleware = middleware;
    override GET(input: Request): Response {
      return new Response(String(isGuarded(input)));
    }
    override POST(input: Request): Response {
      return new Response(String(isGuarded(input)));
    }
  }
  const app = Application.builder().resources(Seeing).build();
  return (await app.fetch(new Request("http://localhost/", { method }))).text();
}

describe("isGuarded()", () => {
  it("is true where a middleware with security runs for the method, whatever else runs", async () => {
    expect(await seenBehind([Keys])).toBe("true");
    expect(await seenBehind([Passing, Keys])).toBe("true");
    expect(await seenBehind([Passing])).toBe("false");
    expect(await seenBehind([Passing, Keys], "POST")).toBe("false");
  });

  it("is true where a middleware declares 401, by itself or for a method", async () => {
    class SignedIn extends Passing {
      static answers = { 401: "Sign in" };
    }
    class Writers extends Passing {
      static answers(method: string): object {
        return method === "POST" ? { 401: "Sign in" } : { 403: "Not from here" };
      }
    }
    expect(await seenBehind([SignedIn])).toBe("true");
    expect(await seenBehind([Writers])).toBe("false");
    expect(await seenBehind([Writers], "POST")).toBe("true");
  });

  it("asks a guard around requests of no resource, too", async () => {
    const asked: unknown[] = [];
    class Around extends Middleware {
      static answers(method: string, resource: unknown): object {
        asked.push([method, resource]);
        return { 401: "Sign in" };
      }
      override ALL(input: Request): Response {
        return new Response(String(isGuarded(input)));
      }
    }
    const app = Application.builder().middleware(Around).build();
    asked.length = 0;
    expect(await (await app.fetch(new Request("http://localhost/none"))).text()).toBe("true");
    expect(asked).toEqual([["GET", undefined]]);
  });

  it("is false of what no application has", () => {
    expect(isGuarded(new Request("http://localhost/"))).toBe(false);
  });
});

describe("guardsIn()", () => {
  it("lists the classes that run for one of some methods, in their order", () => {
    const mounted = (middleware: object, ...methods: string[]) =>
      ({ middleware, handlers: Object.fromEntries(methods.map((method) => [method, () => {}])) }) as never;
    const chain = [mounted(new Passing(), "ALL"), mounted(new Keys(), "GET")];
    expect(guardsIn(chain, "GET")).toEqual([Passing, Keys]);
    expect(guardsIn(chain, "POST", "GET")).toEqual([Passing, Keys]);
    expect(guardsIn(chain, "POST")).toEqual([Passing]);
    expect(guardsIn(chain)).toEqual([]);
  });
});
