import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate, turn } from "../../../tests/support/sockets.ts";
import { readAhead } from "./read-ahead.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function textOf(content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Promise<string> {
  return new Response(content as BodyInit).text();
}

function streamOf(...chunks: readonly (string | (() => Promise<string>))[]): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(bytes(typeof chunk === "string" ? chunk : await chunk()));
    },
  });
}

describe("readAhead()", () => {
  it("returns all of what is there at once", async () => {
    for (const body of [new Response("abc").body!, new Response(bytes("abc")).body!, streamOf("a", "b", "c")]) {
      const content = await readAhead(body, 3);
      expect(content).toBeInstanceOf(Uint8Array);
      expect(await textOf(content)).toBe("abc");
    }
    expect(await readAhead(new Response("").body!, 3)).toEqual(new Uint8Array());
  });

  it("returns a stream of the same if it is longer", async () => {
    const content = await readAhead(streamOf("a", "b", "c", "d"), 2);
    expect(content).toBeInstanceOf(ReadableStream);
    expect(await textOf(content)).toBe("abcd");
  });

  it("returns a stream of the same if it takes its time", async () => {
    for (const early of [[], ["a"], ["a", "b"]]) {
      const { opened, open } = gate<string>();
      const content = await readAhead(
        streamOf(...early, () => opened, "z"),
        100,
      );
      expect(content).toBeInstanceOf(ReadableStream);
      open("y");
      expect(await textOf(content)).toBe(`${early.join("")}yz`);
    }
  });

  it("reads no more than the bound of a stream that never ends", async () => {
    let pulls = 0;
    const endless = new ReadableStream<Uint8Array>(
      { pull: (controller) => void controller.enqueue(bytes(`${"x".repeat(999)}${pulls++ % 10}`)) },
      { highWaterMark: 0 },
    );
    const content = (await readAhead(endless, 10_000)) as ReadableStream<Uint8Array>;
    expect(pulls).toBe(11);
    await content.cancel();
  });

  it("reads nothing ahead where the bound is negative", async () => {
    let pulls = 0;
    const one = new ReadableStream<Uint8Array>(
      { pull: (controller) => void (pulls++ === 0 ? controller.enqueue(bytes("a")) : controller.close()) },
      { highWaterMark: 0 },
    );
    const content = (await readAhead(one, -1)) as ReadableStream<Uint8Array>;
    expect(pulls).toBe(0);
    expect(await textOf(content)).toBe("a");
  });

  it("puts no empty chunk before what it has not read", async () => {
    const reader = ((await readAhead(streamOf("a"), -1)) as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value).toEqual(bytes("a"));
  });

  it("returns empty content as a whole if the bound is 0, and a stream of any other", async () => {
    expect(await readAhead(new Response("").body!, 0)).toEqual(new Uint8Array());
    expect(await readAhead(new Response("a").body!, 0)).toBeInstanceOf(ReadableStream);
  });

  it("passes on that the reader has left, and that the source failed", async () => {
    let reason: unknown;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => void controller.enqueue(bytes("x")),
      cancel: (why) => void (reason = why),
    });
    await ((await readAhead(endless, 3)) as ReadableStream).cancel("gone");
    expect(reason).toBe("gone");
    const failing = streamOf("a", () => Promise.reject(new Error("broken")));
    await expect(readAhead(failing, 100)).rejects.toThrow("broken");
    const { opened, open } = gate();
    const breaking = async (): Promise<string> => {
      await opened;
      throw new Error("broken");
    };
    const content = await readAhead(streamOf("a", breaking), 100);
    open();
    await expect(textOf(content)).rejects.toThrow("broken");
  });

  it("refuses chunks that are not bytes", async () => {
    const cancel = vi.fn();
    const texts = new ReadableStream<unknown>({
      start: (controller) => void controller.enqueue("text"),
      cancel,
    }) as ReadableStream<Uint8Array>;
    await expect(readAhead(texts, 100)).rejects.toThrow(
      'Cannot read the content of the response: expected chunks of bytes, got "text"',
    );
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("refuses them whatever the content does when it is canceled", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const texts = new ReadableStream<unknown>({
      start: (controller) => void controller.enqueue("text"),
      cancel: () => Promise.reject(new Error("broken")),
    }) as ReadableStream<Uint8Array>;
    await expect(readAhead(texts, 100)).rejects.toThrow("expected chunks of bytes");
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  });
});
