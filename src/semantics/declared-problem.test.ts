import {
  Application,
  jsonSchema,
  problem,
  reply,
  Resource,
  type Answer,
  type Call,
  type Problem,
  type StandardSchema,
} from "fingerpost";
import { client } from "fingerpost/client";
import { mock } from "fingerpost/mock";
import { document, drift } from "fingerpost/openapi";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../openapi/client-types.ts";

const outOfCredit = problem("/problems/out-of-credit", {
  status: 403,
  title: "You do not have enough credit",
  schema: z.object({ balance: z.int(), accounts: z.array(z.string()).optional() }),
});
const soldOut = problem("https://example.com/problems/sold-out", { status: 409, title: "Sold out" });
const reserved = problem("tag:example.com,2026:reserved", {
  status: 409,
  title: "Reserved",
  schema: z.object({ until: z.date().transform((date) => date.toISOString()) }),
});

class Orders extends Resource {
  override paths = ["/orders/:id"] as const;

  static POST = {
    content: z.object({ cost: z.int() }),
    204: "Ordered",
    403: outOfCredit,
    409: soldOut.or(reserved),
  };
  override POST({ path, content }: Call<typeof Orders, "POST">): Answer<typeof Orders, "POST"> {
    if (path.id === "sold") return soldOut();
    if (path.id === "detailed") return soldOut({ detail: "The last one went", instance: "/log/1" });
    if (path.id === "reserved") return reserved({ until: new Date(0) });
    if (path.id === "written") return reply(403, { type: "/problems/out-of-credit", balance: 7 });
    if (content.cost > 30) return outOfCredit({ balance: 30, title: "Kein Guthaben" }, { "retry-after": 60 });
    return reply(204);
  }
}

const app = Application.builder().resources(Orders).build();
const api = client<typeof app>("http://localhost", { fetch: app.fetch });
const order = (id: string, cost = 1) => app.request(`/orders/${id}`, { method: "POST", json: { cost } });

describe("C8.21 problem()", () => {
  it("answers by its status and type, with its own members, by each way of checking", async () => {
    for (const replies of ["shape", "check", "trust"] as const) {
      const builder = Application.builder().resources(Orders);
      const own = builder.replies(replies).build();
      const ask = async (id: string, cost = 1) => {
        const response = await own.request(`/orders/${id}`, { method: "POST", json: { cost } });
        expect(response.headers.get("content-type")).toBe("application/problem+json");
        return [response.status, await response.json(), response.headers.get("retry-after")];
      };
      const credit = { type: "/problems/out-of-credit", status: 403 };
      expect(await ask("1", 50)).toEqual([403, { ...credit, title: "Kein Guthaben", balance: 30 }, "60"]);
      const sold = { type: "https://example.com/problems/sold-out", title: "Sold out", status: 409 };
      expect(await ask("sold")).toEqual([409, sold, null]);
      expect(await ask("detailed")).toEqual([409, { ...sold, detail: "The last one went", instance: "/log/1" }, null]);
      const until = "1970-01-01T00:00:00.000Z";
      const { type: reservedType } = reserved({ until: new Date() }).content;
      expect(await ask("reserved")).toEqual([409, { type: reservedType, title: "Reserved", status: 409, until }, null]);
      if (replies === "trust") continue;
      const written = { ...credit, title: "You do not have enough credit", balance: 7 };
      expect(await ask("written")).toEqual([403, written, null]);
    }
    expect((await order("1")).status).toBe(204);
  });

  it("is narrowed by its type in the client, beside the problem of the framework", async () => {
    const result = await api["/orders/:id"].POST({ path: { id: "1" }, content: { cost: 50 } });
    expect(result.status).toBe(403);
    if (result.status === 403) {
      expectTypeOf(result.content.type).toEqualTypeOf<"/problems/out-of-credit" | "about:blank" | undefined>();
      if (result.content.type === "/problems/out-of-credit") {
        expectTypeOf(result.content.balance).toEqualTypeOf<number>();
        expectTypeOf(result.content.status).toEqualTypeOf<403>();
        expect(result.content.balance).toBe(30);
      } else expectTypeOf(result.content).toExtend<Problem>();
    }
    const other = await api["/orders/:id"].POST({ path: { id: "reserved" }, content: { cost: 1 } });
    if (other.status !== 409) throw new Error(`It is ${other.status}`);
    if (other.content.type === "tag:example.com,2026:reserved") {
      expectTypeOf(other.content.until).toEqualTypeOf<string>();
      expect(other.content.until).toBe("1970-01-01T00:00:00.000Z");
    } else expectTypeOf(other.content.type).toEqualTypeOf<"https://example.com/problems/sold-out">();
    const refused = await api["/orders/:id"].POST({ path: { id: "1" }, content: { cost: "x" } as never });
    expect([refused.status, (refused.content as Problem).type]).toEqual([422, undefined]);
  });

  it("is typed by its schema where a handler returns it", () => {
    // @ts-expect-error -- its schema requires a balance
    void outOfCredit();
    // @ts-expect-error -- a balance is a number
    void outOfCredit({ balance: "30" });
    void (() => {
      class Wrong extends Resource {
        override paths = ["/wrong"] as const;
        static GET = { 200: z.string(), 403: outOfCredit };
        override GET(): Answer<typeof Wrong, "GET"> {
          // @ts-expect-error -- another problem than the declared one
          return soldOut();
        }
      }
      return Wrong;
    });
    expectTypeOf(soldOut().status).toEqualTypeOf<409>();
    expect(soldOut()).toEqual(reply(409, soldOut().content));
  });

  it("is in the document, beside the problem of the framework where both may answer", () => {
    const { responses } = document(app, { title: "A", version: "1" }).paths["/orders/{id}"]!["post"]!;
    const own = {
      type: "object",
      properties: {
        type: { type: "string", const: "/problems/out-of-credit" },
        title: { type: "string", examples: ["You do not have enough credit"] },
        status: { type: "integer", const: 403 },
        detail: { type: "string" },
        instance: { type: "string", format: "uri-reference" },
        balance: expect.objectContaining({ type: "integer" }),
        accounts: { type: "array", items: { type: "string" } },
      },
      required: ["type", "title", "status", "balance"],
    };
    expect(responses["403"]).toEqual({
      description: "You do not have enough credit",
      content: { "application/problem+json": { schema: expect.objectContaining(own) } },
    });
    expect(responses["409"]!.description).toBe("Sold out, or: Reserved");
    const { anyOf } = responses["409"]!.content!["application/problem+json"]!["schema"] as { anyOf: unknown[] };
    expect(anyOf).toHaveLength(2);
    class Guarded extends Resource {
      override paths = ["/guarded"] as const;
      static POST = {
        content: z.string(),
        204: "Done",
        422: { content: { "application/problem+json": problem("urn:x", { status: 422, title: "X" }) } },
      };
      override POST(): Answer<typeof Guarded, "POST"> {
        return reply(204);
      }
    }
    const guarded = Application.builder().resources(Guarded).build();
    const both = document(guarded, { title: "A", version: "1" }).paths["/guarded"]!["post"]!.responses["422"]!;
    expect(both.content!["application/problem+json"]!["schema"]).toEqual({
      anyOf: [expect.objectContaining({ type: "object" }), { $ref: "#/components/schemas/Problem" }],
    });
  });

  it("names an answer of which it is the content", () => {
    class Credit extends Resource {
      override paths = ["/credit"] as const;
      static GET = { 204: "Fine", 403: { content: outOfCredit } };
      override GET(): Answer<typeof Credit, "GET"> {
        return outOfCredit({ balance: 30 });
      }
    }
    const { paths } = document(Application.builder().resources(Credit).build(), { title: "Credit", version: "1" });
    expect(paths["/credit"]?.get?.responses["403"]).toMatchObject({ description: "You do not have enough credit" });
  });

  it("is known to printed types, explain(), mocks and drift()", async () => {
    const types = clientTypes(app.dispatcher);
    expect(types).toContain('readonly type: "/problems/out-of-credit"');
    expect(types).toContain('readonly type: "tag:example.com,2026:reserved"');

    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/orders/sold", { method: "POST", headers, body: '{"cost":1}' });
    expect((await app.explain(request.clone(), { run: true })).status).toBe(409);

    const mocked = mock(app);
    for (const [status, expected] of [
      [403, { type: "/problems/out-of-credit", status: 403, balance: expect.any(Number) }],
      [
        409,
        { type: expect.stringMatching(/sold-out$|reserved$/), title: expect.stringMatching(/^(Sold out|Reserved)$/) },
      ],
    ] as const) {
      const preferring = { method: "POST", json: { cost: 1 }, headers: { prefer: `code=${status}` } };
      const response = await mocked.request("/orders/1", preferring);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject(expected);
    }

    const seen = drift(app);
    expect((await seen.fetch(request)).status).toBe(409);
    expect(seen.statuses).toEqual([]);
  });

  it("says what does not fit where a handler returns something else", async () => {
    const given: [unknown, string][] = [
      [7, "content of 409 does not fit at # (Expected problem details)"],
      [{}, 'at #/type (Expected "https://example.com/problems/sold-out" or "tag:example.com,2026:reserved")'],
      [{ type: "/else" }, "at #/type (Expected"],
      [{ ...soldOut().content, status: 410 }, "at #/status (Expected 409)"],
      [{ ...soldOut().content, detail: 7, instance: 8, title: 9 }, "at #/title (Expected a string), #/detail"],
      [{ ...soldOut().content, type: "tag:example.com,2026:reserved" }, "at #/until ("],
    ];
    for (const [content, told] of given) {
      class Wrong extends Resource {
        override paths = ["/wrong"] as const;
        static GET = { 204: "Done", 409: soldOut.or(reserved) };
        override GET(): Answer<typeof Wrong, "GET"> {
          return reply(409, content as never);
        }
      }
      const errors: unknown[] = [];
      const wrong = Application.builder()
        .resources(Wrong)
        .replies("check")
        .onError((error) => void errors.push(error))
        .build();
      expect((await wrong.request("/wrong")).status).toBe(500);
      expect(String(errors[0])).toContain(told);
    }
  });

  it("takes members of any library, and keeps none that they do not name", async () => {
    const unshown = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
    const schemas: [string, StandardSchema<unknown>][] = [
      ["valibot", toStandardJsonSchema(v.object({ n: v.number() }))],
      ["arktype", type({ n: "number", "+": "delete" })],
      ["raw", jsonSchema({ type: "object", properties: { n: { type: "integer" } } }, () => true)],
      ["named", z.object({ n: z.int() }).meta({ id: "NamedMembers" })],
      ["unshown", unshown],
    ];
    for (const [name, schema] of schemas) {
      const own = problem(`urn:own:${name}`, { status: 410, title: "Gone", schema });
      for (const declared of [own, own.or(problem("urn:own:other", { status: 410, title: "Other" }))]) {
        class Mixed extends Resource {
          override paths = ["/mixed"] as const;
          static GET = { 204: "Done", 410: declared };
          override GET(): Answer<typeof Mixed, "GET"> {
            return own({ n: 1, ...(name === "unshown" ? {} : { secret: "s" }) } as object);
          }
        }
        const mixed = Application.builder().resources(Mixed).build();
        const response = await mixed.request("/mixed");
        expect(await response.json()).toEqual({ type: `urn:own:${name}`, title: "Gone", status: 410, n: 1 });
        expect(JSON.stringify(document(mixed, { title: "A", version: "1" }))).toContain(`"const":"urn:own:${name}"`);
      }
    }
  });

  it("refuses wrong types and options, and a status that is not its own", () => {
    const wrong: [unknown, object, string][] = [
      ["out-of-credit", {}, 'its type must be an absolute URI, or a path such as "/problems/out-of-credit", got'],
      ["//host/x", {}, "its type must be an absolute URI"],
      ["/a b", {}, "its type must be an absolute URI"],
      [7, {}, "its type must be an absolute URI"],
      ["/x", { status: 200 }, 'its option "status" must be a status code from 400 to 599, got 200'],
      ["/x", { status: "409" }, 'its option "status" must be a status code from 400 to 599, got "409"'],
      ["/x", { title: "" }, 'its option "title" must be a short summary of the type, got ""'],
      ["/x", { schema: 7 }, 'its option "schema" must be the schema of an object, got 7'],
      ["/x", { detail: "x" }, 'it has no option "detail"; write one of status, title, schema'],
      ["/x", { schema: z.string() }, 'its option "schema" must be of an object whose members are known'],
      ["/x", { schema: z.union([z.object({}), z.object({ a: z.int() })]) }, "whose members are known; write z.object("],
      ["/x", { schema: z.object({ detail: z.string() }) }, 'its schema has "detail", which each problem has'],
    ];
    for (const [name, options, told] of wrong) {
      expect(() => problem(name as string, { status: 409, title: "Taken", ...options })).toThrow(told);
    }
    expect(() => soldOut.or(outOfCredit as never)).toThrow(
      "Cannot call or(): the problems have the statuses 409 and 403; declare each for its status",
    );
    expect(() => soldOut.or(soldOut)).toThrow('both problems have the type "https://example.com/problems/sold-out"');
    expect(() => soldOut.or(7 as never)).toThrow("Cannot call or(): expected what problem() returns, got 7");
    class Wrong extends Resource {
      override paths = ["/wrong"] as const;
      static GET = { 204: "Done", 410: soldOut };
      override GET(): undefined {}
    }
    expect(() => Application.builder().resources(Wrong).build()).toThrow(
      "Cannot add Wrong to the application: static GET has a problem() of 409 for 410; write 409: …",
    );
  });

  it("C8.21 names the library of its schemas, or says that there are several", () => {
    const own = problem("/problems/own", { status: 409, title: "Own", schema: z.object({ a: z.int() }) });
    const other = problem("/problems/other", {
      status: 409,
      title: "Other",
      schema: toStandardJsonSchema(v.object({ b: v.number() })),
    });
    expect([own, own.or(other)].map((one) => one["~standard"].vendor)).toEqual(["zod", "several"]);
  });
});
