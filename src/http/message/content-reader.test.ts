import { describe, expect, it, vi } from "vitest";
import { readerOf } from "./content-reader.ts";

describe("readerOf()", () => {
  it("reads content, and marks it where it is canceled", async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const content = new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(new Uint8Array(3)), cancel });
    const reader = readerOf(content);
    expect((await reader.read()).value?.byteLength).toBe(3);
    expect(content.locked).toBe(true);
    await reader.cancel("left");
    expect(cancel.mock.calls).toEqual([["left"]]);
    expect(Reflect.get(content, Symbol.for("nodejs.stream.errored"))).toBe(true);
  });

  it("C6.3 ends no process where a form is canceled while it is filled", async () => {
    const rejected = vi.fn<(reason: unknown) => void>();
    const heard = (event: { preventDefault?: () => void; reason?: unknown }): void => {
      event.preventDefault?.();
      rejected(event.reason);
    };
    globalThis.addEventListener?.("unhandledrejection", heard as never);
    const form = new FormData();
    form.append("file", new File([new Uint8Array(1 << 20)], "file"));
    for (const response of [new Response(form), new Response(form)]) {
      const reader = readerOf(response.body as ReadableStream<Uint8Array>);
      await reader.cancel();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.removeEventListener?.("unhandledrejection", heard as never);
    expect(rejected).not.toHaveBeenCalled();
  });
});
