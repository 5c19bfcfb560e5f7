import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { propertyOf, propertiesOf, isPlainObject, ownOf } from "./property.ts";

interface Letters {
  readonly a?: unknown;
  readonly b?: unknown;
}

class Defaults implements Letters {
  a = 1;
  get b(): number {
    return this.a + 1;
  }
}

/** Puts a property on all objects until the test ends. */
function pollute(name: string): void {
  // oxlint-disable-next-line no-extend-native -- the subject of these tests
  Object.defineProperty(Object.prototype, name, { value: "polluted", configurable: true });
  onTestFinished(() => void delete (Object.prototype as Record<string, unknown>)[name]);
}

describe("ownOf()", () => {
  it("copies what an object has itself, and reads nothing else", () => {
    pollute("b");
    const own: Letters = ownOf({ a: 1 });
    expect([own.a, own.b]).toEqual([1, undefined]);
    expect((ownOf(new Defaults()) as Letters).b).toBeUndefined();
  });
});

describe("propertyOf()", () => {
  it("reads a property of an object as it is", () => {
    const proxy = new Proxy<Letters>({}, { get: (_, name) => `read ${String(name)}` });
    const values = [{ a: 1 }, new Defaults(), Object.create({ a: 1 }) as Letters, ownOf({ a: 1 })];
    expect(values.map((letters: Letters) => propertyOf(letters, "a"))).toEqual([1, 1, 1, 1]);
    expect([propertyOf(proxy, "a"), propertyOf({} as Letters, "a")]).toEqual(["read a", undefined]);
  });

  it("reads nothing that was put on all objects, but what an object has itself or by its class", () => {
    pollute("a");
    pollute("b");
    const values: Letters[] = [{}, { a: 1 }, { a: undefined }, new Defaults(), ownOf({ a: 1 }), ownOf({})];
    expect(values.map((letters) => propertyOf(letters, "a"))).toEqual([undefined, 1, undefined, 1, 1, undefined]);
    expect(values.map((letters) => propertyOf(letters, "b"))).toEqual([
      ...Array(3).fill(undefined),
      2,
      undefined,
      undefined,
    ]);
  });
});

describe("propertiesOf()", () => {
  it("reads several, and none that is put on all objects later", () => {
    pollute("a");
    const letters = propertiesOf<Letters>({ b: 2 }, ["a", "b"]);
    pollute("c");
    expect([letters.a, letters.b, (letters as { c?: unknown }).c]).toEqual([undefined, 2, undefined]);
    expect(Object.keys(letters)).toEqual(["b"]);
  });
});

describe("isPlainObject()", () => {
  it("recognizes objects that name their members as written, of other realms and without prototype too", () => {
    const plain = [{}, { a: 1 }, Object.create(null), runInNewContext("({})")];
    expect(plain.map(isPlainObject)).toEqual([true, true, true, true]);
    const others = [undefined, null, "a", 5, () => {}, [], new Map(), new Defaults(), new Date(), Object.create({})];
    expect(others.filter(isPlainObject)).toEqual([]);
  });
});
