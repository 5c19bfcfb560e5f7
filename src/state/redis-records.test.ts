import { createHash } from "node:crypto";
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

  it.each([
    { client: "redis", member: "evalSha", own: {} },
    { client: "ioredis", member: "evalsha", own: { call: async () => null } },
  ])("sends $client the digest of a script, and the script to a server that does not know it", async (row) => {
    const calls: [method: string, script: string, ...rest: unknown[]][] = [];
    let error: unknown = new Error("NOSCRIPT No matching script. Please use EVAL.");
    const store = redisRecords({
      ...row.own,
      eval: async (script: string, ...rest: unknown[]) => {
        calls.push(["eval", script, ...rest]);
        return ["7"];
      },
      [row.member]: async (digest: string, ...rest: unknown[]) => {
        calls.push(["digest", digest, ...rest]);
        if (error !== null) throw error;
        return ["8"];
      },
    });
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fence: "7" });
    error = null;
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fence: "8" });
    expect(calls.map(([method]) => method)).toEqual(["digest", "eval", "digest"]);
    const [[, digest, ...rest], [, script, ...others]] = calls as [(typeof calls)[0], (typeof calls)[0]];
    expect([digest, rest]).toEqual([createHash("sha1").update(script).digest("hex"), others]);
    error = new Error("ERR NOSCRIPT");
    await expect(store.find("k")).rejects.toThrow("ERR NOSCRIPT");
    error = undefined;
    await expect(store.find("k")).rejects.toBeUndefined();
    expect(calls.filter(([method]) => method === "eval")).toHaveLength(1);
  });

  it.each([[undefined], [{}], ["redis://localhost"]])("refuses %s", (client) => {
    expect(() => redisRecords(client as never)).toThrow(
      "Cannot call redisRecords(): expected a client of redis or ioredis, got ",
    );
  });
});
