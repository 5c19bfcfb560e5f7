// A tool is its operation: same guard, same status, same content as over HTTP (C21.2).
import fc from "fast-check";
import { Application, reply, Resource } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { bearer } from "fingerpost/middleware/bearer";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { holds, runs, timeout } from "./runs.ts";

const schemas = {
  text: z.string().min(2),
  number: z.number().max(10),
  choice: z.enum(["a", "b"]),
  list: z.array(z.string()).max(2),
  nested: z.object({ deep: z.boolean() }),
};
const kind = fc.constantFrom(...(Object.keys(schemas) as (keyof typeof schemas)[]));
const names = fc.uniqueArray(fc.constantFrom("one", "two", "three"), { maxLength: 3 });
const members = names.chain((all) => fc.tuple(...all.map((name) => fc.tuple(fc.constant(name), kind, fc.boolean()))));

const operations = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
  params: fc.uniqueArray(fc.constantFrom("id", "one", "page"), { maxLength: 2 }),
  query: fc.uniqueArray(fc.constantFrom("limit", "two"), { maxLength: 2 }),
  content: fc.option(members),
  isGuarded: fc.boolean(),
  isTool: fc.boolean(),
  isMissing: fc.boolean(),
});

const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer({ min: -3, max: 20 }), fc.boolean());
const values = fc.oneof(
  leaf,
  fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
  fc.record({ deep: fc.boolean() }),
);
const segment = fc
  .string({ minLength: 1, maxLength: 4 })
  .filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text));
const calls = fc.record({
  params: fc.array(segment, { minLength: 2, maxLength: 2 }),
  query: fc.array(
    fc.option(
      fc.string({ maxLength: 3 }).filter((text) => text.isWellFormed()),
      { nil: undefined },
    ),
    {
      minLength: 2,
      maxLength: 2,
    },
  ),
  content: fc.dictionary(fc.constantFrom("one", "two", "three"), values),
  token: fc.constantFrom("k7", "wrong", null),
});

type Operation = typeof operations extends fc.Arbitrary<infer Value> ? Value : never;

const guard = bearer({ tokens: { k7: "Ada" } });

function applicationOf({ method, params, query, content, isGuarded, isTool, isMissing }: Operation): Application {
  const shape = Object.fromEntries(
    (content ?? []).map(([name, of, isOptional]) => [name, isOptional ? schemas[of].optional() : schemas[of]]),
  );
  const given = method === "GET" ? {} : content === null ? {} : { content: z.object(shape) };
  class Some extends Resource {
    override paths = [`/some${params.map((name) => `/:${name}`).join("")}`];
    static override middleware = isGuarded ? [guard] : [];
  }
  const declaration = {
    ...given,
    ...(query.length === 0
      ? {}
      : { query: z.object(Object.fromEntries(query.map((name) => [name, z.string().optional()]))) }),
    200: z.object({ path: z.any(), query: z.any(), content: z.any() }),
    404: "Not there",
    ...(isTool ? { tool: { name: "some" } } : {}),
  };
  Object.defineProperty(Some, method, { value: declaration, enumerable: true });
  Object.defineProperty(Some.prototype, method, {
    value: (call: { readonly path: unknown; readonly query?: unknown; readonly content?: unknown }) =>
      isMissing ? reply(404) : { path: call.path, query: call.query ?? null, content: call.content ?? null },
  });
  return Application.builder()
    .resources(Some as never, mcp({ name: "some", version: "1" }))
    .build() as never;
}

async function rpc(app: Application, method: string, params: object, fields: Record<string, string>): Promise<unknown> {
  const headers = { ...fields, accept: "application/json, text/event-stream" };
  const json = { jsonrpc: "2.0", id: 1, method, params };
  const response = await app.request("/mcp", { method: "POST", headers, json });
  const text = await response.text();
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { readonly result: unknown };
  return result;
}

describe("a tool", () => {
  it("answers as its operation does over HTTP, and exists where that says so", { timeout }, async () => {
    await holds(
      fc.asyncProperty(operations, calls, async (operation, call) => {
        const app = applicationOf(operation);
        const fields: Record<string, string> = call.token === null ? {} : { authorization: `Bearer ${call.token}` };
        const isUsable = operation.isTool && (!operation.isGuarded || call.token === "k7");
        const { tools } = (await rpc(app, "tools/list", {}, fields)) as { readonly tools: readonly Listed[] };
        expect(tools.map(({ name }) => name)).toEqual(isUsable ? ["some"] : []);
        if (!isUsable) return;

        const path = Object.fromEntries(operation.params.map((name, at) => [name, call.params[at]!]));
        const query = Object.fromEntries(operation.query.map((name, at) => [name, call.query[at]]));
        const known: readonly string[] = operation.content?.map(([name]) => name) ?? [];
        const hasContent = operation.method !== "GET" && operation.content !== null;
        const sent = Object.entries(call.content).filter(([name]) => hasContent && known.includes(name));
        const content = Object.fromEntries(sent);

        const { properties } = tools[0]!.inputSchema;
        const isGrouped = properties["path"] !== undefined || properties["query"] !== undefined;
        const isWhole = properties["content"] !== undefined;
        const given = isGrouped
          ? { path, query, content }
          : { ...path, ...query, ...(isWhole ? { content } : content) };
        // Of a group without members there is no input.
        const inputs = Object.fromEntries(Object.entries(given).filter(([name]) => properties[name] !== undefined));
        const result = (await rpc(app, "tools/call", { name: "some", arguments: inputs }, fields)) as Result;

        const target = operation.params.map((name) => `/${encodeURIComponent(path[name]!)}`).join("");
        const search = new URLSearchParams(
          Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
        );
        const response = await app.request(`/some${target}?${search}`, {
          method: operation.method,
          headers: fields,
          ...(hasContent ? { json: content } : {}),
        });
        const answered = (await response.json()) as Answered;
        if (response.status < 400) {
          expect(result.isError).toBeUndefined();
          expect(result.structuredContent).toEqual(answered);
          return;
        }
        expect(result.isError).toBe(true);
        const [{ text }] = result.content;
        expect(text.startsWith(String(response.status))).toBe(true);
        for (const { pointer } of answered.errors ?? []) expect(text).toContain(pointer.slice(1));
      }),
      Math.ceil(runs / 10),
    );
  });
});

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly [{ readonly text: string }];
}

interface Answered {
  readonly errors?: readonly { readonly pointer: string }[];
}
