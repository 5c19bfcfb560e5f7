import { client, clientLines } from "fingerpost/client";
import { describe, expect, it, onTestFinished } from "vitest";

const call = { key: "GET /books", signal: undefined };

function responseOf(...chunks: readonly (string | Uint8Array | Error)[]): Response & { readonly notes: string[] } {
  const notes: string[] = [];
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      },
      cancel() {
        notes.push("cancel");
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(new Response(body), { notes });
}

async function allOf(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function textOf(values: Iterable<unknown> | AsyncIterable<unknown>): Promise<string> {
  return new Response((await clientLines.write(values as never)) as ReadableStream<Uint8Array<ArrayBuffer>>).text();
}

describe("clientLines.read()", () => {
  it("reads lines however they are cut", async () => {
    const bytes = new TextEncoder().encode('{"a":"é"}\r\n\n2\n"last"');
    for (let at = 0; at <= bytes.length; at++) {
      const response = responseOf(bytes.slice(0, at), bytes.slice(at));
      expect(await allOf(clientLines.read(response, call))).toEqual([{ a: "é" }, 2, "last"]);
    }
    expect(await allOf(clientLines.read(responseOf("1", "2", "3\n4", "\n"), call))).toEqual([123, 4]);
    expect(await allOf(clientLines.read(responseOf(), call))).toEqual([]);
  });

  it("cancels the answer when the loop is left", async () => {
    const response = responseOf("1\n2\n", "3\n", "4\n");
    for await (const value of clientLines.read(response, call)) {
      expect(value).toBe(1);
      break;
    }
    expect(response.notes).toEqual(["cancel"]);
  });

  it("throws for a line of more than 16,777,216 characters, and reads no further", async () => {
    const megabyte = "x".repeat(2 ** 20);
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(given++ === 0 ? "1\n" : megabyte)),
    });
    const error = await allOf(clientLines.read(new Response(endless as never), call)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      name: "ResponseError",
      cause: new RangeError("Cannot read the line: it has more than 16777216 characters"),
    });
    expect(given).toBeLessThan(21);
    const long = `"${megabyte.repeat(15)}"\n2\n`;
    expect(await allOf(clientLines.read(responseOf(long), call))).toEqual([expect.any(String), 2]);
  });

  it("throws for a line that is not JSON, and for an answer that breaks off", async () => {
    await expect(allOf(clientLines.read(responseOf("1\nno\n"), call))).rejects.toThrow("GET /books");
    const broken = allOf(clientLines.read(responseOf("1\n", new Error("gone")), call));
    await expect(broken).rejects.toMatchObject({ cause: { message: "gone" } });
  });

  it("throws when the call is aborted, before and while it reads", async () => {
    const { signal } = { signal: AbortSignal.abort(new Error("early")) };
    await expect(allOf(clientLines.read(responseOf("1\n"), { key: "k", signal }))).rejects.toThrow("early");
    const abort = new AbortController();
    const never = new Response(new ReadableStream());
    const reading = allOf(clientLines.read(never, { key: "k", signal: abort.signal }));
    abort.abort(new Error("late"));
    await expect(reading).rejects.toThrow("late");
  });
});

describe("clientLines.write()", () => {
  it("writes values that are there together, and leaves them when nobody asks for more", async () => {
    const notes: number[] = [];
    async function* values() {
      try {
        for (let id = 1; id <= 5_000; id++) {
          notes.push(id);
          yield { id };
        }
      } finally {
        notes.push(0);
      }
    }
    const text = await textOf(values());
    expect([text.length, text.slice(0, 18)]).toEqual([58_893, '{"id":1}\n{"id":2}\n']);
    expect(await textOf([1, "a"])).toBe('1\n"a"\n');
    expect(await textOf([])).toBe("");
    notes.length = 0;
    const reader = ((await clientLines.write(values() as never)) as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(value!.length).toBeLessThan(17_000);
    await reader.cancel();
    // One more than was sent may have been asked for.
    expect(notes.length).toBeLessThan(1_600);
    expect(notes.at(-1)).toBe(0);
  });

  it("holds no value back for a later one, and fails with what a later one fails with", async () => {
    let fail!: (error: Error) => void;
    async function* values() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield 0;
      yield 1;
      yield 2;
      await new Promise((_, reject) => (fail = reject));
    }
    const reader = ((await clientLines.write(values() as never)) as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    expect(decoder.decode((await reader.read()).value)).toBe("0\n");
    expect(decoder.decode((await reader.read()).value)).toBe("1\n2\n");
    fail(new Error("no more"));
    await expect(reader.read()).rejects.toThrow("no more");
  });

  it("is sent so that fetch() of Node keeps nothing for a redirect, where the runtime knows how", async () => {
    const sent: string[] = [];
    const api = client<never>("http://a", {
      lines: clientLines,
      fetch: async (request) => {
        sent.push(request.redirect);
        return new Response(null, { status: 204 });
      },
    }) as unknown as Record<string, { POST(input: object): Promise<unknown> }>;
    const send = (type: string, content: unknown) => api["/a"]!.POST({ type, content });
    await send("application/jsonl", [1]);
    await send("text/plain", new ReadableStream());
    await send("text/plain", "a");
    const { Request: ofNode } = globalThis;
    // Workers know no such redirect.
    let knowsError = true;
    try {
      void new ofNode("http://a", { redirect: "error" });
    } catch {
      knowsError = false;
    }
    onTestFinished(() => void (globalThis.Request = ofNode));
    globalThis.Request = class extends ofNode {
      constructor(url: string, init: RequestInit) {
        if (init.redirect === "error") throw new TypeError("Invalid redirect value");
        super(url, init);
      }
    } as typeof Request;
    await send("application/jsonl", [1]);
    const known = knowsError ? "error" : "follow";
    expect(sent).toEqual([known, known, "follow", "follow"]);
  });

  it("refuses what JSON cannot write", async () => {
    await expect(textOf([1, undefined])).rejects.toThrow("Cannot send a line: JSON cannot write undefined");
  });

  it.each(["document", "importScripts"])("collects values in browsers, which have %s", async (name) => {
    onTestFinished(() => void delete (globalThis as Record<string, unknown>)[name]);
    (globalThis as Record<string, unknown>)[name] = name === "document" ? {} : () => {};
    expect(await clientLines.write([1, 2] as never)).toBeInstanceOf(Blob);
    expect(await textOf([1, 2])).toBe("1\n2\n");
  });

  it("sends what is bytes or text already as it is", async () => {
    const sent: string[] = [];
    const api = client<never>("http://localhost", {
      fetch: async (request) => {
        sent.push(await request.text());
        return new Response(null, { status: 204 });
      },
    }) as unknown as Record<string, { POST(input: object): Promise<unknown> }>;
    const type = "application/jsonl";
    await api["/books"]!.POST({ type, content: "1\n" });
    await api["/books"]!.POST({ type, content: new Blob(["2\n"]) });
    expect(sent).toEqual(["1\n", "2\n"]);
  });
});
