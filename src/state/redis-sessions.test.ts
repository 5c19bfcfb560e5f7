import { redisSessions } from "fingerpost/stores";
import { describe, expect, it } from "vitest";

// What the scripts do is tested with servers: tests/redis/sessions.test.ts.
describe("redisSessions()", () => {
  it("passes names and arguments, and reads what scripts return", async () => {
    const calls: { keys: string[]; arguments: string[] }[] = [];
    const replies: unknown[] = [
      [],
      ["d", "1", "9"],
      1,
      1,
      1,
      [],
      ["2"],
      [],
      ["o"],
      1,
      ["k", "l"],
      ["1000", "2000", "x"],
      [],
    ];
    const store = redisSessions({
      eval: async (_script: string, options: { keys: string[]; arguments: string[] }) => {
        calls.push(options);
        return replies.shift();
      },
    });
    expect(await store.find("k", 3, 2)).toBeNull();
    expect(await store.find("k", 3, 2)).toEqual({ data: "d", version: "1", leftMs: 9 });
    await store.begin("k", { data: "d", owner: null, label: "x" }, 3, 9);
    await store.begin("k", { data: "d", owner: "o", label: "x" }, 3, 9);
    expect(await store.replace("k", "1", "e", 3)).toBeNull();
    expect(await store.replace("k", "1", "e", 3)).toBe("2");
    await store.delete("k");
    await store.delete("k");
    expect(await store.list("o")).toEqual([{ id: "k", startedAt: new Date(1), seenAt: new Date(2), label: "x" }]);
    expect(calls.map(({ keys, arguments: given }) => [...keys, ...given])).toEqual([
      ["fingerpost:session:k", "3", "2"],
      ["fingerpost:session:k", "3", "2"],
      ["fingerpost:session:k", "d", "", "x", "3", "9"],
      ["fingerpost:sessions-of:o", "k", "9"],
      ["fingerpost:session:k", "d", "o", "x", "3", "9"],
      ["fingerpost:session:k", "1", "e", "3"],
      ["fingerpost:session:k", "1", "e", "3"],
      ["fingerpost:session:k"],
      ["fingerpost:session:k"],
      ["fingerpost:sessions-of:o", "k"],
      ["fingerpost:sessions-of:o"],
      ["fingerpost:session:k"],
      ["fingerpost:session:l"],
    ]);
  });

  it("refuses what is no client", () => {
    expect(() => redisSessions({} as never)).toThrow(
      "Cannot call redisSessions(): expected a client of redis or ioredis, got ",
    );
  });
});
