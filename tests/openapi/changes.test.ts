import { describe, expect, it } from "vitest";
import type { Verdict } from "../../src/openapi/changes/change.ts";
import { changesMarkdown, changesText } from "../../src/openapi/changes/change-report.ts";
import { changesBetween } from "../../src/openapi/changes/document-changes.ts";
import { changeCases } from "./oasdiff-cases.ts";
import { levels } from "./oasdiff-levels.ts";

const date = "2026-11-27";
const theirs: Readonly<Record<"E" | "W" | "I", Verdict>> = { E: "breaking", W: "unclear", I: "compatible" };

/** Where we judge otherwise, and why. The reasons are those of decisions/105-what-breaks.md. */
const decided: readonly [rules: RegExp, ours: Verdict, because: string][] = [
  [/^request-.*-set$/, "breaking", "a limit that is new refuses what was taken"],
  [/^api-operation-id-/, "unclear", "generated clients name their methods so"],
  [/^api-security-(scope-)?added$/, "breaking", "callers are refused that were let in"],
  [/^api-security-component-type-changed$/, "breaking", "callers hold what the old scheme took"],
  [/^api-security-component-oauth-/, "unclear", "callers hold tokens of the old flow"],
  [/^request-(body|property)-default-value-changed$/, "breaking", "callers that leave it out get something else"],
  [/^request-.*-default-value-(added|removed)$/, "unclear", "what was done without it is not in the document"],
  [/^request-.*-prefix-items-added$/, "breaking", "an item that fitted may not fit its own schema"],
  [/^request-.*-prefix-items-removed$/, "compatible", "every item that fitted fits"],
  [/^response-.*-prefix-items-added$/, "compatible", "an answer says more"],
  [/^response-.*-prefix-items-removed$/, "breaking", "an answer says less"],
  [/^request-.*one-of-added$|-wrapped-in-one-of$/, "unclear", "what fits two schemas of oneOf does not fit"],
  [/^request-body-media-type-schema-removed$/, "unclear", "members that nothing names may be ignored"],
  [/^request-(optional|required)-property-became-read-only$/, "unclear", "what is sent may be ignored, or refused"],
  [/^request-parameter-list-of-types-narrowed$/, "compatible", "in a query every number is a string"],
  [/^request-parameter-property-type-changed$/, "breaking", "it is what a type of content means, too"],
  [/^response-(body|property)-(all-of-removed|any-of-added)$/, "breaking", "an answer gives what it did not give"],
  [/^response-optional-property-became-write-only$/, "unclear", "it is a member that is gone"],
  [/^response-property-enum-value-added$/, "breaking", "a switch over all values has no case for it"],
  [/^response-property-pattern-changed$/, "unclear", "either pattern may be the wider one"],
  [/^response-property-pattern-removed$/, "breaking", "an answer gives what it did not give"],
  [/^response-success-status-added$/, "unclear", "a reader of one status may take no other"],
];

const cases = changeCases((rule) => levels.has(rule));
const otherwise = new Set<RegExp>();

function worst(before: object, after: object): Verdict | undefined {
  const verdicts = new Set(changesBetween(before, after, { date }).map(({ verdict }) => verdict));
  return (["breaking", "unclear", "compatible"] as const).find((one) => verdicts.has(one));
}

describe("changesBetween() beside oasdiff", () => {
  it("C22.1 has at least 150 of its rules", () => {
    const rules = new Set(cases.map(({ rule }) => rule));
    expect([...rules].filter((rule) => !levels.has(rule))).toEqual([]);
    expect(rules.size).toBeGreaterThanOrEqual(150);
  });

  it.each(cases)("C22.1 judges $rule", ({ rule, before, after }) => {
    const expected = theirs[levels.get(rule)!];
    const ours = worst(before, after);
    if (ours === expected) return;
    const record = decided.find(([rules, verdict]) => rules.test(rule) && verdict === ours);
    expect(record, `${rule}: ours ${ours}, theirs ${expected}`).toBeDefined();
    otherwise.add(record![0]);
  });

  it("C22.1 judges otherwise only where it is written down", () => {
    expect(decided.map(([rules]) => rules).filter((rules) => !otherwise.has(rules))).toEqual([]);
  });
});

type Members = Readonly<Record<string, unknown>>;

const api = (paths: Members, more: Members = {}): Members => ({
  openapi: "3.1.1",
  info: { title: "T", version: "1" },
  paths,
  ...more,
});
const answers = (schema: unknown, name: string = "schema"): Members => ({
  responses: { 200: { description: "OK", content: { "application/json": { [name]: schema } } } },
});
const told = (before: unknown, after: unknown): string[] =>
  changesBetween(before, after, { date }).map(
    ({ verdict, for: who, operation, place, what }) => `${verdict} ${who}, ${operation} ${place}: ${what}`,
  );

describe("changesBetween()", () => {
  it("finds nothing in equal documents, whatever the order of members", () => {
    const one = api({ "/a": { get: { operationId: "a", ...answers({ type: "string", minLength: 1 }) } } });
    const other = api({ "/a": { get: { ...answers({ minLength: 1, type: "string" }), operationId: "a" } } });
    expect(told(one, other)).toEqual([]);
    expect(told(null, "x")).toEqual([]);
  });

  it("takes a param of another name for the same", () => {
    const at = (name: string): Members =>
      api({
        [`/a/{${name}}`]: {
          parameters: [{ name, in: "path", required: true, schema: { type: "string" } }],
          get: { responses: {} },
        },
      });
    expect(told(at("id"), at("key"))).toEqual([
      'compatible callers, GET /a/{key} path key: is the param that was named "id"',
    ]);
  });

  it("follows references, in circles too, and names the place inside", () => {
    const at = (title: Members): Members =>
      api(
        { "/a": { get: answers({ $ref: "#/components/schemas/Node" }) } },
        {
          components: {
            schemas: {
              Node: {
                type: "object",
                properties: {
                  title: { $ref: "#/components/schemas/Ti~1tle", description: "x" },
                  children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
                },
              },
              "Ti/tle": title,
            },
          },
        },
      );
    expect(told(at({ type: "string" }), at({ type: ["string", "null"] }))).toEqual([
      "breaking readers, GET /a 200 content.title: type string or null, was string",
    ]);
  });

  it("ends at references that lead nowhere, or to themselves", () => {
    const at = (reference: string): Members =>
      api(
        { "/a": { get: answers({ $ref: reference }) } },
        { components: { schemas: { A: { $ref: "#/components/schemas/A" }, B: {}, "%": { type: "string" } } } },
      );
    expect(told(at("#/components/schemas/A"), at("#/components/schemas/B"))).toEqual([]);
    expect(told(at("#/components/schemas/__proto__"), at("#/components/schemas/none"))).toEqual([]);
    expect(told(at("#/components/schemas/%"), at("other.json#/a"))).toEqual([
      "breaking readers, GET /a 200 content: type any, was string",
    ]);
  });

  it("compares the alternatives of a union that are meant to be the same", () => {
    const kind = (name: string, more: Members = {}): Members => ({
      type: "object",
      properties: { kind: { const: name }, ...more },
      required: ["kind"],
    });
    const at = (...schemas: Members[]): Members =>
      api({
        "/a": {
          post: { requestBody: { content: { "application/json": { schema: { oneOf: schemas } } } }, responses: {} },
        },
      });
    expect(told(at(kind("a"), kind("b")), at(kind("b"), kind("a", { more: { type: "string" } }), kind("c")))).toEqual([
      "compatible callers, POST /a content.more: is new",
      "compatible callers, POST /a content: object is a new alternative",
    ]);
    expect(told(at(kind("a"), { title: "Other" }, { const: 5 }), at(kind("a")))).toEqual([
      "breaking callers, POST /a content: the alternative Other is gone",
      "breaking callers, POST /a content: the alternative 5 is gone",
    ]);
  });

  it("takes a list of types for a union", () => {
    const at = (schema: Members): Members => api({ "/a": { get: answers(schema) } });
    const union = { anyOf: [{ type: "null" }, { type: "string" }] };
    expect(told(at({ type: ["string", "null"] }), at(union))).toEqual([]);
    expect(told(at({ type: "string", nullable: true }), at({ type: ["string", "null"] }))).toEqual([]);
  });

  it("turns the sides round for webhooks", () => {
    const at = (schema: Members, status: number = 204): Members =>
      api(
        {},
        {
          webhooks: {
            shipped: {
              post: {
                requestBody: { required: true, content: { "application/json": { schema } } },
                responses: { [status]: { description: "Taken" } },
              },
            },
          },
        },
      );
    const one = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
    expect(told(at(one), at({ ...one, required: [] }))).toEqual([
      "breaking readers, webhook shipped content.id: is optional now",
    ]);
    expect(told(at({ ...one, required: [] }), at(one))).toEqual([
      "compatible readers, webhook shipped content.id: is required now",
    ]);
  });

  it("compares events and lines by their items, and answers that get content", () => {
    const at = (schema: Members): Members => api({ "/a": { get: answers(schema, "itemSchema") } });
    expect(told(at({ type: "string" }), at({ type: "number" }))).toEqual([
      "breaking readers, GET /a 200 content[]: type number, was string",
    ]);
    const empty = api({ "/a": { get: { responses: { 200: { description: "OK" } } } } });
    expect(told(empty, at({ type: "string" }))).toEqual(["unclear readers, GET /a 200: has content now"]);
  });

  it("compares what describes requests: style, encoding, callbacks, servers", () => {
    const at = (explode: boolean, more: Members): Members =>
      api(
        {
          "/a": {
            post: {
              parameters: [{ name: "q", in: "query", explode, schema: {} }],
              requestBody: { content: { "multipart/form-data": { schema: {}, ...more } } },
              callbacks: more,
              responses: {},
            },
          },
        },
        { servers: [{ url: explode ? "https://one" : "https://two" }] },
      );
    expect(told(at(true, {}), at(false, { encoding: { a: {} } }))).toEqual([
      "breaking callers, POST /a query q: explode false, was true",
      "unclear callers, POST /a content: encoding differs",
      "unclear readers, POST /a callbacks: differ",
      "unclear callers, null servers: https://one is gone",
      "compatible callers, null servers: https://two is new",
    ]);
  });

  it("takes a type that a range includes for the same in requests", () => {
    const at = (type: string, other?: string): Members =>
      api({
        "/a": {
          post: {
            requestBody: { content: { [type]: {} } },
            responses: { 200: { description: "OK", content: { [other ?? type]: {} } } },
          },
        },
      });
    expect(told(at("image/png", "text/csv"), at("image/*", "text/*"))).toEqual([
      "compatible callers, POST /a content: the media type image/png is part of image/* now",
      "compatible callers, POST /a content: the media type image/* is new",
      "breaking readers, POST /a 200 content: the media type text/csv is gone",
      "compatible readers, POST /a 200 content: the media type text/* is new",
    ]);
  });

  it("knows multiples, formats and dependencies that are wider or narrower", () => {
    const at = (schema: Members): Members => api({ "/a": { get: answers(schema) } });
    const verdict = (before: Members, after: Members): string | undefined => worst(at(before), at(after));
    expect(verdict({ multipleOf: 2 }, { multipleOf: 4 })).toBe("compatible");
    expect(verdict({ multipleOf: 4 }, { multipleOf: 2 })).toBe("breaking");
    expect(verdict({ multipleOf: 4 }, { multipleOf: 3 })).toBe("breaking");
    expect(verdict({}, { multipleOf: 3 })).toBe("compatible");
    expect(verdict({ format: "int64" }, { format: "int32" })).toBe("compatible");
    expect(verdict({ format: "int32" }, { format: "int64" })).toBe("breaking");
    expect(verdict({ uniqueItems: true }, {})).toBe("breaking");
    expect(verdict({ pattern: ".*" }, { pattern: "^a$" })).toBe("compatible");
    const needs = (...names: string[]): Members => ({ dependentRequired: { a: names } });
    expect(verdict(needs("b"), needs("b", "c"))).toBe("compatible");
    expect(verdict(needs("b", "c"), needs("b"))).toBe("breaking");
    expect(verdict({ additionalProperties: { type: "string" } }, { additionalProperties: { type: "number" } })).toBe(
      "breaking",
    );
    expect(verdict({ additionalProperties: false }, {})).toBe("compatible");
    expect(verdict({}, { additionalProperties: false })).toBe("compatible");
    expect(verdict({ additionalProperties: { type: "string" } }, {})).toBe("breaking");
    expect(verdict({ not: { const: 1 } }, { not: { const: 2 } })).toBe("unclear");
    expect(verdict({ items: false }, { items: { type: "string" } })).toBe("breaking");
    expect(verdict({ prefixItems: [{ const: 1 }] }, { prefixItems: [{ const: 2 }] })).toBe("breaking");
    expect(verdict({ minLength: 0 }, {})).toBeUndefined();
    expect(verdict({ properties: { a: { enum: ["x"] } } }, { properties: { a: { type: "string" } } })).toBe("breaking");
    expect(verdict({ allOf: [{ type: "string" }] }, { allOf: [{ type: "number" }] })).toBe("breaking");
    expect(verdict({ propertyNames: { pattern: "a" } }, { propertyNames: { pattern: "b" } })).toBe("unclear");
  });

  it("lets callers in who have what one of the alternatives needs", () => {
    const at = (security: readonly Members[]): Members =>
      api(
        { "/a": { get: { responses: {} } } },
        {
          security,
          components: {
            securitySchemes: {
              key: { type: "apiKey", in: "header", name: "x-key", description: String(security.length) },
              token: { type: "http" },
            },
          },
        },
      );
    expect(told(at([{ key: [] }]), at([{ key: [] }, { token: [] }]))).toEqual([
      "compatible callers, GET /a security: token is enough now",
      "compatible callers, GET /a security: description of key differs",
    ]);
    expect(told(at([{ key: [] }, { token: [] }]), at([{ key: [], token: ["write"] }]))).toEqual([
      "breaking callers, GET /a security: key is not enough any more",
      "breaking callers, GET /a security: token is not enough any more",
      "compatible callers, GET /a security: key and token with write is enough now",
      "compatible callers, GET /a security: description of key differs",
    ]);
  });

  it("knows QUERY by its name before OpenAPI 3.2", () => {
    const at = (name: string): Members => api({ "/a": { [name]: { responses: {} } } });
    expect(told(at("x-query"), at("query"))).toEqual([]);
  });
});

describe("reports of changes", () => {
  const changes = changesBetween(
    api({ "/a|b": { get: answers({ type: "string" }), post: { responses: {} } } }),
    api(
      { "/a|b": { get: { operationId: "x", ...answers({ type: "number" }) } } },
      { servers: [{ url: "https://<h>" }] },
    ),
    { date },
  );

  it("begin with what breaks", () => {
    expect(changesText(changes)).toBe(
      [
        "Breaking:",
        "  GET /a|b, 200 content: type number, was string (readers)",
        "  POST /a|b: is gone (callers)",
        "",
        "Unclear:",
        '  GET /a|b: operationId "x", was undefined (callers)',
        "",
        "Compatible:",
        "  the document, servers: https://<h> is new (callers)",
        "",
        "2 breaking, 1 unclear, 1 compatible",
      ].join("\n"),
    );
  });

  it("tell a difference in a schema that operations share once, by its place there", () => {
    const at = (title: Members): Members =>
      api(
        Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, { get: answers({ items: reference("Book") }) }])),
        { components: { schemas: { Book: { properties: { author: reference("Author") } }, Author: title } } },
      );
    const reference = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });
    const shared = changesBetween(at({ type: "string" }), at({ type: "number" }), { date });
    expect(shared.map(({ place, schema }) => [place, schema])).toEqual(
      Array.from({ length: 3 }, () => ["200 content[].author", "Author"]),
    );
    expect(changesText(shared)).toBe(
      "Breaking:\n  GET /a, and 2 more, Author: type number, was string (readers)\n\n1 breaking, 0 unclear, 0 " +
        "compatible",
    );
    expect(changesMarkdown(shared)).toContain("| GET /a, and 2 more | Author | type number, was string | readers |");
  });

  it("are Markdown that a cell holds", () => {
    expect(changesMarkdown(changes)).toContain(
      "**2 breaking, 1 unclear, 1 compatible.**\n\n## Breaking\n\n| operation | place | change | for " +
        "|\n|---|---|---|---|\n| GET /a\\|b | 200 content | type number, was string | readers |",
    );
    expect(changesMarkdown(changes)).toContain("| the document | servers | https://&lt;h> is new | callers |");
    expect(changesMarkdown([])).toBe("The documents say the same.");
  });
});
