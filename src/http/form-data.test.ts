import { isErrored, type Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { endForm, isOfFormData } from "./form-data.ts";

describe("isOfFormData()", () => {
  it.each([
    ["multipart/form-data; boundary=----formdata-undici-012345678901", true],
    ["multipart/form-data; boundary=----WebKitFormBoundary0", false],
    ["", false],
  ])("tells what Node made: %s", (contentType, expected) => {
    expect(isOfFormData(contentType)).toBe(expected);
  });
});

describe("endForm()", () => {
  it("C6.3 reads content to its end, which canceled would end the process on Node 24 and 26", async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    let left = 100;
    const content = new ReadableStream<Uint8Array>({
      pull: (stream) => (left-- > 0 ? stream.enqueue(new Uint8Array(1)) : stream.close()),
      cancel,
    });
    await end(content);
    expect([left, cancel.mock.calls, isMarked(content)]).toEqual([-1, [], false]);
  });

  it.each([
    ["has no end", (stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(1))],
    ["never begins", () => {}],
  ])("C6.3 cancels content that %s, and has undici fill it no more", async (_name, pull) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cancel = vi.fn<(reason: unknown) => void>();
    const content = new ReadableStream<Uint8Array>({ pull, cancel });
    const over = end(content, "left");
    await vi.advanceTimersByTimeAsync(4999);
    expect([cancel.mock.calls, isMarked(content)]).toEqual([[], false]);
    await vi.advanceTimersByTimeAsync(2);
    expect([cancel.mock.calls, isMarked(content)]).toEqual([[["left"]], true]);
    await over;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is over at once where content fails, and where canceling it does", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fault = new Error("disk");
    const failing = new ReadableStream<Uint8Array>({ start: (stream) => stream.error(fault) });
    await expect(end(failing)).rejects.toBe(fault);
    expect(vi.getTimerCount()).toBe(0);
    const stubborn = new ReadableStream<Uint8Array>({
      cancel() {
        throw fault;
      },
    });
    const over = end(stubborn);
    await vi.advanceTimersByTimeAsync(5000);
    await expect(over).resolves.toBeUndefined();
  });
});

function end(content: ReadableStream, reason?: unknown): Promise<void> {
  const reader = content.getReader();
  return endForm(content, reader, () => reader.cancel(reason));
}

// As undici asks.
function isMarked(content: ReadableStream): boolean {
  return isErrored(content as unknown as Readable);
}
