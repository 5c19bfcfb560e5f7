import { redisRecords } from "fingerpost/stores";
import { describe, expect, it } from "vitest";

// What scripts do is tested with servers: tests/redis/records.test.ts.
describe("redisRecords()", () => {
  it("passes keys and arguments as redis takes them", async () => {
    const calls: unknown[] = [];
    const replies: unknown[] = [[], ["7"], ["f", "running"], ["f", "done", "answer"], 1, 0, 1];
    const store = redisRecords({
      eval: async (_script: string, options: unknown) => {
        calls.push(options);
        return replies.shift();
      },
    });
    expect(await store.find("k")).toBeNull();
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fence: "7" });
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fingerprint: "f", answer: null });
    expect(await store.find("k")).toEqual({ fingerprint: "f", answer: "answer" });
    expect(await store.extend("k", "7", 3)).toBe(true);
    expect(await store.finish("k", "7", "answer", 9)).toBe(false);
    await store.release("k", "7");
    expect(calls.slice(0, 2)).toEqual([
      { keys: ["fingerpost:write:k"], arguments: [] },
      { keys: ["fingerpost:write:k"], arguments: ["f", "3", "9"] },
    ]);
  });

  it("passes them as ioredis takes them", async () => {
    const calls: unknown[] = [];
    const store = redisRecords({
      eval: async (_script: string, ...rest: unknown[]) => {
        calls.push(rest);
        return null;
      },
      call: async () => null,
    });
    expect(await store.find("k")).toBeNull();
    expect(await store.extend("k", "7", 3)).toBe(false);
    expect(calls).toEqual([
      [1, "fingerpost:write:k"],
      [1, "fingerpost:write:k", "7", "3"],
    ]);
  });

  it.each([[undefined], [{}], ["redis://localhost"]])("refuses %s", (client) => {
    expect(() => redisRecords(client as never)).toThrow(
      "Cannot call redisRecords(): expected a client of redis or ioredis, got ",
    );
  });
});
