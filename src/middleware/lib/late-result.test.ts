import { describe, expect, it, vi } from "vitest";
import { discardLate } from "./late-result.ts";

describe("discardLate()", () => {
  it("cancels the content of a response that comes late, at once or by a Promise, and drops an error", async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const response = (): Response => new Response(new ReadableStream({ cancel }));
    await discardLate(response());
    await discardLate(Promise.resolve(response()));
    await discardLate(Promise.reject(new Error("late")));
    await discardLate("no response");
    expect(cancel).toHaveBeenCalledTimes(2);
  });
});
