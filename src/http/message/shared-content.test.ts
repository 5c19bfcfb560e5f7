import { describe, expect, it, vi } from "vitest";
import { cloneOf, SharedContent, type ContentSource } from "./shared-content.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Content of which each pull hands on a part, and the last one the end. */
function contentOf(...texts: string[]): { content: SharedContent; source: ContentSource } {
  const source = {
    pull: vi.fn(() => {
      const text = texts.shift();
      if (text === undefined) content.close();
      else content.push(bytes(text));
    }),
    cancel: vi.fn<(reason: unknown) => void>(),
  };
  const content = new SharedContent(source);
  return { content, source };
}

const textOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> => new Response(stream).text();

describe("SharedContent", () => {
  it("returns all to each reader, in any order, and pulls no more than one reads", async () => {
    const { content, source } = contentOf("con", "", "tent");
    const stream = content.open();
    expect(source.pull).not.toHaveBeenCalled();
    const clone = cloneOf(stream)!;
    const second = cloneOf(clone)!;
    const reader = clone.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("con");
    expect(source.pull).toHaveBeenCalledOnce();
    expect(await textOf(stream)).toBe("content");
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("tent");
    expect((await reader.read()).done).toBe(true);
    expect(await textOf(second)).toBe("content");
  });

  it("has one pull serve all who wait", async () => {
    const source = { pull: vi.fn<() => void>(), cancel: vi.fn<() => void>() };
    const content = new SharedContent(source);
    const stream = content.open();
    const clone = cloneOf(stream)!;
    const texts = [textOf(stream), textOf(clone)];
    await Promise.resolve();
    expect(source.pull).toHaveBeenCalledOnce();
    content.push(bytes("a"));
    content.close();
    expect(await Promise.all(texts)).toEqual(["a", "a"]);
  });

  it("returns the same part to each as bytes of its own", async () => {
    const { content } = contentOf("a");
    const stream = content.open();
    const clone = cloneOf(stream)!;
    const first = (await stream.getReader().read()).value!;
    first[0] = 0;
    expect(await textOf(clone)).toBe("a");
  });

  it("can be read into a buffer of the reader's own, to its end", async () => {
    const { content } = contentOf("con", "tent");
    const reader = content.open().getReader({ mode: "byob" });
    let text = "";
    for (let view = new Uint8Array(2); ;) {
      const { done, value } = await reader.read(view);
      if (done) break;
      text += new TextDecoder().decode(value);
      view = new Uint8Array(value.buffer);
    }
    expect(text).toBe("content");
  });

  const isWorkerd = globalThis.navigator?.userAgent === "Cloudflare-Workers";
  it.skipIf(isWorkerd)("goes on where content does not fill the units of a view", async () => {
    const { content } = contentOf("a");
    const stream = content.open();
    const clone = cloneOf(stream)!;
    const reader = stream.getReader({ mode: "byob" });
    await expect(reader.read(new Uint16Array(1))).rejects.toThrow(TypeError);
    expect(await textOf(clone)).toBe("a");
  });

  it("lets who cancels wait for nobody, and cancels the source with the last", async () => {
    const { content, source } = contentOf("content");
    const stream = content.open();
    const clone = cloneOf(stream)!;
    await clone.cancel("first");
    expect(source.cancel).not.toHaveBeenCalled();
    await stream.cancel("last");
    expect(vi.mocked(source.cancel).mock.calls).toEqual([["last"]]);
  });

  it("fails all who read", async () => {
    const fault = new Error("disk");
    const content: SharedContent = new SharedContent({ pull: () => content.fail(fault), cancel: () => {} });
    const stream = content.open();
    const clone = cloneOf(stream)!;
    await expect(textOf(stream)).rejects.toThrow("disk");
    await expect(textOf(clone)).rejects.toThrow("disk");
  });
});

describe("cloneOf()", () => {
  it("is null for what is not shared, and for what was begun, is locked, was canceled or has failed", async () => {
    expect([cloneOf(null), cloneOf(new ReadableStream())]).toEqual([null, null]);
    const begun = contentOf("a", "b").content.open();
    const reader = begun.getReader();
    await reader.read();
    reader.releaseLock();
    const locked = contentOf("a").content.open();
    locked.getReader();
    const canceled = contentOf("a").content.open();
    await canceled.cancel();
    const failed = new SharedContent({ pull: () => {}, cancel: () => {} });
    const stream = failed.open();
    failed.fail(new Error("left"));
    expect([begun, locked, canceled, stream].map(cloneOf)).toEqual([null, null, null, null]);
  });

  it("has a clone of what was pulled for another, too, and of the end", async () => {
    const { content } = contentOf("a", "b");
    const stream = content.open();
    expect(await textOf(cloneOf(stream)!)).toBe("ab");
    expect(await textOf(cloneOf(stream)!)).toBe("ab");
    expect(await textOf(stream)).toBe("ab");
  });
});
