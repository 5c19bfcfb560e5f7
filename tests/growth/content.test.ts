import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { describe, expect, it } from "vitest";
import { readAhead } from "../../src/middleware/lib/read-ahead.ts";
import { nativeAround, requestFor } from "../middleware/around.ts";
import { gate, turn } from "../support/sockets.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const count = 20_000;

/** Content in chunks of one byte, as anyone can send it, which then waits to be told to end. */
function trickle() {
  const { opened: ending, open: end } = gate();
  const { opened: sent, open: sentAll } = gate();
  const chunks: WeakRef<Uint8Array>[] = [];
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (chunks.length === count) {
          sentAll();
          await ending;
          return controller.close();
        }
        const chunk = new Uint8Array([chunks.length]);
        chunks.push(new WeakRef(chunk));
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const held = async (): Promise<number> => {
    await sent;
    await turn();
    collect();
    return chunks.filter((chunk) => chunk.deref() !== undefined).length;
  };
  return { stream, held, end };
}

const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => total + byte, 0);
const expected = sum(Uint8Array.from({ length: count }, (_, index) => index));

describe("content in chunks of one byte", () => {
  it("is held by bodyLimit() as its bytes, not as chunks of a hundred times their size", async () => {
    const { stream, held, end } = trickle();
    const app = nativeAround(bodyLimit({ maxBytes: 2 * count }), async (request) =>
      Response.json(sum(new Uint8Array(await request.arrayBuffer()))),
    );
    const answer = app.fetch(requestFor({ method: "POST", body: stream, duplex: "half" }));
    expect(await held()).toBeLessThan(10);
    end();
    expect(await (await answer).json()).toBe(expected);
  });

  it("is held as its bytes while a tag of the whole, or its compression, waits for the rest", async () => {
    const { stream, held, end } = trickle();
    const content = await readAhead(stream, 2 * count);
    expect(content).toBeInstanceOf(ReadableStream);
    expect(await held()).toBeLessThan(10);
    end();
    expect(sum(new Uint8Array(await new Response(content as ReadableStream).arrayBuffer()))).toBe(expected);
  });
});

it("RFC 9110 §8.6 a Content-Length that a client only claims costs nothing", async () => {
  const claim = 1_000_000;
  const app = nativeAround(bodyLimit({ maxBytes: claim }));
  const { opened: ending, open: end } = gate();
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(100)),
      async pull(controller) {
        await ending;
        controller.close();
      },
    });
  const before = process.memoryUsage().arrayBuffers;
  const answers = Array.from({ length: 20 }, () => {
    const headers = { "content-length": String(claim) };
    return app.fetch(requestFor({ method: "POST", body: body(), headers, duplex: "half" }));
  });
  await turn();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(claim);
  end();
  for (const answer of answers) expect((await answer).status).toBe(200);
});
