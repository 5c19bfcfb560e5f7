// One form, declared by form() and by a schema: what clients send has the same values, and the same place in documents.
import { Application, form, Resource, upload } from "fingerpost";
import { memory } from "fingerpost/files";
import { document } from "fingerpost/openapi";
import { expect, it } from "vitest";
import { z } from "zod";

const members = {
  tags: z.array(z.string()),
  counts: z.array(z.int()).nullish(),
  meta: z.object({ a: z.int() }).optional(),
  list: z.array(z.object({ b: z.int() })).optional(),
  title: z.string().optional(),
};
class ByForm extends Resource {
  paths = ["/form"] as const;
  static POST = { content: form({ ...members, file: upload({ to: memory(), optional: true }) }), 200: z.unknown() };
  POST({ content }: { content: object }): object {
    return content;
  }
}
class BySchema extends Resource {
  paths = ["/schema"] as const;
  static POST = {
    content: { "multipart/form-data": z.object({ ...members, file: z.file().optional() }) },
    200: z.unknown(),
  };
  POST({ content }: { content: object }): object {
    return content;
  }
}
const app = Application.builder()
  .resources(ByForm as never, BySchema as never)
  .build();
const json = (value: unknown): Blob => new Blob([JSON.stringify(value)], { type: "application/json" });

it.each<[string, readonly (readonly [string, string | Blob, string?])[], object | null]>([
  ["ten texts", Array.from({ length: 10 }, (_, at) => ["tags", `${at}`] as const), { tags: [..."0123456789"] }],
  ["one text with a comma", [["tags", "x,y"]], { tags: ["x,y"] }],
  [
    "JSON as a text",
    [
      ["tags", "x"],
      ["meta", '{"a":1}'],
    ],
    { tags: ["x"], meta: { a: 1 } },
  ],
  [
    "JSON as a blob",
    [
      ["tags", "x"],
      ["meta", json({ a: 1 })],
    ],
    { tags: ["x"], meta: { a: 1 } },
  ],
  [
    "JSON as a file",
    [
      ["tags", "x"],
      ["meta", json({ a: 1 }), "meta.json"],
    ],
    { tags: ["x"], meta: { a: 1 } },
  ],
  [
    "a list of JSON",
    [
      ["tags", "x"],
      ["list", json({ b: 1 })],
      ["list", '{"b":2}'],
    ],
    { tags: ["x"], list: [{ b: 1 }, { b: 2 }] },
  ],
  [
    "numbers",
    [
      ["tags", "x"],
      ["counts", "1"],
      ["counts", "2"],
    ],
    { tags: ["x"], counts: [1, 2] },
  ],
  [
    "a blob that is no JSON",
    [
      ["tags", "x"],
      ["meta", new Blob(["{"])],
    ],
    null,
  ],
  [
    "a blob for a text",
    [
      ["tags", "x"],
      ["title", new Blob(["a"])],
    ],
    null,
  ],
])("C16.5 both ways to declare a form read the same of %s", async (_, parts, expected) => {
  for (const path of ["/form", "/schema"]) {
    const body = new FormData();
    for (const [name, value, ...named] of parts) body.append(name, value as Blob, ...(named as []));
    const response = await app.request(path, { method: "POST", body });
    expect([path, response.status]).toEqual([path, expected === null ? 422 : 200]);
    if (expected !== null) expect(await response.json(), path).toEqual(expected);
  }
});

it("C16.5 a field in a file is as long as fields may be", async () => {
  const body = new FormData();
  body.append("tags", "x");
  body.append("meta", json({ a: 1, more: "a".repeat(70_000) }));
  expect((await app.request("/form", { method: "POST", body })).status).toBe(413);
});

it("C10.6 has documents say how lists are sent, and that files are bytes", () => {
  const { paths } = document(app, { title: "Forms", version: "1" });
  for (const path of ["/form", "/schema"]) {
    const { requestBody } = paths[path]!["post"] as unknown as {
      requestBody: { content: { "multipart/form-data": { schema: { properties: object }; encoding: object } } };
    };
    const { schema, encoding } = requestBody.content["multipart/form-data"];
    expect(encoding, path).toEqual({
      tags: { style: "form", explode: true },
      counts: { style: "form", explode: true },
      list: { contentType: "application/json" },
    });
    expect(schema.properties, path).toHaveProperty("file", { type: "string", format: "binary" });
  }
});
