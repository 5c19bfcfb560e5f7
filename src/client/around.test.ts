import { afterEach, describe, expect, it, vi } from "vitest";
import { around, type Layer } from "./around.ts";

afterEach(() => void vi.unstubAllGlobals());

describe("around()", () => {
  it("runs functions around each request, the first outermost, and the global fetch inside", async () => {
    const lines: string[] = [];
    const named =
      (name: string): Layer =>
      async (request, next) => {
        lines.push(`${name} before`);
        const response = await next(new Request(request, { headers: { "x-by": name } }));
        lines.push(`${name} after`);
        return response;
      };
    vi.stubGlobal("fetch", async (request: Request) => new Response(request.headers.get("x-by")));
    const response = await around(named("a"), named("b"))(new Request("http://h/"));
    expect(await response.text()).toBe("b");
    expect(lines).toEqual(["a before", "b before", "b after", "a after"]);
  });

  it("rejects with what a function throws", async () => {
    const fault = new Error("Broken");
    const throwing: Layer = () => {
      throw fault;
    };
    await expect(around(throwing)(new Request("http://h/"))).rejects.toBe(fault);
  });
});
