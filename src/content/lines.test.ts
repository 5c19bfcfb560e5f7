import { describe, expect, it } from "vitest";
import type { HTTPError } from "../http/protocol/http-error.ts";
import { linesOf, lineStream, type LinesOfOptions } from "./lines.ts";

const limits: LinesOfOptions = { maxBytes: 1_000, maxLineBytes: 20 };

function inputOf(...chunks: readonly (string | Uint8Array)[]): object & { canceled: boolean; reads: number } {
  const rest = [...chunks];
  const input = {
    canceled: false,
    reads: 0,
    headers: new Headers({ "Content-Type": "application/jsonl" }),
    body: new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          input.reads++;
          const chunk = rest.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
        },
        cancel() {
          input.canceled = true;
        },
      },
      { highWaterMark: 0 },
    ),
  };
  return input;
}

async function valuesOf(input: object, bounds: LinesOfOptions = limits): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of linesOf(input, bounds)) values.push(value);
  return values;
}

describe("linesOf()", () => {
  it.each([
    ["nothing", "", []],
    ["lines", '{"a":1}\n[2]\n', [{ a: 1 }, [2]]],
    ["no line break at the end", "1\n2", [1, 2]],
    ["CRLF", "1\r\n2\r\n3\r", [1, 2, 3]],
    ["empty lines", "\n\n1\r\n\r\n \t\n2\n\n", [1, 2]],
    ["characters of several bytes", '"ä€😀"\n', ["ä€😀"]],
    ["a line of as many bytes as allowed", `"${"x".repeat(18)}"\r\n`, ["x".repeat(18)]],
  ])("reads %s, however they are cut", async (_, content, values) => {
    const bytes = new TextEncoder().encode(content);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await valuesOf(inputOf(bytes.slice(0, at), bytes.slice(at)))).toEqual(values);
    }
    expect(await valuesOf(inputOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(values);
  });

  it.each([
    ["a line that is not JSON", ["1\n\n{\n2\n"], 400, "Line 3 is not JSON"],
    ["a byte order mark", ["\ufeff1\n"], 400, "Line 1 is not JSON"],
    ["a line that is not UTF-8", [Uint8Array.of(49, 10, 34, 0xe9, 34, 10)], 400, "Line 2 is not UTF-8"],
    ["a line that is too long", [`1\n"${"x".repeat(19)}"\n`], 413, "Line 2 is longer than 20 bytes"],
    ["a line without end", ["1\n", ..."x".repeat(40)], 413, "Line 2 is longer than 20 bytes"],
    ["content that is too long", ["1\n".repeat(501)], 413, "The content is longer than 1000 bytes"],
  ] as const)("refuses %s, and cancels the rest", async (_, chunks, status, message) => {
    const input = inputOf(...chunks, "1\n");
    await expect(valuesOf(input)).rejects.toMatchObject({ status, message });
    expect(input.canceled).toBe(true);
  });

  it("RFC 9110 §10.1.1 refuses content that says that it is too long, and reads nothing of it", async () => {
    const input = inputOf("1\n");
    const refused = {
      ...input,
      headers: new Headers({ "Content-Type": "application/jsonl", "Content-Length": "1001" }),
    };
    const message = "The content is longer than 1000 bytes";
    await expect(valuesOf(refused)).rejects.toMatchObject({ status: 413, message });
    expect(input.reads).toBe(0);
  });

  it("reads no further than it is asked, and cancels the rest of a loop that ends early", async () => {
    const input = inputOf("1\n2\n", "3\n", "4\n");
    const values = linesOf(input, limits);
    expect([await values.next(), input.reads]).toEqual([{ done: false, value: 1 }, 1]);
    expect([await values.next(), input.reads]).toEqual([{ done: false, value: 2 }, 1]);
    expect([await values.next(), input.reads]).toEqual([{ done: false, value: 3 }, 2]);
    await values.return();
    expect([input.canceled, input.reads]).toEqual([true, 2]);
  });

  it("says nothing of content that cannot be canceled", async () => {
    const chunks = new ReadableStream({
      pull: (controller) => controller.enqueue(Uint8Array.of(123, 10)),
      cancel: () => Promise.reject(new Error("no")),
    });
    const input = { headers: new Headers({ "Content-Type": "application/x-ndjson" }), body: chunks };
    await expect(valuesOf(input)).rejects.toThrow("Line 1 is not JSON");
  });

  it("answers 415 to content with a content coding, and reads nothing of it", async () => {
    const input = Object.assign(inputOf("1\n"), {
      headers: new Headers({ "Content-Type": "application/jsonl", "Content-Encoding": "gzip" }),
    });
    const error = await valuesOf(input).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 415, message: "Content-Encoding is not accepted" });
    expect([(error as HTTPError).headers.get("accept-encoding"), input.reads]).toEqual(["identity", 0]);
    input.headers.set("Content-Encoding", "identity");
    expect(await valuesOf(input)).toEqual([1]);
  });

  it("takes no content for no line, and refuses other types", async () => {
    expect(await valuesOf({ headers: new Headers({ "Content-Type": "application/jsonl" }), body: null })).toEqual([]);
    for (const headers of [new Headers(), new Headers({ "Content-Type": "application/json" })]) {
      await expect(valuesOf({ headers, body: null })).rejects.toMatchObject({
        status: 415,
        message: "Expected application/jsonl",
      });
    }
  });

  it.each([
    [{}, 'Cannot call linesOf(): its option "maxBytes" must be given, got undefined'],
    [{ maxBytes: 1, maxLineBytes: -1 }, 'Cannot call linesOf(): its option "maxLineBytes" must be a whole number'],
  ])("refuses the limits %j", async (bounds, message) => {
    await expect(valuesOf(inputOf(), bounds as LinesOfOptions)).rejects.toThrow(message);
  });
});

const ask = (init: RequestInit = {}): Request => new Request("http://localhost/", init);

describe("lineStream()", () => {
  it("sends a line for each value", async () => {
    const response = lineStream(ask(), async function* () {
      yield { a: "1\n2" };
      yield null;
    });
    expect(response.headers.get("Content-Type")).toBe("application/jsonl");
    expect(await response.text()).toBe('{"a":"1\\n2"}\nnull\n');
  });

  it.each([
    ["application/x-ndjson", "application/x-ndjson"],
    ["application/x-ndjson;q=0.5, application/jsonl", "application/jsonl"],
    ["text/html", "application/jsonl"],
  ])("answers %s by %s", (accept, type) => {
    const response = lineStream(ask({ headers: { Accept: accept } }), async function* () {});
    expect([response.headers.get("Content-Type"), response.headers.get("Vary")]).toEqual([type, "Accept"]);
  });

  it("makes values as fast as they are read, and none for HEAD", async () => {
    let made = 0;
    const open = async function* (): AsyncGenerator<number> {
      for (;;) yield ++made;
    };
    expect(lineStream(ask({ method: "HEAD" }), open).body).toBeNull();
    const reader = lineStream(ask(), open).body!.getReader();
    await new Promise((resolve) => setTimeout(resolve));
    expect(made).toBe(0);
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve));
    expect(made).toBe(1);
    await reader.cancel();
  });

  it("ends the generator within a tick when the client leaves", async () => {
    const seen: unknown[] = [];
    const response = lineStream(ask(), async function* (signal) {
      try {
        yield 1;
        yield 2;
      } finally {
        seen.push(signal.aborted);
      }
    });
    const reader = response.body!.getReader();
    await reader.read();
    void reader.cancel();
    await Promise.resolve();
    expect(seen).toEqual([true]);
  });

  it("breaks off when the generator fails, or a value has no JSON", async () => {
    const failing = async function* (): AsyncGenerator<unknown> {
      yield 1;
      throw new Error("gone");
    };
    await expect(lineStream(ask(), failing).text()).rejects.toThrow("gone");
    let isEnded = false;
    const strange = async function* (): AsyncGenerator<unknown> {
      try {
        yield () => {};
      } finally {
        isEnded = true;
        // eslint-disable-next-line no-unsafe-finally -- nobody hears it
        throw new Error("late");
      }
    };
    await expect(lineStream(ask(), strange).text()).rejects.toThrow(
      "Cannot send a line: expected a value that JSON can write, got a function",
    );
    expect(isEnded).toBe(true);
  });

  it("takes an iterable that has no return()", async () => {
    const endless: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }) }) };
    const reader = lineStream(ask(), () => endless).body!.getReader();
    await reader.read();
    await reader.cancel();
    const unread = lineStream(ask(), () => endless);
    await unread.body!.cancel();
  });

  it("breaks off where there is nothing to iterate", async () => {
    const response = lineStream(ask(), () => [1] as never);
    await expect(response.text()).rejects.toThrow("Cannot send lines: expected an async iterable, got an array");
  });

  it("refuses what is not a function", () => {
    expect(() => lineStream(ask(), [] as never)).toThrow(
      "Cannot answer with lines: expected a function that makes values",
    );
  });
});
