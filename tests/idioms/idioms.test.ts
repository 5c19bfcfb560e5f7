import { Application, Resource } from "fingerpost";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { rows as ofAjv } from "./ajv.ts";
import { rows as ofArkType } from "./arktype.ts";
import { idioms, type Idiom } from "./idiom.ts";
import { rows as ofTypeBox } from "./typebox.ts";
import { rows as ofValibot } from "./valibot.ts";
import { rows as ofZod } from "./zod.ts";

type Row<Key extends string> = Extract<Idiom, Readonly<Record<Key, unknown>>>;

interface Built {
  readonly app: Application;
  /** What the handler got, and what it returns. */
  readonly call: { got: unknown; gives: unknown };
}

function built({ by, schema }: Row<"schema">): Built {
  const call: Built["call"] = { got: undefined, gives: undefined };
  const multipart = { "multipart/form-data": schema };
  class Thing extends Resource {
    override paths = ["/"];
    static GET = by === "answer" ? { 200: schema } : { ...(by === "query" ? { query: schema } : {}), 204: "Read" };
    override GET({ query }: { readonly query?: unknown }): unknown {
      call.got = query;
      return call.gives;
    }
    static POST = {
      ...(by === "content" ? { content: schema } : by === "form" ? { content: multipart } : {}),
      204: "Read",
    };
    override POST({ content }: { readonly content?: unknown }): unknown {
      call.got = content;
      return undefined;
    }
  }
  const app = Application.builder()
    .resources(Thing as never)
    .onError(() => {})
    .build();
  return { app: app as never, call };
}

function asked({ app }: Built, by: string, sent: unknown): Promise<Response> {
  if (by === "query") return app.fetch(new Request(`http://localhost/?${String(sent)}`));
  if (by === "form") {
    const body = new FormData();
    for (const [name, value] of Object.entries(sent as Record<string, string | Blob>)) body.append(name, value);
    return app.fetch(new Request("http://localhost/", { method: "POST", body }));
  }
  const headers = { "content-type": "application/json" };
  return app.fetch(new Request("http://localhost/", { method: "POST", headers, body: JSON.stringify(sent) }));
}

interface Operation {
  readonly parameters?: readonly { readonly schema: unknown }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<number, Body>>;
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
}

/** What the document says, with each reference replaced once by what it leads to. */
function describedBy({ app }: Built, by: Row<"schema">["by"]): unknown {
  const { paths, components } = document(app, { title: "Idioms", version: "1" });
  const { get, post } = paths["/"] as unknown as Record<"get" | "post", Operation>;
  const schema =
    by === "query"
      ? get.parameters![0]!.schema
      : by === "answer"
        ? get.responses[200]!.content["application/json"]!.schema
        : Object.values(post.requestBody!.content)[0]!.schema;
  const { $ref: reference } = schema as { readonly $ref?: string };
  return reference === undefined ? schema : components.schemas![reference.split("/").at(-1)!];
}

describe.each([
  ["zod", ofZod],
  ["Valibot", ofValibot],
  ["ArkType", ofArkType],
  ["TypeBox", ofTypeBox],
  ["Ajv", ofAjv],
] as const)("%s", (_, rows: readonly Idiom[]) => {
  it("has a row for each idiom", () => {
    expect(new Set(rows.map(({ idiom }) => idiom))).toEqual(new Set(idioms));
  });

  it.each(rows.filter((row): row is Row<"takes"> => "takes" in row))(
    "$idiom in $by is read as expected",
    async (row) => {
      const application = built(row);
      const { by, takes, refuses, document: expected } = row;
      for (const [sent, value] of takes) {
        const { status } = await asked(application, by, sent);
        expect([status, application.call.got], JSON.stringify(sent)).toEqual([204, value]);
      }
      for (const [sent, ...places] of refuses) {
        const response = await asked(application, by, sent);
        const { errors } = (await response.json()) as { errors: { pointer: string }[] };
        expect([response.status, ...new Set(errors.map(({ pointer }) => pointer))], JSON.stringify(sent)).toEqual([
          by === "query" ? 400 : 422,
          ...places,
        ]);
      }
      expect(describedBy(application, by)).toEqual(expected);
    },
  );

  it.each(rows.filter((row): row is Row<"writes"> => "writes" in row))(
    "$idiom in answers is written as expected",
    async (row) => {
      const application = built(row);
      for (const [value, sent] of row.writes) {
        application.call.gives = value;
        const response = await application.app.fetch(new Request("http://localhost/"));
        expect([response.status, response.ok ? await response.json() : null]).toEqual([
          sent === null ? 500 : 200,
          sent,
        ]);
      }
      expect(describedBy(application, "answer")).toEqual(row.document);
    },
  );

  it.each(rows.filter((row): row is Row<"message"> => "message" in row))(
    "$idiom in $by is refused with the cure",
    (row) => {
      expect(() => built(row)).toThrow(row.message);
    },
  );
});
