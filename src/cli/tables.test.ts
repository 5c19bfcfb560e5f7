import { describe, expect, it } from "vitest";
import { run } from "./run.ts";

describe("fingerpost tables", () => {
  it("prints the tables and indexes of the stores in PostgreSQL", async () => {
    const { output, code } = await run(["tables"]);
    expect(code).toBe(0);
    expect(output.match(/^create .*(?= \()/gm)).toEqual([
      "create table if not exists fingerpost_writes",
      "create index if not exists fingerpost_writes_end on fingerpost_writes",
      "create table if not exists fingerpost_sessions",
      "create index if not exists fingerpost_sessions_owner on fingerpost_sessions",
      "create index if not exists fingerpost_sessions_end on fingerpost_sessions",
    ]);
    expect(output).not.toContain("grant");
  });

  it("prints what a role must be granted, whatever its name is", async () => {
    const { output } = await run(["tables", 'a"b']);
    expect(output.trimEnd().split("\n").at(-1)).toBe(
      'grant select, insert, update, delete on fingerpost_writes, fingerpost_sessions to "a""b";',
    );
  });

  it.each([
    [["app", "other"], '"other"'],
    [["--json"], '"--json"'],
    [[""], '""'],
  ])("refuses %j", async (args, shown) => {
    const { output, code } = await run(["tables", ...args]);
    expect([code, output.split("\n")[0]]).toEqual([
      2,
      `Cannot print tables: expected the name of one role, or nothing, got ${shown}`,
    ]);
  });
});
