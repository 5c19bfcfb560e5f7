import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lastEventIdOf } from "../content/inbox.ts";
import type { EventsCall } from "./client-options.ts";
import { clientEvents } from "./client-events.ts";
import { ResponseError } from "./response-error.ts";

const type = { headers: { "content-type": "text/event-stream" } };
const streamOf = (...left: (string | Uint8Array<ArrayBuffer> | Error)[]): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      },
    }),
    type,
  );
const never = (): never => expect.unreachable("It must not be sent again");
const over = new Response(null, { status: 204 });

/** Answers one request after the other, and keeps what each had. */
function answering(...answers: readonly (Response | Error)[]): EventsCall & { asked: Record<string, string>[] } {
  const asked: Record<string, string>[] = [];
  const sendAgain: EventsCall["sendAgain"] = async (headers) => {
    const answer = answers[asked.length]!;
    asked.push({ ...headers });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, sendAgain, key: "GET /ticks", signal: undefined };
}

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe("clientEvents()", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Waits for a promise, while time runs as fast as it can. */
  async function soon<T>(promise: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const done = promise.finally(() => (state.isOver = true));
    done.catch(() => {});
    while (!state.isOver) await vi.advanceTimersByTimeAsync(1_000);
    return done;
  }

  it("C11.5 parses by the rules of WHATWG: line breaks, comments, fields, incomplete ends", async () => {
    const text =
      "\ufeffdata: 1\n\ndata:2\r\rdata: [3,\r\ndata: 4]\r\n\r\n: comment\n\nevent: x\ndata: 5\nother: y\nid: " +
      "7\n\ndata\n";
    for (const size of [1, 2, 3, 7, 1000]) {
      const bytes = new TextEncoder().encode(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, at * size + size),
      );
      const call = answering(over);
      expect(await soon(all(clientEvents(streamOf(...chunks), call)))).toEqual([1, 2, [3, 4], 5]);
      expect(call.asked).toEqual([{ "last-event-id": "7" }]);
    }
  });

  it("C11.5 yields each event as it ends, also by a carriage return", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const events = clientEvents(new Response(readable, type), answering());
    void writable.getWriter().write(new TextEncoder().encode("data: 1\r\r"));
    expect(await events.next()).toEqual({ done: false, value: 1 });
    await events.return();
  });

  it("E8 C11.2 reconnects when the stream ends or breaks off, by the id of the last event, until 204", async () => {
    const call = answering(
      streamOf("data: 2\n\nid: lost", new Error("Broken")),
      new Error("The network is down"),
      new Response(null, { status: 503 }),
      new Response(null, { status: 429 }),
      streamOf("id: no\0\nid\ndata: 3\n\n"),
      over,
    );
    const first = streamOf("id: a\ndata: 1\n\n", "id: lost\ndata: lost\n");
    expect(await soon(all(clientEvents(first, call)))).toEqual([1, 2, 3]);
    expect(call.asked).toEqual([...Array.from({ length: 5 }, () => ({ "last-event-id": "a" })), {}]);
  });

  it("E8 C11.2 waits from one second, or as the server says, up to 60 seconds, with jitter", async () => {
    const waits: number[] = [];
    const failing = (first: Response, times: number): Promise<unknown[]> => {
      const call = answering(...Array.from({ length: times }, () => new Error("Down")), over);
      let from = Date.now();
      const sendAgain: EventsCall["sendAgain"] = (headers) => {
        waits.push(Date.now() - from);
        from = Date.now();
        return call.sendAgain(headers);
      };
      return all(clientEvents(first, { ...call, sendAgain }));
    };
    const random = vi.spyOn(Math, "random").mockReturnValue(1);
    await soon(failing(streamOf(), 8));
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
    waits.length = 0;
    await soon(failing(streamOf("retry: 3000\nretry: x\n\n"), 1));
    expect(waits).toEqual([3_000, 6_000]);
    waits.length = 0;
    random.mockReturnValue(0);
    await soon(failing(streamOf("retry: 0\n\n"), 1));
    expect(waits).toEqual([5, 10]);
    random.mockRestore();
  });

  it("C11.2 begins with the first wait again after an event", async () => {
    const asked: number[] = [];
    const call = answering(new Error("Down"), new Error("Down"), streamOf("data: 1\n\n"), streamOf(), over);
    const random = vi.spyOn(Math, "random").mockReturnValue(1);
    let from = Date.now();
    const sendAgain: EventsCall["sendAgain"] = (headers) => {
      asked.push(Date.now() - from);
      from = Date.now();
      return call.sendAgain(headers);
    };
    await soon(all(clientEvents(streamOf(), { ...call, sendAgain })));
    expect(asked).toEqual([1_000, 2_000, 4_000, 1_000, 2_000]);
    random.mockRestore();
  });

  it("C11.5 throws for anything but a stream, and for data that is not JSON", async () => {
    for (const answer of [new Response(null, { status: 401 }), Response.json({}), new Response(null)]) {
      const error = await soon(all(clientEvents(streamOf(), answering(answer))).catch((reason: unknown) => reason));
      expect(error).toBeInstanceOf(ResponseError);
      expect(error).toMatchObject({ response: answer });
    }
    const error = await soon(
      all(clientEvents(streamOf("data: {\n\n"), answering())).catch((reason: unknown) => reason),
    );
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ content: "{", cause: expect.any(SyntaxError) as unknown });
  });

  it("C11.4 ends when the signal aborts, and when the loop is left", async () => {
    const controller = new AbortController();
    const call = { ...answering(over), signal: controller.signal };
    const ended = all(clientEvents(streamOf(), call)).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(100);
    controller.abort();
    expect(await ended).toBe(controller.signal.reason);
    expect(call.asked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(await all(clientEvents(streamOf(), call)).catch((reason: unknown) => reason)).toBe(controller.signal.reason);

    const canceled = vi.fn();
    const endless = new ReadableStream<Uint8Array>({
      pull: (target) => target.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: canceled,
    });
    for await (const event of clientEvents(new Response(endless, type), answering())) {
      expect(event).toBe(1);
      break;
    }
    expect(canceled).toHaveBeenCalledOnce();
  });

  it("C11.4 closes the connection where the events are returned before the first", async () => {
    const canceled = vi.fn();
    const open = new Response(new ReadableStream({ cancel: canceled }), type);
    const events = clientEvents(open, answering());
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(canceled).toHaveBeenCalledOnce();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("C11.5 has no events where there is no content, as for HEAD", async () => {
    expect(await all(clientEvents(new Response(null, type), answering()))).toEqual([]);
  });

  it("C11.4 ends when the signal aborts, also where the stream does not", async () => {
    const canceled = vi.fn();
    const controller = new AbortController();
    const streams = [streamOf("data: 1\n\n"), new Response(new ReadableStream({ cancel: canceled }), type)];
    const call = { ...answering(...streams.slice(1)), signal: controller.signal };
    const seen: unknown[] = [];
    const ended = (async (): Promise<unknown> => {
      for await (const event of clientEvents(streams[0]!, call)) seen.push(event);
      return "ended";
    })().catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(call.asked).toHaveLength(1);
    controller.abort();
    expect(await Promise.race([ended, vi.advanceTimersByTimeAsync(2_000)])).toBe(controller.signal.reason);
    expect(canceled).toHaveBeenCalledOnce();
    expect(seen).toEqual([1]);
  });

  it("C11.4 ends where the signal had aborted before the answer came", async () => {
    const canceled = vi.fn();
    const signal = AbortSignal.abort();
    const silent = new Response(new ReadableStream({ cancel: canceled }), type);
    const events = all(clientEvents(silent, { ...answering(), signal }));
    expect(await soon(events.catch((reason: unknown) => reason))).toBe(signal.reason);
    expect(canceled).toHaveBeenCalled();
  });

  it("C11.4 ends when the signal aborts while a request is under way", async () => {
    const controller = new AbortController();
    const sendAgain = async (): Promise<Response> => {
      controller.abort();
      throw controller.signal.reason;
    };
    const events = all(clientEvents(streamOf(), { key: "GET /", signal: controller.signal, sendAgain }));
    expect(await soon(events.catch((reason: unknown) => reason))).toBe(controller.signal.reason);
  });

  it("C11.7 asks for nothing again that must not be sent again: it ends with its stream, or throws", async () => {
    const call = { key: "POST /orders", signal: undefined, sendAgain: never };
    expect(await all(clientEvents(streamOf("data: 1\n\n", "data: lost"), call))).toEqual([1]);
    const cause = new Error("Broken");
    const error: unknown = await all(clientEvents(streamOf("data: 1\n\n", cause), call)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ cause, message: "Cannot use the answer to POST /orders: 200 text/event-stream" });
    const controller = new AbortController();
    const open = new Response(
      new ReadableStream({ start: (target) => controller.signal.addEventListener("abort", () => target.error(cause)) }),
      type,
    );
    const ending = all(clientEvents(open, { ...call, signal: controller.signal })).catch((reason: unknown) => reason);
    controller.abort();
    expect(await ending).toBe(controller.signal.reason);
  });

  it("C11.7 throws what the tenth try in a row says, and counts anew after a stream", async () => {
    const down = Array.from({ length: 10 }, (_, at) => new Error(`Down ${at}`));
    const call = answering(...down.slice(1), streamOf("data: 1\n\n"), ...down);
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const one of clientEvents(streamOf(), call)) seen.push(one);
    };
    expect(await soon(read().catch((reason: unknown) => reason))).toBe(down[9]);
    expect([seen, call.asked.length]).toEqual([[1], 20]);
    const busy = new Response("busy", { status: 503 });
    const two = answering(busy, new Response(null, { status: 429 }));
    const error = await soon(all(clientEvents(streamOf(), two, { maxRetries: 2 })).catch((reason: unknown) => reason));
    expect(error).toMatchObject({ name: "ResponseError", response: { status: 429 } });
    expect([busy.bodyUsed, two.asked.length]).toEqual([true, 2]);
    expect(() => clientEvents(streamOf(), two, { maxRetries: 0 })).toThrow(
      new TypeError('Cannot call clientEvents(): its option "maxRetries" must be a number from 1 on'),
    );
  });

  it("C11.7 sends an id in UTF-8, whatever its characters", async () => {
    for (const id of ["é", "日本", "\u{1f600}", "7"]) {
      const call = answering(over);
      await soon(all(clientEvents(streamOf(`id: ${id}\ndata: 1\n\n`), call)));
      const headers = new Headers(call.asked[0]);
      expect(lastEventIdOf({ headers })).toBe(id);
    }
  });

  it("C11.7 yields undefined for an event without data that has a data line", async () => {
    expect(
      await soon(all(clientEvents(streamOf("event: ping\ndata:\n\nevent: lost\n\ndata: 1\n\n"), answering(over)))),
    ).toEqual([undefined, 1]);
  });

  it("C11.7 bounds what it keeps of an event, in lines or data", async () => {
    const call = { key: "POST /", signal: undefined, sendAgain: never };
    const line = `data: "${"x".repeat(50)}"\n\n`;
    expect(await all(clientEvents(streamOf(line, line), call, { maxCharacters: 60 }))).toHaveLength(2);
    for (const text of ["data: ".padEnd(61, "x"), "data\n".repeat(61), `${"data: xxxxxxxxx\n".repeat(7)}`]) {
      const error = await all(clientEvents(streamOf(text), call, { maxCharacters: 60 })).catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({
        name: "ResponseError",
        cause: new RangeError("Cannot read the event: it has more than 60 characters"),
      });
    }
  });

  it("C11.7 keeps a byte order mark, and a line break that two parts share", async () => {
    const bytes = new TextEncoder().encode("data: 1\r\n\r\ndata: é\r\n\r\n".replace("é", '"é"'));
    const parts = Array.from(bytes, (byte) => new Uint8Array([byte]));
    expect(await soon(all(clientEvents(streamOf(...parts), answering(over))))).toEqual([1, "é"]);
  });
});
