import { Application, Resource } from "fingerpost/modules/http.native.js";
import { load, type LoadOptions } from "fingerpost/middleware/load";
import { document } from "fingerpost/openapi";
import { Application as Declared, Resource as DeclaredResource, reply } from "fingerpost";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate } from "../../tests/support/sockets.ts";

const waiting = gate();

class Work extends Resource {
  paths = ["/work"];
  override async GET(): Promise<Response> {
    await waiting.opened;
    return new Response("done");
  }
  override POST(): Response {
    throw new Error("no");
  }
}

class Probe extends Resource {
  static readonly essential = true;
  paths = ["/probe"];
  override GET(): Response {
    return new Response("here");
  }
}

describe("load()", () => {
  it("refuses what is too much before its handler runs, but for essential resources and after a response", async () => {
    const spy = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => spy.mockRestore());
    const app = Application.builder()
      .resources(Work, Probe)
      .middleware(load({ maxRequests: 1 }))
      .build();
    const first = app.request("/work");
    const second = await app.request("/work");
    for (let i = 0; i < 3; i++) await app.request("/work");
    // The console is told once, and not of each by its stack.
    expect(spy).toHaveBeenCalledExactlyOnceWith(
      "Overload: load() answers 503, because of maxRequests: 1; later refusals are counted",
    );
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await app.request("/nothing")).status).toBe(503);
    expect((await app.request("/probe")).status).toBe(200);
    waiting.open();
    expect((await first).status).toBe(200);
    expect((await app.request("/nothing")).status).toBe(404);
    expect((await app.request("/work", { method: "POST" })).status).toBe(500);
    expect((await app.request("/work")).status).toBe(200);
  });

  it("is in the document", () => {
    class Books extends DeclaredResource {
      paths = ["/books"] as const;
      static GET = { 204: "Nothing" };
      GET() {
        return reply(204);
      }
    }
    const app = Declared.builder()
      .resources(Books)
      .middleware(load({ maxLoopDelayMs: 200 }))
      .build();
    const { paths } = document(app, { title: "Books", version: "1" });
    expect(paths["/books"]).toMatchObject({
      get: { responses: { 503: { description: "The server has more requests than it can answer in time" } } },
    });
  });

  it("refuses to be made without a limit", () => {
    expect(() => load({})).toThrow(
      'Cannot call load(): its option "maxRequests" must be given, or "maxLoopDelayMs", got undefined',
    );
    expect(() => load({ maxLoopDelayMs: 0 } as LoadOptions)).toThrow(
      '"maxLoopDelayMs" must be a whole number from 1 on, got 0',
    );
  });
});
