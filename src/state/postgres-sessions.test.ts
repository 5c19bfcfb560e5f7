import { postgresSessions } from "fingerpost/stores";
import { afterEach, describe, expect, it, vi } from "vitest";

function tagOf(replies: unknown[]) {
  const calls: { text: string; values: unknown[] }[] = [];
  const sql = async (parts: TemplateStringsArray, ...values: unknown[]): Promise<unknown> => {
    calls.push({ text: parts.join("?").replace(/\s+/g, " ").trim(), values });
    return replies.shift();
  };
  return { sql, calls };
}

afterEach(() => vi.restoreAllMocks());

// What statements do is tested with servers: tests/postgres/sessions.test.ts.
describe("postgresSessions()", () => {
  it("reads rows as drivers return them", async () => {
    const row = { data: "d", version: "1", remaining: 9, stale: false };
    const entry = { key: "k", label: "x", first: 1, latest: 2 };
    const { sql, calls } = tagOf([
      [],
      [row],
      [{ ...row, stale: true }],
      [],
      [],
      [{ version: 2n }],
      [],
      { rows: [entry] },
      [],
    ]);
    const store = postgresSessions(sql);
    expect(await store.find("k", 3, 2)).toBeNull();
    expect(await store.find("k", 3, 2)).toEqual({ data: "d", version: "1", leftMs: 9 });
    expect(await store.find("k", 3, 2)).toEqual({ data: "d", version: "1", leftMs: 9 });
    expect(await store.replace("k", "1", "e", 3)).toBeNull();
    expect(await store.replace("k", "1", "e", 3)).toBe("2");
    await store.delete("k");
    expect(await store.list("o")).toEqual([{ id: "k", startedAt: new Date(1), seenAt: new Date(2), label: "x" }]);
    await store.create();
    expect(calls.map(({ text }) => text.split(" ")[0])).toEqual([
      ...["select", "select", "select", "update", "update", "update", "delete", "select", "select", "do"],
    ]);
    // A role that may create nothing asks for nothing where the table is there.
    const made = tagOf([[{ one: 1 }]]);
    await postgresSessions(made.sql).create();
    expect(made.calls).toHaveLength(1);
  });

  it("deletes what ended once a minute", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const { sql, calls } = tagOf([]);
    const store = postgresSessions(sql);
    await store.begin("a", { data: "d", owner: null, label: "" }, 3, 9);
    now.mockReturnValue(60_000);
    await store.begin("b", { data: "d", owner: "o", label: "" }, 9, 3);
    await store.begin("c", { data: "d", owner: "o", label: "" }, 9, 3);
    expect(calls.map(({ text }) => text.slice(0, 6))).toEqual(["insert", "delete", "insert", "insert"]);
    expect(calls[2]!.values).toEqual(["b", "d", "o", "", 3, 3]);
  });
});
