// What a server sends costs the client in proportion to its length, however it is cut, and however odd it is.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client } from "../../src/client.ts";
import { clientEvents } from "../../src/client/client-events.ts";
import { clientLines } from "../../src/client/client-lines.ts";
import { itemsOf } from "../../src/client/client-pages.ts";
import { retries } from "../../src/client/retries.ts";
import { etags } from "../../src/client/etags.ts";
import { CostMeter } from "./cost.ts";

const meter = new CostMeter();
beforeAll(() => meter.start());
afterAll(() => meter.stop());

/** A stream of a text in parts of so many bytes. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

interface Api {
  readonly [pattern: string]: {
    readonly GET: (input?: object) => Promise<{ readonly content: unknown; orThrow(): unknown; itemsOf?: never }>;
  };
}

function apiOf(fetch: (request: Request) => Promise<Response>): Api {
  return client("http://localhost", { fetch, events: clientEvents, lines: clientLines }) as Api;
}

const answering = (type: string, status = 200): ((text: string, size: number) => Api) => {
  return (text, size) =>
    apiOf(async () => new Response(streamOf(text, size), { status, headers: { "content-type": type } }));
};

async function drained(api: Api): Promise<void> {
  const content = (await api["/things"]!.GET()).orThrow() as AsyncIterable<unknown>;
  let count = 0;
  for await (const _ of content) count++;
  void count;
}

/** Of a stream of events the last one says that it is over: otherwise the client would ask again. */
async function drainedEvents(api: Api): Promise<void> {
  const content = (await api["/things"]!.GET()).orThrow() as AsyncIterable<unknown>;
  for await (const one of content) if (one === "end") return;
}

async function refused(api: Api): Promise<void> {
  const result = await api["/things"]!.GET();
  result.orThrow();
}

const end = '\n\ndata: "end"\n\n';

const cases: Readonly<Record<string, (count: number, size: number) => Promise<void>>> = {
  "events, a long line": (count, size) =>
    drainedEvents(answering("text/event-stream")(`data: "${"x".repeat(count)}"${end}`, size)),
  "events, many": (count, size) =>
    drainedEvents(answering("text/event-stream")(`data: 1\n\n`.repeat(count / 8) + end, size)),
  "events, many lines of one": (count, size) =>
    drainedEvents(answering("text/event-stream")("data: 1\n".repeat(count / 8) + end, size)),
  "events, comments": (count, size) =>
    drainedEvents(answering("text/event-stream")(":\n".repeat(count / 2) + end, size)),
  "events, broken lines": (count, size) =>
    drainedEvents(answering("text/event-stream")("\r:\uFEFF\0\n".repeat(count / 8) + end, size)),
  "events, a long id": (count, size) =>
    drainedEvents(answering("text/event-stream")(`id: ${"x".repeat(count)}${end}`, size)),
  "events, ids": (count, size) =>
    drainedEvents(answering("text/event-stream")("id: 1\n".repeat(count / 6) + end, size)),
  "lines, a long one": (count, size) => drained(answering("application/jsonl")(`"${"x".repeat(count)}"\n`, size)),
  "lines, many": (count, size) => drained(answering("application/jsonl")("1\n".repeat(count / 2), size)),
  "lines, empty": (count, size) => drained(answering("application/jsonl")("\n".repeat(count), size)),
  "lines, broken": (count, size) => drained(answering("application/jsonl")("{".repeat(count), size)),
  "problems, of many errors": (count, size) => {
    const errors = Array.from({ length: count / 40 }, () => ({ in: "content", pointer: "#/a", detail: "x" }));
    return refused(
      answering("application/problem+json", 422)(JSON.stringify({ title: "x", status: 422, errors }), size),
    );
  },
  "problems, broken": (count, size) => refused(answering("application/problem+json", 422)("[".repeat(count), size)),
  "problems, of another type": (count, size) => refused(answering("text/html", 502)("<".repeat(count), size)),
  pages: async (count) => {
    const pages = count / 100;
    const api = apiOf(async ({ url }) => {
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      return Response.json({ items: [at], next: at + 1 < pages ? String(at + 1) : null });
    });
    let read = 0;
    for await (const _ of itemsOf(api["/things"]!.GET as never)) read++;
    expect(read).toBe(pages);
  },
  "pages, of many items": async (count) => {
    const api = apiOf(async () => Response.json({ items: Array.from({ length: count }, () => 1), next: null }));
    let read = 0;
    for await (const _ of itemsOf(api["/things"]!.GET as never)) read++;
    expect(read).toBe(count);
  },
  "retries(), a long Retry-After": async (count) => {
    const headers = { "retry-after": "9".repeat(count) };
    const layer = retries({ maxRetries: 1 });
    const request = new Request("http://localhost/");
    await layer(request, async () => new Response(null, { status: 503, headers }));
  },
  "etags(), a long tag": async (count) => {
    const headers = { etag: `"${"x".repeat(count)}"` };
    const layer = etags();
    const next = async (): Promise<Response> => new Response(null, { headers });
    await layer(new Request("http://localhost/"), next);
    await layer(new Request("http://localhost/", { method: "PUT" }), next);
  },
};

describe.each(Object.entries(cases))("%s", (_name, run) => {
  it.each([1, 4_096])("costs in proportion to its length, in parts of %i bytes", async (size) => {
    await run(400, size).catch(() => {});
    await meter.reset();
    const costs: number[] = [];
    for (const count of [4_000, 8_000]) costs.push(await meter.costOf(() => run(count, size)));
    const [once, twice] = costs as [number, number];
    expect(twice, `${once} and ${twice}`).toBeLessThan(2.2 * once + 200);
  });
});
