// What a refusal says has its type, its schema in documents, and its line in printed types of clients. An answer that
// is kept for a repeat says the same.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Application, Resource } from "fingerpost";
import { parseAst } from "vitest/node";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../../src/openapi/client-types.ts";
import { problemSchema } from "../../src/openapi/problem-schema.ts";
import { childrenOf, type Node } from "../package/syntax-tree.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** The names that a class or an interface of a source declares, wherever in it. */
function namesIn(source: string, name: string, lang: "ts" | "dts" = "ts"): string[] {
  const membersOf = (node: Node): Node[] => [
    ...((node["id"] as { name?: string } | undefined)?.name === name ? (node["body"] as { body: Node[] }).body : []),
    ...childrenOf(node).flatMap(membersOf),
  ];
  return membersOf(parseAst(source, { lang }) as unknown as Node)
    .filter(({ type }) => /^(?:TSPropertySignature|PropertyDefinition)$/.test(type))
    .map(({ key }) => String((key as Node)["name"]));
}

/** The same of a type that is declared once below `src`. */
function namesOf(name: string): string[] {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const sources = files.map((file) => readFileSync(root + file, "utf8"));
  const [source, ...others] = sources.filter((text) => new RegExp(`(?:class|interface) ${name}\\b(?!<)`).test(text));
  expect(others, name).toEqual([]);
  return namesIn(source!, name);
}

class Order extends Resource {
  override paths = ["/"];
  static PUT = { content: z.object({ count: z.int() }), 204: "Stored" };
  override PUT(): undefined {}
}
const app = Application.builder()
  .resources(Order as never)
  .build();

interface Described {
  readonly properties: Readonly<Record<string, { readonly items?: Described }>>;
}
const { properties } = problemSchema as unknown as Described;
const inErrors = properties["errors"]!.items!.properties;
const printed = clientTypes(app.dispatcher);

describe("problem details", () => {
  it("have what the application makes of errors", () => {
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(namesOf("ProblemDetails")));
  });

  it("have one list of members, in documents and printed types", () => {
    expect(namesIn(printed, "Problem", "dts").toSorted()).toEqual(Object.keys(properties).toSorted());
    const [, listed] = /errors\?: readonly \{(.*?)\}\[\]/.exec(printed)!;
    const names = [...listed!.matchAll(/(\w+)\??:/g)].map(([, name]) => name!);
    expect(names.toSorted()).toEqual(Object.keys(inErrors).toSorted());
  });

  it("have what is said of one error, and say each of it to a client", async () => {
    expect(namesOf("ProblemError").toSorted()).toEqual(Object.keys(inErrors).toSorted());
    const response = await app.request("/", { method: "PUT", json: { count: "many" } });
    const { errors } = (await response.json()) as { readonly errors: readonly object[] };
    expect(errors.flatMap(Object.keys).toSorted()).toEqual(Object.keys(inErrors).toSorted());
  });

  it("are kept whole with a write", () => {
    const own = namesOf("HTTPError").filter((name) => !["statusText", "headers"].includes(name));
    const file = readFileSync(`${root}writes/kept-answer.ts`, "utf8");
    const [, kept] = /interface KeptError \{\s+readonly error: \{([^}]*)\}/.exec(file)!;
    expect(own.filter((name) => !kept!.includes(`readonly ${name}`))).toEqual([]);
  });
});
