import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { jsonPatched } from "./json-patch.ts";

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: readonly unknown[];
  readonly expected?: unknown;
  readonly error?: string;
}

function suite(name: string): SuiteCase[] {
  const text = readFileSync(new URL(`../../../tests/content/patches/${name}`, import.meta.url), "utf8");
  return (JSON.parse(text) as SuiteCase[]).filter(({ patch }) => patch !== undefined);
}

function refusalOf(document: unknown, patch: unknown, maxBytes = 1000): number {
  try {
    jsonPatched(document, patch, maxBytes);
  } catch (error) {
    if (error instanceof HTTPError) return error.status;
    throw error;
  }
  return 200;
}

describe.each(["tests.json", "spec-tests.json"])("jsonPatched(), by %s of others", (name) => {
  for (const { comment, doc, patch, expected, error } of suite(name)) {
    // A parser has read a second `op` of one name before: content with it is 400.
    if (error === "patch has two 'op' members") continue;
    // Two members of one name, which content may not have either.
    if (comment?.startsWith("A.13") === true) continue;
    it(`${comment ?? JSON.stringify(patch).slice(0, 80)}: ${error ?? "applies"}`, () => {
      if (error === undefined) expect(jsonPatched(doc, patch, 1000)).toEqual(expected ?? doc);
      else expect([400, 409]).toContain(refusalOf(doc, patch));
    });
  }
});

describe("jsonPatched()", () => {
  it("refuses what is not a patch by 400, and says which operation", () => {
    for (const patch of [{}, "x", null, [1], [null], [{ op: "add", path: "/a~2", value: 1 }], [{ path: "" }]])
      expect(refusalOf({}, patch)).toBe(400);
    expect(refusalOf({ a: {} }, [{ op: "move", from: "/a", path: "/a/b" }])).toBe(400);
    expect(() => jsonPatched({}, [{ op: "add", path: "", value: 1 }, 7], 10)).toThrow("Operation 1 must be an object");
  });

  it("refuses by 409 what leads to nothing, a failing test, and to remove everything", () => {
    const patches = [
      [{ op: "test", path: "/a", value: 2 }],
      [{ op: "test", path: "/a", value: { b: 1 } }],
      [{ op: "test", path: "/o", value: { b: 1, c: 1 } }],
      [{ op: "test", path: "/o", value: { c: 1 } }],
      [{ op: "test", path: "/l", value: {} }],
      [{ op: "add", path: "/a/b", value: 2 }],
      [{ op: "add", path: "/a/b/c", value: 2 }],
      [{ op: "add", path: "/n/b", value: 2 }],
      [{ op: "replace", path: "/l/-", value: 2 }],
      [{ op: "remove", path: "" }],
      [{ op: "remove", path: "/toString" }],
      [{ op: "move", from: "/b", path: "/b" }],
    ];
    for (const patch of patches)
      expect(refusalOf({ a: 1, n: null, l: [], o: { b: 1 } }, patch), JSON.stringify(patch)).toBe(409);
  });

  it("moves a value to where it is", () => {
    expect(jsonPatched({ a: 1 }, [{ op: "move", from: "/a", path: "/a" }], 10)).toEqual({ a: 1 });
  });

  it("leaves the patch as it is, so that it can be applied again", () => {
    const patch = [
      { op: "add", path: "/a", value: { b: [] } },
      { op: "add", path: "/a/b/-", value: 1 },
      { op: "replace", path: "/a/b/0", value: { c: 1 } },
    ];
    const before = JSON.stringify(patch);
    expect(jsonPatched({}, patch, 10)).toEqual({ a: { b: [{ c: 1 }] } });
    expect(JSON.stringify(patch)).toBe(before);
  });

  it("takes a name of a prototype for a name", () => {
    const patch = [
      { op: "add", path: "/__proto__", value: { polluted: 1 } },
      { op: "add", path: "/__proto__/more", value: 2 },
    ];
    expect(JSON.stringify(jsonPatched({}, patch, 10))).toBe('{"__proto__":{"polluted":1,"more":2}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(refusalOf({}, [{ op: "add", path: "/constructor/prototype/x", value: 1 }])).toBe(409);
  });

  it("refuses copies that double, too many operations and deep ones by 413", () => {
    const copies = Array.from({ length: 18 }, (_, at) => ({ op: "copy", from: "", path: `/b${at}` }));
    expect(refusalOf({ a: "x" }, copies, 100_000)).toBe(413);
    expect(refusalOf({ a: "x" }, copies.slice(0, 3), 100_000)).toBe(200);
    expect(
      refusalOf(
        [],
        Array.from({ length: 1001 }, () => ({ op: "test", path: "", value: [] })),
      ),
    ).toBe(413);
    const deep: unknown = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
    const nested = [
      { op: "add", path: "/a", value: deep },
      { op: "add", path: "/b", value: deep },
      { op: "move", from: "/b", path: `/a${"/0".repeat(299)}/0` },
    ];
    expect(refusalOf({}, nested)).toBe(413);
  });

  it("takes a list that moves to and fro", () => {
    const patch = Array.from({ length: 1000 }, (_, at) =>
      at % 2 === 0 ? { op: "move", from: "/a", path: "/b/c/d" } : { op: "move", from: "/b/c/d", path: "/a" },
    );
    expect(jsonPatched({ a: [1], b: { c: {} } }, patch, 10)).toEqual({ a: [1], b: { c: {} } });
  });

  it("reads a deep and wide document a few times, however many operations move in it", () => {
    let reads = 0;
    const watched = new Proxy(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, at])), {
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
    });
    const nested = (value: unknown, levels: number): unknown => (levels === 0 ? value : [nested(value, levels - 1)]);
    const inside = `/c${"/0".repeat(149)}/1`;
    const document = { a: nested({}, 150), b: nested(watched, 150), c: nested({}, 400) };
    const patch = Array.from({ length: 1000 }, (_, at) =>
      at % 2 === 0 ? { op: "move", from: "/a", path: inside } : { op: "move", from: inside, path: "/a" },
    );
    jsonPatched(document, patch, 10);
    expect(reads).toBeLessThan(10);
  });

  it("refuses by 413 tests that read more names together than a document may have", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, at]));
    const same = Array.from({ length: 1000 }, () => ({ op: "test", path: "/o", value: wide }));
    expect(refusalOf({ o: wide }, same.slice(0, 20))).toBe(200);
    expect(refusalOf({ o: { ...wide } }, same)).toBe(413);
  });

  it("refuses by 413 entries of a list that are moved too often", () => {
    const list = Array.from({ length: 200_000 }, (_, at) => at);
    const patch = Array.from({ length: 1000 }, () => ({ op: "add", path: "/0", value: 0 }));
    expect(refusalOf([...list], patch)).toBe(413);
    expect(refusalOf(list.slice(0, 20_000), patch)).toBe(200);
  });

  it("refuses by 413 to copy what moves have nested too deep", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
    const patch = [
      { op: "add", path: "/a", value: deep },
      { op: "add", path: "/b", value: deep },
      { op: "move", from: "/b", path: `/a${"/0".repeat(299)}/0` },
      { op: "copy", from: "/a", path: "/c" },
      { op: "remove", path: "/a" },
    ];
    expect(refusalOf({}, patch, 10_000)).toBe(413);
  });
});
