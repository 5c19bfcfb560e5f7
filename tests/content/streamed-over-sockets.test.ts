import { connect } from "node:net";
import { Application, bytes, lines, reply, Resource, text, type Call } from "fingerpost";
import { memory } from "fingerpost/files";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { gate, portOf } from "../support/sockets.ts";

async function started(...classes: readonly unknown[]) {
  return (await stoppable({}, ...classes)).port;
}

async function stoppable(options: { readonly graceMs?: number }, ...classes: readonly unknown[]) {
  const stop = new AbortController();
  const app = Application.builder()
    .resources(...(classes as never[]))
    .onError(() => {})
    .build();
  const server = await serve(app, { ...options, port: 0, signal: stop.signal });
  onTestFinished(() => stop.abort());
  return { port: portOf(server), stop };
}

const maxBytes = 200_000_000;

describe("C8.22 streams of bytes over sockets", () => {
  it("wait for a slow handler: the socket takes no more than fits its buffers", async () => {
    const { opened, open } = gate();
    const begun = gate();
    class Slow extends Resource {
      override paths = ["/"] as const;
      static PUT = { content: bytes(undefined, { maxBytes, stream: true }), 200: text() };
      override async PUT({ content }: Call<typeof Slow, "PUT">): Promise<string> {
        let size = 0;
        for await (const chunk of content) {
          size += chunk.byteLength;
          begun.open();
          await opened;
        }
        return String(size);
      }
    }
    const port = await started(Slow);
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (sent === 100_000_000) return controller.close();
        sent += 100_000;
        return controller.enqueue(new Uint8Array(100_000));
      },
    });
    const answer = fetch(`http://127.0.0.1:${port}/`, { method: "PUT", body, duplex: "half" } as never);
    await begun.opened;
    let before = -1;
    await vi.waitFor(
      () => {
        const isStill = sent === before;
        before = sent;
        expect(isStill).toBe(true);
      },
      { interval: 300, timeout: 10_000 },
    );
    expect(sent).toBeLessThan(50_000_000);
    open();
    expect(await (await answer).text()).toBe("100000000");
  });

  it("are 413 while they come in, which fetch() receives", async () => {
    class Small extends Resource {
      override paths = ["/"] as const;
      static PUT = { content: bytes(undefined, { maxBytes: 1_000_000, stream: true }), 200: text() };
      override async PUT({ content }: Call<typeof Small, "PUT">): Promise<string> {
        return String((await new Response(content).bytes()).length);
      }
    }
    const port = await started(Small);
    const chunks = Array.from({ length: 15 }, () => new Uint8Array(100_000)).values();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const { done, value } = chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "PUT", body, duplex: "half" } as never);
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      413,
      "The content is longer than 1000000 bytes",
    ]);
  });

  it("fail where the client leaves, or are kept so far and resumed", async () => {
    let uploaded = new Uint8Array();
    const errors: unknown[] = [];
    const begun = gate();
    const stored = gate();
    const { store, discard } = memory();
    const noting: ReturnType<typeof memory> = {
      discard,
      async store(file, signal) {
        const content = file.content.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              controller.enqueue(chunk);
              stored.open();
            },
          }),
        );
        return store({ ...file, content }, signal);
      },
    };
    class Streamed extends Resource {
      override paths = ["/streamed"] as const;
      static PUT = { content: bytes(undefined, { maxBytes, stream: true }), 204: "Stored" };
      override async PUT({ content }: Call<typeof Streamed, "PUT">): Promise<undefined> {
        begun.open();
        try {
          for await (const _ of content);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    class Resumed extends Resource {
      override paths = ["/resumed"] as const;
      static PATCH = {
        headers: z.object({ "content-range": z.string() }),
        content: bytes("*/*", { maxBytes, to: noting, partial: "keep" }),
        204: "Stored",
        416: "Another part is next",
      };
      override PATCH({ content, headers }: Call<typeof Resumed, "PATCH">) {
        if (!headers["content-range"].startsWith(`bytes ${uploaded.length}-`)) return reply(416);
        uploaded = Uint8Array.of(...uploaded, ...content.bytes);
        return reply(204);
      }
    }
    const port = await started(Streamed, Resumed);
    const leave = async (head: string, arrived: Promise<unknown>) => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(`${head}\r\nHost: h\r\nContent-Length: 10\r\n\r\n123`);
      await arrived;
      socket.destroy();
    };
    await leave("PUT /streamed HTTP/1.1", begun.opened);
    await vi.waitFor(() => expect(errors).toEqual([expect.objectContaining({ status: 400 })]));
    await leave("PATCH /resumed HTTP/1.1\r\nContent-Range: bytes 0-9/10", stored.opened);
    await vi.waitFor(() => expect(Buffer.from(uploaded).toString()).toBe("123"));
    const send = async (range: string, body: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/resumed`, {
          method: "PATCH",
          headers: { "Content-Range": range },
          body: new TextEncoder().encode(body),
        })
      ).status;
    expect(await send("bytes 0-9/10", "1234567890")).toBe(416);
    expect(await send("bytes 3-9/10", "4567890")).toBe(204);
    expect(Buffer.from(uploaded).toString()).toBe("1234567890");
  });
});

describe("C8.22 generators, when the server stops,", () => {
  const kinds = {
    "text()": [text("text/csv"), (row: string) => row],
    "bytes()": [bytes("text/csv"), (row: string) => new TextEncoder().encode(row)],
    "lines()": [lines(z.string()), (row: string) => row],
  } as const;

  /** The URL of rows, of which the second one waits for a gate, and what stops the server once the first was read. */
  async function exporting(kind: keyof typeof kinds, options: { readonly graceMs?: number }) {
    const [declared, write] = kinds[kind];
    const { opened, open } = gate();
    const aborted = gate();
    class Export extends Resource {
      override paths = ["/"] as const;
      static GET = { 200: declared };
      override async *GET({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<string | Uint8Array> {
        signal.addEventListener("abort", () => aborted.open());
        yield write("one");
        await opened;
        yield write("two");
      }
    }
    const { port, stop } = await stoppable(options, Export);
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { value: first } = await reader.read();
    stop.abort();
    await aborted.opened;
    return { first, reader, open };
  }

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])("send the rest of %s", async (kind) => {
    const { first, reader, open } = await exporting(kind, {});
    open();
    let rest = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value;
    const [one, two] = kind === "lines()" ? ['"one"\n', '"two"\n'] : ["one", "two"];
    expect([first, rest]).toEqual([one, two]);
  });

  it("are broken off when their time is over, so that no client takes a part for the whole", async () => {
    const { reader } = await exporting("text()", { graceMs: 20 });
    await expect(reader.read()).rejects.toThrow("terminated");
  });
});
