import { afterEach, describe, expect, it, vi } from "vitest";
import { hasBody } from "./copied-response.ts";

describe("hasBody()", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("asks a copy on Bun, where text keeps its type until its body is asked for", async () => {
    vi.stubGlobal("Bun", {});
    const untyped = (body: BodyInit | null): Response => {
      const response = new Response(body);
      response.headers.delete("content-type");
      const asked = vi.spyOn(response, "body", "get");
      return Object.assign(response, { asked });
    };
    for (const [body, has] of [
      ["text", true],
      [null, false],
      [new Blob(["a"]).stream(), true],
    ] as const) {
      const response = untyped(body) as Response & { asked: ReturnType<typeof vi.fn> };
      expect(hasBody(response)).toBe(has);
      expect(response.asked).not.toHaveBeenCalled();
      expect((await response.text()).length > 0).toBe(has);
    }
    expect(hasBody(new Response("text"))).toBe(true);
    const read = untyped("text");
    await read.text();
    expect(hasBody(read)).toBe(true);
  });

  it("asks the response itself elsewhere", () => {
    expect([new Response(null), new Response("")].map((response) => hasBody(response))).toEqual([false, true]);
  });
});
