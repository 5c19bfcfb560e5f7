import { client } from "fingerpost/client";
import { clientLines } from "fingerpost/client/lines";
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
  it("writes values as they are asked for, and leaves them when nobody does", async () => {
    const notes: string[] = [];
    async function* values() {
      try {
        for (let id = 1; id <= 3; id++) {
          notes.push(`${id}`);
          yield { id };
        }
      } finally {
        notes.push("end");
      }
    }
    expect(await textOf(values())).toBe('{"id":1}\n{"id":2}\n{"id":3}\n');
    expect(await textOf([1, "a"])).toBe('1\n"a"\n');
    notes.length = 0;
    const reader = ((await clientLines.write(values() as never)) as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(notes).toEqual(["1", "end"]);
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
