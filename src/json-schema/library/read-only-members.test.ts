import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ReadOnlyMembers } from "./read-only-members.ts";

function left(schema: z.ZodType, patched: unknown, before: unknown) {
  const { content, failures } = new ReadOnlyMembers(z.toJSONSchema(schema, { io: "input" })).leaveOut(patched, before);
  return failures.length === 0 ? content : failures.map(({ pointer }) => pointer);
}

const item = z.object({ name: z.string() });

/** What finding the read-only members of a list of so many items reads of the items before. */
function readsOf(length: number): number {
  let reads = 0;
  const items = Array.from(
    { length },
    (_, id) =>
      new Proxy(
        { name: "a", id },
        {
          get(target, name) {
            reads++;
            return Reflect.get(target, name);
          },
        },
      ),
  );
  const list = z.object({ items: z.array(item) });
  left(list, { items: items.map(({ id }) => ({ name: "b", id })).toReversed() }, { items });
  return reads;
}

describe("ReadOnlyMembers.leaveOut()", () => {
  it("reads the items before in proportion to their number", () => {
    expect(readsOf(400)).toBeLessThan(5 * readsOf(100));
  });

  it("finds equal members whatever the order in them is", () => {
    expect(left(item, { name: "b", of: { y: [{ b: 1, a: 2 }], x: 1 } }, { of: { x: 1, y: [{ a: 2, b: 1 }] } })).toEqual(
      {
        name: "b",
      },
    );
  });

  it("compares items that are all alike, with values inside, in proportion to their number", () => {
    const list = z.object({ items: z.array(z.object({ of: item, more: z.array(item).optional() })) });
    const before = { items: Array.from({ length: 5000 }, () => ({ id: 1, of: { name: "a" }, more: [{ name: "b" }] })) };
    const after = before.items.map(({ of, more }) => ({ of, more }));
    expect(left(list, before, before)).toEqual({ items: after });
    expect(left(list, { items: after }, before)).toEqual({ items: after });
  });

  it("refuses by 413 items with read-only members in too many combinations", () => {
    const list = z.object({ items: z.array(item) });
    const names = Array.from({ length: 11 }, (_, at) => `r${at}`);
    const whole = Object.fromEntries(names.map((name) => [name, 1]));
    const before = { items: Array.from({ length: 1000 }, () => ({ ...whole })) };
    const combined = before.items.map((_, at) =>
      Object.fromEntries(names.filter((_name, bit) => ((at >> bit) & 1) === 1).map((name) => [name, 1])),
    );
    expect(() => left(list, { items: combined }, before)).toThrow("The patch needs too many steps");
    expect(left(list, { items: combined.slice(0, 100) }, before)).toHaveProperty("items");
  });

  it("leaves out what was there, is the same, and is not named", () => {
    expect(left(item, { name: "b", id: [1, { a: 2 }] }, { name: "a", id: [1, { a: 2 }] })).toEqual({ name: "b" });
  });

  it("keeps what was not there: the schema decides", () => {
    expect(left(item, { name: "b", other: 1 }, { name: "a" })).toEqual({ name: "b", other: 1 });
    expect(left(item, "text", { name: "a" })).toBe("text");
    expect(left(item, [{ name: "a" }], { name: "a", id: 1 })).toEqual([{ name: "a" }]);
  });

  it("lists what was changed or taken away", () => {
    expect(left(item, { name: "b", id: 2 }, { name: "a", id: 1 })).toEqual(["#/id"]);
    expect(left(item, { name: "b" }, { name: "a", id: 1 })).toEqual(["#/id"]);
    expect(left(z.object({ of: item }), { of: { id: 2 } }, { of: { id: 1 } })).toEqual(["#/of/id"]);
  });

  it("compares items of a list with all items before", () => {
    const list = z.object({ items: z.array(item).nullable(), pair: z.tuple([item]).optional() });
    const before = {
      items: [
        { name: "a", id: 1 },
        { name: "b", id: 2 },
      ],
      pair: [{ name: "c", id: 3 }],
    };
    expect(left(list, { items: [{ name: "x" }, { name: "b!", id: 2 }], pair: [{ name: "d", id: 3 }] }, before)).toEqual(
      {
        items: [{ name: "x" }, { name: "b!" }],
        pair: [{ name: "d" }],
      },
    );
    expect(left(list, { items: [{ name: "b", id: 3 }] }, before)).toEqual(["#/items/0/id"]);
    expect(left(list, { items: null }, before)).toEqual({ items: null });
  });

  it("takes the read-only members of an item from one item before, and does not mix them", () => {
    const list = z.object({ items: z.array(z.object({ name: z.string(), of: item.optional() })) });
    const items = [
      { name: "a", id: 1, owner: "Ada", of: { name: "x", at: 1 } },
      { name: "b", id: 2, owner: "Bob", of: { name: "y", at: 2 } },
    ];
    const [a, b] = items as [(typeof items)[0], (typeof items)[0]];
    const swapped = [
      { ...a, owner: "Bob" },
      { ...b, owner: "Ada" },
    ];
    expect(left(list, { items: swapped }, { items })).toEqual([
      "#/items/0/id",
      "#/items/0/owner",
      "#/items/1/id",
      "#/items/1/owner",
    ]);
    expect(left(list, { items: [{ ...a, id: 3 }] }, { items })).toEqual(["#/items/0/id"]);
    expect(left(list, { items: [{ ...a, of: b.of }] }, { items })).toEqual(["#/items/0/of/at"]);
    expect(left(list, { items: [b, a] }, { items })).toEqual({
      items: [
        { name: "b", of: { name: "y" } },
        { name: "a", of: { name: "x" } },
      ],
    });
  });

  it("looks into a schema that holds itself", () => {
    const node: z.ZodType = z.object({ name: z.string(), inner: z.lazy(() => node).optional() });
    const before = { name: "a", id: 1, inner: { name: "b", id: 2 } };
    expect(left(node, before, before)).toEqual({ name: "a", inner: { name: "b" } });
  });

  it("knows no read-only members where others are taken", () => {
    const patched = { name: "a", id: 2 };
    for (const schema of [
      z.looseObject({ name: z.string() }),
      z.object({ name: z.string() }).catchall(z.int()),
      z.any(),
    ])
      expect(left(schema, patched, { id: 1 })).toEqual(patched);
    const open = { properties: { name: { type: "string" } }, additionalProperties: true };
    expect(new ReadOnlyMembers(open).leaveOut(patched, { id: 1 })).toEqual({ content: patched, failures: [] });
    expect(new ReadOnlyMembers({ items: open }).leaveOut([patched], [patched]).content).toEqual([patched]);
    expect(new ReadOnlyMembers({ type: "string" }).leaveOut([patched], [patched]).content).toEqual([patched]);
  });
});
