import { readFileSync } from "node:fs";
import { client, type ApiOf } from "fingerpost/client";
import { asyncDocument, document, drift } from "fingerpost/openapi";
import * as native from "fingerpost/native";
import { Application, events, readInput, Resource, type Answer, type Call } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { mock } from "fingerpost/mock";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { changesBetween } from "./changes/document-changes.ts";
import { clientTypes } from "./client-types.ts";

const about = { title: "Prices", version: "1" };
const origin = "http://localhost";

/** Builds one application by a schema. Nothing else of it changes. */
function shopOf(price: z.ZodObject) {
  class PriceOf extends Resource {
    paths = ["/prices/:id"] as const;

    static GET = { 200: price, etag: "content" as const, tool: { name: "read_price" } };
    override GET({ path }: Call<typeof PriceOf, "GET">): Answer<typeof PriceOf, "GET"> {
      return path.id === "old" ? { amount: 5 } : { amount: 5, currency: "EUR" };
    }

    static PUT = { content: price, 200: price, tool: { name: "set_price" } };
    override PUT({ content }: Call<typeof PriceOf, "PUT">): Answer<typeof PriceOf, "PUT"> {
      return content;
    }
  }
  class Live extends Resource {
    paths = ["/live"] as const;

    static GET = { 200: events(price) };
    override async *GET(): AsyncGenerator<never> {}
  }
  return Application.builder()
    .resources(PriceOf, Live, mcp({ name: "prices", version: "1" }))
    .onError(() => undefined)
    .build();
}

const withoutMember = shopOf(z.object({ amount: z.int() }));
const withMember = shopOf(z.object({ amount: z.int(), currency: z.enum(["EUR", "USD"]) }));
type Shop = typeof withoutMember;

const withoutCurrency = (): Request =>
  new Request(`${origin}/prices/1`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: '{"amount":5}',
  });

async function toolsOf(app: Shop): Promise<object[]> {
  const headers = { accept: "application/json, text/event-stream" };
  const json = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const text = await (await app.request("/mcp", { method: "POST", headers, json })).text();
  return (JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as { readonly result: { readonly tools: object[] } }).result
    .tools;
}

/** What each reader says of the application, before the schema gets the member `currency`, and after. */
const readers: Readonly<Record<string, { says: (app: Shop) => unknown; before: unknown; after: unknown }>> = {
  Checks: {
    says: async (app) => {
      const response = await app.fetch(withoutCurrency());
      const { errors = [] } = (await response.json()) as { readonly errors?: readonly { readonly pointer: string }[] };
      return [response.status, ...errors.map(({ pointer }) => pointer)];
    },
    before: [200],
    after: [422, "#/currency"],
  },
  Types: {
    says: (app) => /readonly content: \{[^}]*\}/.exec(clientTypes(app.dispatcher))?.[0].replaceAll(/\s+/g, " "),
    before: "readonly content: { readonly amount: number; }",
    after: 'readonly content: { readonly amount: number; readonly currency: "EUR" | "USD"; }',
  },
  "HTTP semantics": {
    says: async (app) => {
      const [head, get] = [await app.request("/prices/1", { method: "HEAD" }), await app.request("/prices/1")];
      const tag = (await withoutMember.request("/prices/1")).headers.get("etag")!;
      const again = await app.request("/prices/1", { headers: { "if-none-match": tag } });
      return [head.headers.get("content-length"), await get.json(), again.status];
    },
    before: ["12", { amount: 5 }, 304],
    after: ["29", { amount: 5, currency: "EUR" }, 200],
  },
  "OpenAPI document": {
    says: (app) => {
      const { responses } = document(app, about).paths["/prices/{id}"]!["get"]!;
      return (responses["200"]!.content!["application/json"]!["schema"] as { readonly required: unknown }).required;
    },
    before: ["amount"],
    after: ["amount", "currency"],
  },
  "Typed client": {
    says: async (app) => {
      const { content } = await client<Shop>(origin, { fetch: app.fetch })["/prices/:id"].GET({ path: { id: "1" } });
      return content;
    },
    before: { amount: 5 },
    after: { amount: 5, currency: "EUR" },
  },
  "`explain()`": {
    says: async (app) => (await app.explain(withoutCurrency())).questions.find(({ step }) => step === 9)?.finding,
    before: "yes",
    after: expect.stringContaining("content #/currency"),
  },
  "`drift()`": {
    says: async (app) => {
      const seen = drift(app);
      await seen.fetch(new Request(`${origin}/prices/old`));
      return seen.statuses.map(({ method, status }) => `${method} ${status}`);
    },
    before: [],
    after: ["GET 500"],
  },
  "Tools of agents": {
    says: async (app) => {
      const [read, set] = (await toolsOf(app)) as {
        inputSchema: { required: string[] };
        outputSchema: { required: string[] };
      }[];
      return [read!.outputSchema.required, set!.inputSchema.required];
    },
    before: [["amount"], ["id", "amount"]],
    after: [
      ["amount", "currency"],
      ["id", "amount", "currency"],
    ],
  },
  "AsyncAPI document": {
    says: (app) => {
      const { messages } = asyncDocument(app, about).channels["getLive"]!;
      return (messages["events"]!.payload as { readonly required: unknown }).required;
    },
    before: ["amount"],
    after: ["amount", "currency"],
  },
  "Breaking changes": {
    says: (app) =>
      changesBetween(document(withoutMember, about), document(app, about))
        .filter(({ operation }) => operation?.startsWith("PUT"))
        .map(({ verdict, for: whom, place }) => `${verdict} for ${whom}: ${place}`),
    before: [],
    after: ["breaking for callers: content.currency", "compatible for readers: 200 content.currency"],
  },
  Mock: {
    says: async (app) => {
      const content = (await (await mock(app).request("/prices/1")).json()) as Record<string, unknown>;
      return Object.entries(content).map(([name, value]) => (name === "amount" ? name : `${name} ${typeof value}`));
    },
    before: ["amount"],
    after: ["amount", "currency string"],
  },
};

describe("one declaration", () => {
  it.each(Object.entries(readers))("is read anew by each reader: %s", async (_, { says, before, after }) => {
    expect(await says(withoutMember)).toEqual(before);
    expect(await says(withMember)).toEqual(after);
  });

  it("has the readers that the page lists, each with a link", () => {
    const page = readFileSync(new URL("../../docs/how-it-works.md", import.meta.url), "utf8");
    const [, section] = page.split("## One declaration, eleven readers\n");
    const rows = [...section!.matchAll(/^\| \[(.+?)\]\(\S+?\.md(?:#\S+?)?\) \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(readers));
    expect(rows).toHaveLength(11);
  });

  it("changes the types of handlers and of the client in the same step", () => {
    const limit = z.object({ limit: z.int() });
    class Before extends Resource {
      paths = ["/search"] as const;
      static GET = { query: limit, 200: limit };
      override GET({ query }: Call<typeof Before, "GET">): Answer<typeof Before, "GET"> {
        return query;
      }
    }
    const paged = limit.extend({ page: z.int() });
    class After extends Resource {
      paths = ["/search"] as const;
      static GET = { query: paged, 200: paged, 404: "No such page" };
      override GET({ query }: Call<typeof After, "GET">): Answer<typeof After, "GET"> {
        return query;
      }
    }
    const apps = [
      Application.builder().resources(Before).build(),
      Application.builder().resources(After).build(),
    ] as const;
    type Get<App> =
      ApiOf<App> extends { "/search": { GET: infer Own extends (input: never) => unknown } } ? Own : never;
    type Query<App> = Parameters<Get<App>>[0] extends { query: infer Of } ? Of : never;
    expectTypeOf<Query<(typeof apps)[0]>>().toEqualTypeOf<{ limit: number }>();
    expectTypeOf<Query<(typeof apps)[1]>>().toEqualTypeOf<{ limit: number; page: number }>();
    expectTypeOf<
      404 extends Awaited<ReturnType<Get<(typeof apps)[1]>>>["status"] ? true : false
    >().toEqualTypeOf<true>();
    expectTypeOf<
      404 extends Awaited<ReturnType<Get<(typeof apps)[0]>>>["status"] ? true : false
    >().toEqualTypeOf<false>();
    expect(apps.map((app) => document(app, about).paths["/search"]!["get"]!.parameters!.length)).toEqual([1, 2]);
  });
});

describe("readInput() in a resource of the native module", () => {
  const note = z.object({ text: z.string() });
  class Note extends native.Resource {
    paths = ["/notes/:id"] as const;

    static PUT = { path: z.object({ id: z.int() }), content: note, 200: note, 404: "No such note" };
    override async PUT(request: native.RequestOf<Note>): Promise<Response> {
      const { path, content } = await readInput(request, Note.PUT);
      return path.id === 0
        ? new Response(null, { status: 404 })
        : Response.json({ text: `${path.id} ${content.text}` });
    }
  }
  const app = native.Application.builder().resources(Note).build();
  const typed = Application.builder().resources(Note).build();

  it("C8.10 is described by document() as the declaration says", () => {
    const put = document(app, about).paths["/notes/{id}"]!["put"]!;
    expect(put.operationId).toBe("putNote");
    expect(put.parameters).toMatchObject([{ name: "id", in: "path", schema: { type: "integer" } }]);
    expect(put.requestBody).toMatchObject({
      content: { "application/json": { schema: { properties: { text: { type: "string" } }, required: ["text"] } } },
    });
    expect(Object.keys(put.responses)).toEqual(["200", "400", "404", "413", "415", "422"]);
    expect(put.responses["404"]).toMatchObject({ description: "No such note" });
  });

  it("C8.10 is called by a typed client, with the errors of its declaration", async () => {
    const api = client<typeof typed>("http://localhost", { fetch: typed.fetch });
    const call = api["/notes/:id"].PUT;
    expectTypeOf<Parameters<typeof call>[0]["content"]>().toEqualTypeOf<{ text: string }>();
    const found = await call({ path: { id: 5 }, content: { text: "Hello" } });
    expect(found.orThrow()).toEqual({ text: "5 Hello" });
    expect(await call({ path: { id: 0 }, content: { text: "" } })).toMatchObject({ status: 404, content: undefined });
    const wrong = await call({ path: { id: 5 }, content: { text: 5 } as never });
    expect(wrong).toMatchObject({ status: 422, content: { errors: [{ in: "content", pointer: "#/text" }] } });
  });

  it("C8.10 is in the printed types of a client, whose calls an application of the native module answers", async () => {
    expect(clientTypes(app.dispatcher)).toContain("readonly text: string");
    const api = client<ApiOf<typeof typed>>("http://localhost", { fetch: app.fetch });
    expect((await api["/notes/:id"].PUT({ path: { id: 5 }, content: { text: "Hello" } })).status).toBe(200);
  });
});
