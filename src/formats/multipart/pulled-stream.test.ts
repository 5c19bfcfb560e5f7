import { describe, expect, it } from "vitest";
import { contentStreamOf } from "./stored-content.ts";
import { pulledStream } from "./pulled-stream.ts";

const chunks = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];

/** A stream of three chunks, and what it was asked for. */
function stream(see?: (bytes: Uint8Array | null) => Promise<void>) {
  const notes: unknown[] = [];
  const rest = [...chunks];
  const next = (): Uint8Array | null => {
    const chunk = rest.shift() ?? null;
    notes.push(chunk?.[0] ?? "end");
    return chunk;
  };
  return { content: pulledStream(next, see, (reason) => void notes.push(["canceled", reason])), notes };
}

describe("pulledStream()", () => {
  it("is read by a loop as by a reader, and locked meanwhile", async () => {
    const { content, notes } = stream();
    const seen: number[] = [];
    for await (const [byte] of content) {
      expect(content.locked).toBe(true);
      seen.push(byte!);
    }
    expect([seen, notes, content.locked]).toEqual([[1, 2, 3], [1, 2, 3, "end"], false]);
    expect(await new Response(stream().content).bytes()).toEqual(Uint8Array.of(1, 2, 3));
  });

  it.each([0, 1])("is not asked for more where it was canceled after %i chunks", async (count) => {
    const { content, notes } = stream();
    const reader = content.getReader();
    for (let read = 0; read < count; read++) await reader.read();
    await reader.cancel("enough");
    reader.releaseLock();
    for await (const _ of content) expect.unreachable();
    expect(notes).toEqual([...(count === 0 ? [] : [1]), ["canceled", "enough"]]);
  });

  it("is canceled by a loop that ends early", async () => {
    const { content, notes } = stream();
    for await (const _ of content) break;
    expect([notes, content.locked]).toEqual([[1, ["canceled", undefined]], false]);
    const others = pulledStream(() => chunks[0]!);
    for await (const _ of others) break;
    expect(await others.getReader().read()).toEqual({ done: true, value: undefined });
  });

  it("goes on where a reader has ended", async () => {
    const { content } = stream();
    const reader = content.getReader();
    await reader.read();
    reader.releaseLock();
    const rest: number[] = [];
    for await (const [byte] of content) rest.push(byte!);
    expect(rest).toEqual([2, 3]);
  });

  it("waits for what sees a chunk, and fails by it", async () => {
    const seen: unknown[] = [];
    const { content } = stream(async (bytes) => {
      await Promise.resolve();
      seen.push(bytes?.[0] ?? "end");
    });
    for await (const [byte] of content) expect(seen.at(-1)).toBe(byte);
    expect(seen).toEqual([1, 2, 3, "end"]);
    const full = (): Promise<never> => Promise.reject(new Error("full"));
    await expect(new Response(stream(full).content).bytes()).rejects.toThrow("full");
    const failing = stream(full).content;
    await expect(failing[Symbol.asyncIterator]().next()).rejects.toThrow("full");
    expect(failing.locked).toBe(false);
  });
});

describe("contentStreamOf()", () => {
  it("does not tell that its source cannot be canceled", async () => {
    const body = new ReadableStream({ cancel: () => Promise.reject(new Error("busy")) });
    const content = contentStreamOf({ headers: new Headers(), body }, 10);
    expect(await content.cancel()).toBeUndefined();
  });
});
