import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { around } from "./around.ts";
import { retries } from "./retries.ts";

const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: code, headers });

describe("retries()", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    vi.spyOn(Math, "random").mockReturnValue(1);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Sends a request to a server that answers in turn, and returns when the server was asked. */
  async function sent(
    answers: readonly (Response | Error)[],
    request: Request = new Request("http://h/"),
    options?: Parameters<typeof retries>[0],
  ): Promise<{ outcome: unknown; at: number[]; bodies: string[] }> {
    const at: number[] = [];
    const bodies: string[] = [];
    const server = async (given: Request): Promise<Response> => {
      const answer = answers[at.length]!;
      at.push(Date.now());
      bodies.push(await given.text());
      if (answer instanceof Error) throw answer;
      return answer;
    };
    vi.setSystemTime(0);
    const state = { isOver: false };
    const outcome = around(
      retries(options),
      server,
    )(request)
      .catch((error: unknown) => error)
      .finally(() => (state.isOver = true));
    while (!state.isOver) await vi.advanceTimersByTimeAsync(50);
    return { outcome: await outcome, at, bodies };
  }

  it("sends again what is idempotent, with its content, and waits longer each time", async () => {
    const last = status(200);
    const put = new Request("http://h/", { method: "PUT", body: "content" });
    const { outcome, at, bodies } = await sent([status(503), new TypeError("Down"), last], put);
    expect(outcome).toBe(last);
    expect(at).toEqual([0, 200, 600]);
    expect(bodies).toEqual(["content", "content", "content"]);
  });

  it("gives up after so many times", async () => {
    const last = status(502);
    expect((await sent([status(429), status(504), last])).outcome).toBe(last);
    const fault = new TypeError("Down");
    expect((await sent([status(503), fault], undefined, { maxRetries: 1 })).outcome).toBe(fault);
  });

  it("does not send again what is not idempotent, nor other statuses", async () => {
    const busy = status(503);
    expect(await sent([busy], new Request("http://h/", { method: "POST" }))).toMatchObject({ outcome: busy, at: [0] });
    for (const code of [200, 404, 500, 501]) expect((await sent([status(code)])).at).toEqual([0]);
  });

  it("waits as Retry-After says, unless that is too long", async () => {
    expect((await sent([status(503, { "retry-after": "3" }), status(200)])).at).toEqual([0, 3_000]);
    const date = (ms: number): string => new Date(ms).toUTCString();
    expect((await sent([status(503, { "retry-after": date(5_000) }), status(200)])).at).toEqual([0, 5_000]);
    expect((await sent([status(503, { "retry-after": date(-5_000) }), status(200)])).at[1]).toBeLessThan(50);
    for (const unread of ["soon", "1.5", "-1", "2001-01-05"]) {
      expect((await sent([status(503, { "retry-after": unread }), status(200)])).at).toEqual([0, 200]);
    }
    const long = status(503, { "retry-after": "60" });
    expect((await sent([long])).outcome).toBe(long);
    expect((await sent([long, status(200)], undefined, { maxDelayMs: 60_000 })).at).toHaveLength(2);
  });

  it("refuses options that cannot work, and names them", () => {
    for (const maxRetries of [Number.NaN, -1, 0.5, Infinity, "2" as never]) {
      expect(() => retries({ maxRetries })).toThrow(
        /^Cannot call retries\(\): its option "maxRetries" must be a whole number/,
      );
    }
    for (const ms of [Number.NaN, -5, 2 ** 31, "5" as never]) {
      expect(() => retries({ firstDelayMs: ms })).toThrow(
        'its option "firstDelayMs" must be a number of milliseconds up to',
      );
      expect(() => retries({ maxDelayMs: ms })).toThrow(
        'its option "maxDelayMs" must be a number of milliseconds up to',
      );
    }
    expect(() => retries({ often: 2 } as never)).toThrow("it has no option");
    expect(() => retries({ maxRetries: 0, firstDelayMs: 0, maxDelayMs: undefined })).not.toThrow();
  });

  it("ends when the signal aborts", async () => {
    const controller = new AbortController();
    const request = new Request("http://h/", { signal: controller.signal });
    const aborting = async (): Promise<Response> => {
      controller.abort();
      throw new TypeError("Down");
    };
    const reason = await around(retries(), aborting)(request).catch((error: unknown) => error);
    expect(reason).toMatchObject({ name: "AbortError" });
  });
});
