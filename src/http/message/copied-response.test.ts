import { describe, expect, it, vi } from "vitest";
import { hasBody } from "./copied-response.ts";

describe("hasBody()", () => {
  it("asks a copy where text keeps its type until its body is asked for", async () => {
    for (const [content, has] of [
      ["text", true],
      [null, false],
      [new Blob(["a"]).stream(), true],
    ] as const) {
      const response = new Response(content);
      response.headers.delete("content-type");
      const asked = vi.spyOn(response, "body", "get");
      expect(hasBody(response, true)).toBe(has);
      expect(asked).not.toHaveBeenCalled();
      expect((await response.text()).length > 0).toBe(has);
    }
    const read = new Response("text");
    expect(hasBody(read, true)).toBe(true);
    read.headers.delete("content-type");
    await read.text();
    expect(hasBody(read, true)).toBe(true);
  });

  it("asks the response itself elsewhere", () => {
    expect([new Response(null), new Response("")].map((response) => hasBody(response))).toEqual([false, true]);
  });
});
