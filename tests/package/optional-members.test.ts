// With `exactOptionalPropertyTypes`, `{ staleKeysMs: config.stale }` needs an option that takes undefined as well.
// The reports of what the package declares are whole, as `scripts/check/api.js` holds them against the build: so is
// what is read here.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";
import { describe, expect, it } from "vitest";
import { childrenOf, type Node } from "./syntax-tree.ts";

const reports = fileURLToPath(new URL("api/", import.meta.url));

/**
 * What nobody passes: what users are given, what a class may not have at all, and what tells classes of two chains
 * apart.
 */
const given = [
  /^Decision\./,
  /^OpenAPIDocument\./,
  /^Documented(?:Operation|Parameter|Response)\./,
  /^NodeApplication\.fetch$/,
  /^WrittenPage\.link$/,
  /^Resource(?:_2)?\.(?:ALL|middleware|paths)$/,
  /^Resource(?:Class_2)?\.httpModule$/,
];

const members = /^(?:TSPropertySignature|PropertyDefinition|TSAbstractPropertyDefinition)$/;

function* withoutUndefined(node: Node, within = ""): Generator<string> {
  const declaration = (node["id"] as { name?: string } | undefined)?.name ?? within;
  if (node["optional"] === true && members.test(node.type)) {
    const { typeAnnotation } = node["typeAnnotation"] as { typeAnnotation: Node };
    if (!takesUndefined(typeAnnotation)) yield `${declaration}.${(node["key"] as { name: string }).name}`;
  }
  for (const child of childrenOf(node)) yield* withoutUndefined(child, declaration);
}

function takesUndefined({ type, types }: Node): boolean {
  if (type === "TSUnionType") return (types as Node[]).some(takesUndefined);
  return type === "TSUndefinedKeyword" || type === "TSUnknownKeyword" || type === "TSAnyKeyword";
}

function membersOf(source: string): string[] {
  return [...new Set(withoutUndefined(parseAst(source, { lang: "dts" }) as unknown as Node))];
}

describe("optional members", () => {
  const found = new Map(readdirSync(reports).map((name) => [name, membersOf(readFileSync(reports + name, "utf8"))]));

  it.each([...found])("of %s take undefined", (_report, names) => {
    expect(names.filter((name) => !given.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  it("are excepted only where there are some", () => {
    expect(given.filter((pattern) => ![...found.values()].flat().some((name) => pattern.test(name)))).toEqual([]);
  });

  it("are found in options, in classes and in what a type is made of", () => {
    const source = `
      export interface A {
        a?: number; b?: string | undefined; c?: { readonly d?: Date } | undefined; e?: unknown; f: 1; }
      export type B<T> = T extends string ? { readonly [K in keyof T]: { g?: boolean } } : { h?: undefined };
      export class C { readonly i?: number; static j?: string; }`;
    expect(membersOf(source)).toEqual(["A.a", "A.d", "B.g", "C.i", "C.j"]);
  });
});
