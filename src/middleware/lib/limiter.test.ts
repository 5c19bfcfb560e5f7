import { RateLimiterMemory, RateLimiterUnion } from "rate-limiter-flexible";
import { describe, expect, it } from "vitest";
import { consume, type Limiter } from "./limiter.ts";

const most = 999_999_999_999_999;

/** Limiters that say this of a client whose request passes, and of one that has none left. */
function limiters(said: unknown): [Limiter, Limiter] {
  const [passing, over] = [async () => said, () => Promise.reject(said)];
  return [{ consume: passing }, { consume: over }] as [Limiter, Limiter];
}

describe("consume()", () => {
  it("takes a point of the client that is named", async () => {
    const clients: string[] = [];
    const limiter = {
      async consume(this: unknown, client: string) {
        clients.push(client);
        return { remainingPoints: this === limiter ? 4 : 0, msBeforeNext: 1001 };
      },
    };
    expect(await consume(limiter, "ada")).toEqual({ isOver: false, available: 4, windowSeconds: 2 });
    expect(clients).toEqual(["ada"]);
  });

  it.each([
    [0, 0, 0, 0],
    [1.5, 1, 1, 1],
    [-1, 999, 0, 1],
    [Infinity, Infinity, most, undefined],
    [1e15, Number.MAX_VALUE, most, most],
    [-Infinity, -Infinity, 0, undefined],
    [1, -1, 1, undefined],
    [1, NaN, 1, undefined],
  ])("RFC 9651 §3.3.1 makes of %d points and %d ms what fields can carry", async (points, ms, available, seconds) => {
    const [passing, over] = limiters({ remainingPoints: points, msBeforeNext: ms });
    expect(await consume(passing, "ada")).toEqual({ isOver: false, available, windowSeconds: seconds });
    expect(await consume(over, "ada")).toEqual({ isOver: true, available, windowSeconds: seconds });
  });

  it("takes the tightest of a union of limiters", async () => {
    const union = new RateLimiterUnion(
      new RateLimiterMemory({ keyPrefix: "second", points: 2, duration: 1 }),
      new RateLimiterMemory({ keyPrefix: "minute", points: 3, duration: 60 }),
    );
    const consumed = [await consume(union, "ada"), await consume(union, "ada"), await consume(union, "ada")];
    expect(consumed.map(({ isOver, available }) => [isOver, available])).toEqual([
      [false, 1],
      [false, 0],
      [true, 0],
    ]);
    const both = { a: { remainingPoints: 0, msBeforeNext: 1000 }, b: { remainingPoints: 0, msBeforeNext: 9000 } };
    for (const limiter of limiters(both)) expect((await consume(limiter, "ada")).windowSeconds).toBe(9);
    const reversed = { b: both.b, a: both.a };
    expect((await consume(limiters(reversed)[0], "ada")).windowSeconds).toBe(9);
    const failed = { a: both.a, b: new Error("gone") };
    await expect(consume(limiters(failed)[1], "ada")).rejects.toMatchObject({ status: 503, cause: failed });
  });

  it("reads getters", async () => {
    class Said {
      get remainingPoints(): number {
        return 3;
      }
      get msBeforeNext(): number {
        return 0;
      }
    }
    expect((await consume(limiters(new Said())[0], "ada")).available).toBe(3);
  });

  it("is 503 where the store fails, for which it takes half of what is to be said, too", async () => {
    for (const reason of [new Error("gone"), { remainingPoints: 0 }, { msBeforeNext: 0 }, null]) {
      await expect(consume(limiters(reason)[1], "ada")).rejects.toMatchObject({ status: 503, cause: reason });
    }
  });

  it("refuses what says nothing of a client", async () => {
    await expect(consume(limiters({ first: {} })[0], "ada")).rejects.toThrow(
      new TypeError("Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got an object"),
    );
  });
});
