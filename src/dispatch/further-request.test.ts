import { describe, expect, it } from "vitest";
import { Application } from "../application/native-application.ts";
import { Middleware, Resource } from "../application/native.ts";
import { chainBesides, runFurther } from "./further-request.ts";
import type { MountedMiddleware, MountedResource } from "./mounted-resource.ts";

import { Params, type ReceivedRequest } from "./params.ts";

describe("runFurther()", () => {
  it("leads to the handler itself where no middleware of the application is, whatever is further out", async () => {
    const run = (): never => {
      throw new Error("runs what is further out");
    };
    const responseOf = (): never => {
      throw new Error("makes a response");
    };
    class Inner extends Resource {
      override paths = ["/:id"];
      override async PATCH(request: ReceivedRequest): Promise<Response> {
        const mounted = Params.mountedOf(request.params) as MountedResource;
        const further = { url: request.url, method: "PUT" };
        const dispatcher = { run, responseOf };
        return (await runFurther(dispatcher, mounted, request as { params: Params }, further, [])) as Response;
      }
      override PUT({ method, params }: ReceivedRequest): Response {
        return new Response(`${method} ${params!.pathParam("id")}`);
      }
    }
    const inner = Application.builder().resources(Inner).build();
    class Outer extends Resource {
      override paths = ["/:any"];
      override PATCH = (request: Request): Promise<Response> => inner.fetch(request);
    }
    class Pass extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        return this.next(request);
      }
    }
    const outer = Application.builder().resources(Outer).middleware(Pass).build();
    const response = await outer.fetch(new Request("http://localhost/7", { method: "PATCH" }));
    expect(await response.text()).toBe("PUT 7");
  });
});

describe("chainBesides()", () => {
  const [one, other, another] = [() => 1, () => 2, () => 3];
  const runs = (handlers: object, method: string, ...before: string[]): boolean => {
    const [mounted] = chainBesides([{ handlers } as MountedMiddleware], method, before);
    return (mounted!.handlers[method] ?? mounted!.handlers["ALL"]) !== undefined;
  };

  it("has middleware run that has not run, by the handler for the method", () => {
    expect(runs({ PUT: one }, "PUT", "PATCH", "GET")).toBe(true);
    expect(runs({ PATCH: one, GET: other, PUT: another }, "PUT", "PATCH", "GET")).toBe(true);
    expect(runs({ PATCH: one, GET: other, ALL: another }, "PUT", "PATCH", "GET")).toBe(true);
  });

  it("passes by middleware whose handler has run, be it for one of several methods", () => {
    expect(runs({ ALL: one }, "PUT", "PATCH", "GET")).toBe(false);
    expect(runs({ ALL: one, PATCH: other }, "PUT", "PATCH", "GET")).toBe(false);
    expect(runs({ ALL: one, GET: other }, "PUT", "PATCH", "GET")).toBe(false);
    expect(runs({ PUT: one, GET: one }, "PUT", "GET")).toBe(false);
  });
});
