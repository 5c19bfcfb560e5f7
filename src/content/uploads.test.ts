import { describe, expect, it } from "vitest";
import { lightChunks, type LightChunks } from "../http/message/light-request.ts";
import type { Part } from "../formats/multipart/part.ts";
import type { PartsOfOptions } from "../formats/multipart/parts.ts";
import type { IncomingFile, Sink } from "../formats/multipart/sink.ts";
import { memory } from "./uploads/memory.ts";
import { partsOf } from "./uploads.ts";

const type = "multipart/form-data; boundary=B";

function written(...parts: readonly (readonly [disposition: string, content: string, type?: string])[]): string {
  const texts = parts.map(
    ([disposition, content, claimed = "text/plain"]) =>
      `--B\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${claimed}\r\n\r\n${content}\r\n`,
  );
  return `${texts.join("")}--B--\r\n`;
}

function inputOf(form: string, more: object = {}): object {
  return { headers: new Headers({ "Content-Type": type }), body: new Response(form).body, ...more };
}

/** An input whose host has chunks of so many bytes, of which every third one has to be waited for. */
function inputInChunks(form: string, bytes: number): object {
  const rest = new TextEncoder().encode(form);
  let [at, count] = [0, 0];
  const next = (): Uint8Array => {
    const from = at;
    at = Math.min(at + bytes, rest.length);
    count++;
    return rest.subarray(from, at);
  };
  const chunks: LightChunks = {
    // An empty chunk is not the end.
    take() {
      if (at === rest.length || count % 3 === 2) return undefined;
      if (count % 3 === 0) return next();
      count++;
      return new Uint8Array();
    },
    read: async () => (at === rest.length ? { done: true } : { value: next() }),
    async cancel() {
      at = rest.length;
    },
  };
  return { headers: new Headers({ "Content-Type": type }), [lightChunks]: () => chunks };
}

/** Content in pieces of so many bytes, which ends or fails. */
function streamOf(form: string, bytes: number, failure: Error | null = null): ReadableStream<Uint8Array> {
  const rest = new TextEncoder().encode(form);
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < rest.length) return controller.enqueue(rest.slice(at, (at += bytes)));
        return failure === null ? controller.close() : controller.error(failure);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A sink that writes down what happens to it. */
function noting(): Sink<{ readonly key: string }> & { readonly notes: string[]; signal: AbortSignal | null } {
  const notes: string[] = [];
  return {
    notes,
    signal: null,
    async store({ name, content }, signal) {
      this.signal = signal;
      const text = await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).text();
      notes.push(`store ${name} ${text}`);
      return { key: name };
    },
    async discard({ key }) {
      notes.push(`discard ${key}`);
    },
  };
}

async function eachOf(
  input: object,
  take: (part: Part) => unknown = (part) => part.bytes(),
  limits: PartsOfOptions = {},
): Promise<unknown[]> {
  const taken: unknown[] = [];
  for await (const part of partsOf(input, limits)) taken.push(await take(part));
  return taken;
}

describe("partsOf()", () => {
  it("skips what is not read", async () => {
    const names = await eachOf(inputOf(written(["name=a", "1"], ["name=b", "2"])), ({ name }) => name);
    expect(names).toEqual(["a", "b"]);
  });

  it.each([
    ["maxBytes", { maxBytes: 20 }, "The form is longer than 20 bytes"],
    ["maxParts", { maxParts: 1 }, "The form has more than 1 parts"],
    ["maxFieldBytes", { maxFieldBytes: 3 }, 'The field "a" is longer than 3 bytes'],
    ["maxFileBytes", { maxFileBytes: 3 }, 'The file "b" is longer than 3 bytes'],
    ["maxHeadBytes", { maxHeadBytes: 30 }, "A part of the form has a head of more than 30 bytes"],
  ])("answers 413 beyond %s, read or not, and names the limit", async (_, limits, message) => {
    const form = written(["name=a", "1234"], ["name=b; filename=b", "1234"]);
    for (const take of [(part: Part) => part.bytes(), ({ name }: Part) => name]) {
      await expect(eachOf(inputOf(form), take, limits)).rejects.toMatchObject({ status: 413, message });
    }
  });

  it.each([
    ["maxHeadBytes", { maxHeadBytes: 30 }],
    ["maxFileBytes", { maxFileBytes: 3 }],
    ["maxBytes", { maxBytes: 60 }],
  ])("cancels content beyond %s, and says nothing where that fails", async (_, limits) => {
    const cancels: unknown[] = [];
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(written(["name=a; filename=abcdef", "1234"]))),
      cancel(reason) {
        cancels.push(reason);
        throw new Error("It cannot be canceled");
      },
    });
    const input = { headers: new Headers({ "Content-Type": type }), body };
    await expect(eachOf(input, (part) => part.bytes(), limits)).rejects.toMatchObject({ status: 413 });
    expect(cancels).toHaveLength(1);
  });

  it("RFC 9110 §10.1.1 refuses a form that says that it is too long, and reads nothing of it", async () => {
    const form = written(["name=a", "1234"]);
    const headers = new Headers({ "Content-Type": type, "Content-Length": "201" });
    const message = "The form is longer than 200 bytes";
    const unread = {
      get body(): never {
        throw new Error("It was read");
      },
      headers,
    };
    await expect(eachOf(unread, undefined, { maxBytes: 200 })).rejects.toMatchObject({ status: 413, message });
    expect(await eachOf(inputOf(form, { headers }), undefined, { maxBytes: 201 })).toHaveLength(1);
  });

  const gif = written(["name=a; filename=a", `GIF89a${"x".repeat(2_000)}`]);
  const pieces = (form: string): object[] => [
    inputOf(form),
    inputInChunks(form, 7),
    inputInChunks(form, 600),
    { headers: new Headers({ "Content-Type": type }), body: streamOf(form, 7) },
  ];

  it("detects the type once, however often it is asked, and whatever was read since", async () => {
    for (const input of pieces(gif)) {
      const told = await eachOf(input, async (part) => {
        const types = await Promise.all([part.type(), part.isLeftEmpty(), part.type()]);
        const { length } = await part.bytes();
        return [...types, length, await part.type(), await part.isLeftEmpty()];
      });
      expect(told).toEqual([["image/gif", false, "image/gif", 2_006, "image/gif", false]]);
    }
  });

  it("knows that a part has bytes when they were read", async () => {
    const told = await eachOf(inputOf(written(["name=a", "1"], ["name=b", ""])), async (part) => {
      await part.text();
      return part.isLeftEmpty();
    });
    expect(told).toEqual([false, true]);
  });

  it("refuses a read beside another one, and loses nothing of that", async () => {
    const beside: Record<string, (part: Part) => Promise<unknown>> = {
      text: (part) => part.text(),
      bytes: (part) => part.bytes(),
      next: (part) => part[Symbol.asyncIterator]().next(),
    };
    for (const [name, read] of Object.entries(beside)) {
      for (const input of pieces(gif)) {
        const told = await eachOf(input, async (part) => {
          const [detected, second] = await Promise.allSettled([part.type(), read(part)]);
          return [detected, String((second as PromiseRejectedResult).reason)];
        });
        const error = "TypeError: Cannot read content twice at a time: a read is under way; await it";
        expect(told, name).toEqual([[{ status: "fulfilled", value: "image/gif" }, error]]);
      }
    }
  });

  it("stores a part whose type is being detected", async () => {
    for (const input of pieces(gif)) {
      const told = await eachOf(input, (part) => Promise.all([part.type(), part.store(memory())]));
      expect(told).toMatchObject([["image/gif", { type: "image/gif", size: 2_006 }]]);
    }
  });

  it("refuses to detect the type of a part that is read, or was", async () => {
    const input = { headers: new Headers({ "Content-Type": type }), body: streamOf(gif, 7) };
    const told = await eachOf(input, async (part) => {
      const [content, refused] = await Promise.allSettled([part.bytes(), part.type()]);
      const late = await part.type().catch(String);
      return [content.status, refused.status, late, await part.isLeftEmpty()];
    });
    expect(told).toEqual([["fulfilled", "rejected", 'TypeError: Cannot read the part "a": it is read already', false]]);
  });

  it("refuses two chunks at a time", async () => {
    const reading = eachOf({ headers: new Headers({ "Content-Type": type }), body: streamOf(gif, 7) }, (part) => {
      const chunks = part[Symbol.asyncIterator]();
      return Promise.all([chunks.next(), chunks.next(), chunks.next()]);
    });
    await expect(reading).rejects.toThrow("Cannot read content twice at a time");
  });

  it("goes on to the next part where a detection was not awaited", async () => {
    const form = written(["name=a", "1"], ["name=b", "2"]);
    const names = await eachOf({ headers: new Headers({ "Content-Type": type }), body: streamOf(form, 7) }, (part) => {
      void part.type();
      return part.name;
    });
    expect(names).toEqual(["a", "b"]);
  });

  it("fails all that wait for a client that left", async () => {
    const begun = written(["name=a", "x".repeat(100)]).slice(0, 90);
    const outcomes: PromiseSettledResult<unknown>[][] = [];
    const reading = eachOf(
      { headers: new Headers({ "Content-Type": type }), body: streamOf(begun, 7, new Error("left")) },
      async (part) => {
        outcomes.push(await Promise.allSettled([part.isLeftEmpty(), part.type(), part.type()]));
        await part.bytes();
      },
    );
    await expect(reading).rejects.toMatchObject({ status: 400 });
    expect(outcomes[0]!.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("reads alike what a host has without a stream, wherever chunks end", async () => {
    const form = written(["name=a", "1234"], ["name=b; filename=b", "12\r\n--34"], ["name=c", ""]);
    for (let bytes = 1; bytes <= form.length; bytes++) {
      expect(await eachOf(inputInChunks(form, bytes), (part) => part.text())).toEqual(["1234", "12\r\n--34", ""]);
      expect(await eachOf(inputInChunks(form, bytes), (part) => part.name)).toEqual(["a", "b", "c"]);
      await expect(eachOf(inputInChunks(form, bytes), undefined, { maxBytes: 20 })).rejects.toMatchObject({
        status: 413,
      });
      await expect(eachOf(inputInChunks(form.slice(0, -8), bytes))).rejects.toMatchObject({ status: 400 });
    }
  });

  it("has parts that are read chunk by chunk, once", async () => {
    const form = written(["name=a", "1234"], ["name=b; filename=b", "123456789"]);
    for (const input of [inputOf(form), inputInChunks(form, 7)]) {
      const read = await eachOf(input, async (part) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of part) chunks.push(chunk);
        expect(() => part[Symbol.asyncIterator]()).toThrow("it is read already");
        return new Blob(chunks as Uint8Array<ArrayBuffer>[]).text();
      });
      expect(read).toEqual(["1234", "123456789"]);
    }
    const firsts = await eachOf(inputInChunks(form, 1), async (part) => {
      for await (const chunk of part) return chunk.length;
      return 0;
    });
    expect(firsts).toEqual([1, 1]);
  });

  it("takes what is as long as the limits", async () => {
    const form = written(["name=a", "1234"]);
    const limits = { maxBytes: form.length, maxParts: 1, maxFieldBytes: 4, maxFileBytes: 0, maxHeadBytes: 100 };
    expect(await eachOf(inputOf(form), (part) => part.text(), limits)).toEqual(["1234"]);
  });

  it("has default limits: 10 MiB, 100 parts, 64 KiB a field, 5 MiB a file, 8 KiB a head", async () => {
    const file = written(["name=b; filename=b", "x".repeat(5_242_880)]);
    expect(await eachOf(inputOf(file))).toHaveLength(1);
    await expect(eachOf(inputOf(written(["name=b; filename=b", "x".repeat(5_242_881)])))).rejects.toThrow("5242880");
    await expect(eachOf(inputOf(written(["name=b", "x".repeat(65_537)])))).rejects.toThrow("65536");
    await expect(
      eachOf(inputOf(written(...Array.from({ length: 101 }, () => ["name=a", ""] as const)))),
    ).rejects.toThrow("100");
    await expect(eachOf(inputOf("x".repeat(10_485_761)))).rejects.toThrow("10485760");
    await expect(eachOf(inputOf(`--B\r\n${"x".repeat(8_193)}`))).rejects.toThrow("8192");
  });

  it.each([
    [
      { maxBytes: -1 },
      'Cannot call partsOf(): its option "maxBytes" must be a whole number that is not negative, got -1',
    ],
    [{ maxbytes: 1 }, 'Cannot call partsOf(): it has no option "maxbytes"'],
  ])("refuses the limits %j", async (limits, message) => {
    await expect(eachOf(inputOf(written()), undefined, limits as PartsOfOptions)).rejects.toThrow(message);
  });

  it("answers 415 to a form with a content coding", async () => {
    const input = { headers: new Headers({ "Content-Type": type, "Content-Encoding": "identity, gzip" }), body: null };
    await expect(eachOf(input)).rejects.toMatchObject({
      status: 415,
      message: "Content-Encoding is not accepted",
    });
  });

  it("answers 400 where there is no content", async () => {
    await expect(eachOf({ headers: new Headers(), body: null })).rejects.toMatchObject({ status: 415 });
    const none = { headers: new Headers({ "Content-Type": type }), body: null };
    await expect(eachOf(none)).rejects.toMatchObject({
      status: 400,
      message: "The form ends before its last boundary",
    });
  });

  it("reads fields that come in pieces, and empty ones, as text", async () => {
    const form = written(["name=a", "1234"], ["name=b", ""]);
    for (let at = 1; at < form.length; at++) {
      const chunks = [form.slice(0, at), form.slice(at)].map((text) => new TextEncoder().encode(text));
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
      const input = { headers: new Headers({ "Content-Type": type }), body };
      expect(await eachOf(input, (part) => part.text())).toEqual(["1234", ""]);
    }
  });

  it("reads no faster than the content of a part is read", async () => {
    let pulls = 0;
    const chunks = ["--B\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n", ..."xxxxxxxxxx", "\r\n--B--"];
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(new TextEncoder().encode(chunks[pulls++])) },
      { highWaterMark: 0 },
    );
    const parts = partsOf({ headers: new Headers({ "Content-Type": type }), body });
    const { value: part } = await parts.next();
    expect(pulls).toBe(1);
    const reader = part!.content.getReader();
    await new Promise((resolve) => setTimeout(resolve));
    expect(pulls).toBe(1);
    await reader.read();
    expect(pulls).toBe(2);
  });

  it("reads no part twice, nor after the next one was asked for", async () => {
    const parts = partsOf(inputOf(written(["name=a", "1"], ["name=b", "2"])));
    const { value: first } = await parts.next();
    expect(await first!.text()).toBe("1");
    await expect(first!.text()).rejects.toThrow('Cannot read the part "a": it is read already');
    expect(() => first!.content).toThrow("it is read already");
    expect(() => first!.store(memory())).toThrow("it is read already");
    const { value: second } = await parts.next();
    await parts.next();
    await expect(second!.bytes()).rejects.toThrow('Cannot read the part "b": it is read already');
  });
});

describe("part.type()", () => {
  it("tells the type by the first bytes, and leaves them to be read", async () => {
    const form = written(
      ["name=a; filename=a", "GIF89a", "text/html"],
      ["name=b; filename=b", "x".repeat(2_000), "text/css"],
    );
    const told = await eachOf(inputOf(form), async (part) => [
      await part.type(),
      await part.type(),
      (await part.text()).length,
    ]);
    expect(told).toEqual([
      ["image/gif", "image/gif", 6],
      ["text/css", "text/css", 2_000],
    ]);
  });

  it("tells it of bytes that come one by one", async () => {
    const bytes = Array.from(new TextEncoder().encode(written(["name=a; filename=a", "GIF89a"])), (byte) =>
      Uint8Array.of(byte),
    );
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = bytes.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const input = { headers: new Headers({ "Content-Type": type }), body };
    expect(await eachOf(input, async (part) => [await part.type(), await part.text()])).toEqual([
      ["image/gif", "GIF89a"],
    ]);
  });
});

describe("part.store()", () => {
  it("returns what is known of a file, and what its sink returned", async () => {
    const sink = noting();
    const given: IncomingFile[] = [];
    const spying: Sink<{ readonly key: string; readonly size: number }> = {
      async store(file, signal) {
        given.push(file);
        return { ...(await sink.store(file, signal)), size: -1 };
      },
      discard: (stored) => sink.discard(stored),
    };
    const form = written(['name=a; filename="b.txt"', "abc", "TEXT/CSV"], ["name=c", ""]);
    expect(await eachOf(inputOf(form), (part) => part.store(spying))).toEqual([
      { key: "a", fileName: "b.txt", type: "text/csv", size: 3, sha256: expect.stringMatching(/^ba7816bf/) as string },
      { key: "c", fileName: "", type: "text/plain", size: 0, sha256: expect.stringMatching(/^e3b0c442/) as string },
    ]);
    expect(sink.notes).toEqual(["store a abc", "store c "]);
    expect(given.map(({ name, fileName, type: told }) => [name, fileName, told])).toEqual([
      ["a", "b.txt", "text/csv"],
      ["c", "", "text/plain"],
    ]);
    expect(sink.signal!.aborted).toBe(false);
  });

  it.each([
    [
      "a type that is not accepted",
      ["name=b; filename=b", "GIF89a"],
      { types: ["image/png"] },
      422,
      'The file "b" is image/gif; accepted: image/png',
    ],
    [
      "an SVG that nobody named",
      ["name=b; filename=b", "<svg>"],
      {},
      422,
      'The file "b" is image/svg+xml; accepted: types without scripts',
    ],
    ["text with a NUL", ["name=b; filename=b", `${"x".repeat(600)}\0`], {}, 422, 'The file "b" is not text'],
    ["text that is not UTF-8", ["name=b; filename=b", `${"x".repeat(600)}\xff`], {}, 422, 'The file "b" is not text'],
    [
      "text that ends within a character",
      ["name=b; filename=b", `${"x".repeat(600)}\xc3`],
      {},
      422,
      'The file "b" is not text',
    ],
    [
      "a file that is too long",
      ["name=b; filename=b", "12345"],
      { maxBytes: 4 },
      413,
      'The file "b" is longer than 4 bytes',
    ],
    [
      "a long file that is too long",
      ["name=b; filename=b", "x".repeat(5_000)],
      { maxBytes: 4 },
      413,
      'The file "b" is longer than 4 bytes',
    ],
  ] as const)("refuses %s, and discards what was stored before", async (_, part, options, status, message) => {
    const sink = noting();
    const bytes = Uint8Array.from(written(["name=a; filename=a", "1"], part), (character) => character.charCodeAt(0));
    const input = { headers: new Headers({ "Content-Type": type }), body: new Response(bytes).body };
    const taking = eachOf(input, (one) => one.store(sink, one.name === "a" ? {} : options));
    await expect(taking).rejects.toMatchObject({ status, message });
    expect(sink.notes).toEqual(["store a 1", "discard a"]);
    expect(sink.signal!.aborted).toBe(true);
  });

  it("takes a file as long as allowed, however much may be longer", async () => {
    const sizes = await eachOf(inputOf(written(["name=a; filename=a", "1234"])), (part) =>
      part.store(memory(), { maxBytes: 4 }),
    );
    expect(sizes).toMatchObject([{ size: 4 }]);
    const more = eachOf(
      inputOf(written(["name=a; filename=a", "1234"])),
      (part) => part.store(memory(), { maxBytes: 9 }),
      {
        maxFileBytes: 3,
      },
    );
    await expect(more).rejects.toThrow('The file "a" is longer than 3 bytes');
  });

  it.each([
    ["an error in the loop", "loop"],
    ["a later part that cannot be read", "form"],
    ["content that breaks off", "content"],
    ["a part too many", "parts"],
  ])("discards everything after %s", async (_, kind) => {
    const sink = noting();
    const form = written(["name=a; filename=a", "1"], ["name=b; filename=b", "2"], ["name=c", "3"]);
    const cut = kind === "form" ? form.replace("name=c", "nome=c") : kind === "content" ? form.slice(0, -8) : form;
    const failing = eachOf(
      inputOf(cut),
      (part) => {
        if (part.name !== "c") return part.store(sink);
        if (kind === "loop") throw new Error("no room");
        return part.text();
      },
      kind === "parts" ? { maxParts: 2 } : {},
    );
    await expect(failing).rejects.toBeInstanceOf(Error);
    expect(sink.notes).toEqual(["store a 1", "store b 2", "discard a", "discard b"]);
  });

  it("discards everything when the loop is left, and tells what went wrong before a discard did", async () => {
    const sink = noting();
    for await (const part of partsOf(inputOf(written(["name=a; filename=a", "1"], ["name=b", "2"])))) {
      await part.store(sink);
      break;
    }
    expect(sink.notes).toEqual(["store a 1", "discard a"]);
    const failing: Sink = {
      store: async ({ content }) => ({
        read: await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).text(),
      }),
      discard: () => Promise.reject(new Error("b")),
    };
    const input = inputOf(written(["name=a; filename=a", ""], ["nome=b", "2"]));
    await expect(eachOf(input, (part) => part.store(failing))).rejects.toMatchObject({ status: 400 });
  });

  it("has nothing to discard in memory", async () => {
    const input = inputOf(written(["name=a; filename=a", "1"], ["nome=b", "2"]));
    await expect(eachOf(input, (part) => part.store(memory()))).rejects.toMatchObject({ status: 400 });
  });

  it("stores bytes that are not text as they are", async () => {
    const input = inputOf(written(["name=a; filename=a.gif", "GIF89a\0\0"]));
    const stored = await eachOf(input, (part) => part.store(memory(), { types: ["image/gif"] }));
    expect(stored).toMatchObject([{ type: "image/gif", size: 8, bytes: new TextEncoder().encode("GIF89a\0\0") }]);
  });

  it("keeps everything when the form was read to its end", async () => {
    const sink = noting();
    await eachOf(inputOf(written(["name=a; filename=a", "1"])), (part) => part.store(sink));
    expect(sink.notes).toEqual(["store a 1"]);
  });

  it("waits for a sink that nobody waits for, and discards what it stored", async () => {
    const sink = noting();
    const form = written(["name=a; filename=a", "1"], ["name=b; filename=b", "2"]);
    const storing: Promise<unknown>[] = [];
    for await (const part of partsOf(inputOf(form))) {
      storing.push(part.store(sink));
      if (part.name === "b") break;
    }
    await Promise.allSettled(storing);
    expect(sink.notes).toEqual(["store a 1", "store b 2", "discard a", "discard b"]);
  });

  it("refuses a sink that does not read all, and discards what it stored", async () => {
    const notes: string[] = [];
    const lazy: Sink = { store: () => ({}), discard: () => void notes.push("discard") };
    const taking = eachOf(inputOf(written(["name=a; filename=a", "1"])), (part) => part.store(lazy));
    await expect(taking).rejects.toThrow('Cannot store the file "a": its sink has not read all of it');
    expect(notes).toEqual(["discard"]);
  });

  it("tells a sink by its signal when the client leaves", async () => {
    const client = new AbortController();
    const sink = noting();
    const taking = eachOf(inputOf(written(["name=a; filename=a", "1"]), { signal: client.signal }), async (part) => {
      await part.store(sink);
      client.abort();
    });
    await taking;
    expect(sink.signal!.aborted).toBe(true);
  });

  it.each([
    [
      { types: "image/png" },
      'Cannot call store(): its option "types" must be an array of media types that files are found to have, such as ' +
        '"image/png" or "image/*"',
    ],
    [
      { maxBytes: 1.5 },
      'Cannot call store(): its option "maxBytes" must be a whole number that is not negative, got 1.5',
    ],
  ])("refuses the options %j", async (options, message) => {
    await expect(
      eachOf(inputOf(written(["name=a", "1"])), (part) => part.store(memory(), options as object)),
    ).rejects.toThrow(message);
  });
});
