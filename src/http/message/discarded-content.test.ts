import { describe, expect, it, onTestFinished, vi } from "vitest";
import { turn } from "../../../tests/support/sockets.ts";
import { discard, stopFilling } from "./discarded-content.ts";

const formType = { headers: { "content-type": "multipart/form-data; boundary=----formdata-undici-0" } };

describe("discard()", () => {
  it("cancels content, and leaves alone what has none or was taken", async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    discard(new Response(new ReadableStream({ cancel })));
    expect(cancel).toHaveBeenCalledOnce();
    discard(new Response(null));
    for (const taken of [new Response(new ReadableStream({ cancel })), new Response(new ReadableStream(), formType)]) {
      taken.body!.getReader();
      discard(taken);
    }
    await turn();
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C6.3 leaves no rejection to nobody where content cannot be canceled", async () => {
    const cancel = vi.fn(() => Promise.reject(new Error("disk")));
    discard(new Response(new ReadableStream({ cancel })));
    await turn();
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C6.3 cancels content at once, whatever a client calls it", async () => {
    const cancel = vi.fn<() => void>();
    let parts = 3;
    const body = new ReadableStream({
      pull: (stream) => (parts-- > 0 ? stream.enqueue(new Uint8Array(1)) : stream.close()),
      cancel,
    });
    await turn();
    const before = parts;
    discard(new Response(body, formType));
    await turn();
    expect(parts).toBe(before);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C6.3 cancels what has no end and the type of a FormData, and holds up nothing meanwhile", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cancel = vi.fn<(reason: unknown) => void>();
    discard(
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1)), cancel }), formType),
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe("stopFilling()", () => {
  it("marks a stream as failed, which can still be canceled", async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const content = new ReadableStream({ cancel });
    stopFilling(content);
    stopFilling(content);
    expect(Reflect.get(content, Symbol.for("nodejs.stream.errored"))).toBe(true);
    await content.cancel("left");
    expect(cancel.mock.calls).toEqual([["left"]]);
  });
});
