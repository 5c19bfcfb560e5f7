import { memoryRecords, memorySessions, recordStoreCases, sessionStoreCases } from "fingerpost/stores";
import { describe, expect, it } from "vitest";

/** Runs all cases, and returns what they say. */
async function faultsOf<Store>(
  cases: readonly { readonly name: string; run(store: Store): Promise<void> }[],
  storeOf: () => Store,
): Promise<string[]> {
  const said = cases.map(({ run }) =>
    run(storeOf()).then(
      () => [],
      (error: Error) => [error.message],
    ),
  );
  return (await Promise.all(said)).flat();
}

describe("cases of stores", () => {
  it("find nothing in stores of the package, be there one store for all cases or one for each", async () => {
    const [records, sessions] = [memoryRecords(), memorySessions()];
    expect(await faultsOf(recordStoreCases, () => records)).toEqual([]);
    expect(await faultsOf(sessionStoreCases, () => sessions)).toEqual([]);
    expect(await faultsOf(recordStoreCases, memoryRecords)).toEqual([]);
  });

  it("say what a store of records does wrong", async () => {
    const faultsWith = (broken: object) =>
      faultsOf(recordStoreCases, () => {
        const store = memoryRecords();
        const bound = Object.fromEntries(
          (["find", "begin", "extend", "finish", "release"] as const).map((name) => [name, store[name].bind(store)]),
        );
        return { ...bound, ...broken } as never;
      });
    expect(await faultsWith({ find: () => null })).toContain(
      'Cannot use the store: expected ["f",null] of find(), got null',
    );
    expect(await faultsWith({ begin: () => ({ fence: "7" }) })).toEqual(
      expect.arrayContaining([
        "Cannot use the store: expected 1 of the number of leases of a hundred begin(), got 100",
        'Cannot use the store: expected more than 7 of the next fence, got "7"',
      ]),
    );
    expect(await faultsWith({ begin: () => ({}) })).toContain(
      "Cannot use the store: expected a fence of begin() of a key that nobody has, got undefined",
    );
    expect(await faultsWith({ begin: () => ({ fence: "first" }) })).toContain(
      'Cannot use the store: expected decimal digits of fence of begin(), got "first"',
    );
    const long = expect.stringMatching(
      /^Cannot use the store: expected \["f","\{.{70,}… of find\(\), got \["f",null\]$/,
    );
    expect(await faultsWith({ finish: () => true })).toContainEqual(long);
  });

  it.each([
    { name: "find", fault: "expected a text of the version of find(), got undefined" },
    { name: "replace", fault: "expected another version of replace(), got undefined" },
    { name: "list", fault: "of list(), got []" },
  ])("say what a store of sessions does wrong whose $name() finds nothing", async ({ name, fault }) => {
    const faults = await faultsOf(sessionStoreCases, () =>
      Object.assign(memorySessions(), { [name]: () => (name === "list" ? [] : null) }),
    );
    expect(faults).toContainEqual(expect.stringContaining(fault));
  });

  it("say it where times of sessions are wrong", async () => {
    const late = memorySessions();
    const faults = await faultsOf(sessionStoreCases, () =>
      Object.assign(memorySessions(), {
        find: () => ({ data: "d", version: "1", leftMs: Number.MAX_VALUE }),
        begin: late.begin.bind(late),
        list: async (owner: string) => (await late.list(owner)).map((one) => ({ ...one, seenAt: new Date(0) })),
      }),
    );
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringContaining("expected at most 300 of leftMs of find(), got 1.79"),
        expect.stringContaining("expected the times of start and last sight of list(), got"),
      ]),
    );
  });
});
