import { describe, expect, it } from "vitest";
import { curlOf } from "./curl.ts";
import { sampleRequestOf } from "./sample-request.ts";
import type { DocumentedOperation, DocumentedParameter, OpenAPIDocument } from "./openapi-document.ts";

const base = { operationId: "a", tags: [], responses: {} };
const securitySchemes = {
  basic: { type: "http", scheme: "basic" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  other: { type: "apiKey", in: "query", name: "key" },
} as const;
const document = { components: { schemas: {}, securitySchemes } } as unknown as OpenAPIDocument;
const line = (own: Partial<DocumentedOperation>, key: string = "post"): string => {
  const operation = { ...base, ...own };
  return curlOf("", "/{a}", sampleRequestOf(key, operation, document), operation.security, securitySchemes);
};
const parameter = (name: string, place: DocumentedParameter["in"], schema: object = {}): DocumentedParameter =>
  ({ name, in: place, required: true, style: "form", explode: true, schema }) as DocumentedParameter;

describe("curlOf()", () => {
  it("fills in what is required, and quotes for a shell", () => {
    const parameters = [
      parameter("a", "path", { const: "it's" }),
      parameter("q", "query", { default: "a b" }),
      parameter("r", "query"),
      parameter("c", "cookie"),
      { ...parameter("h", "header"), required: undefined } as never,
    ];
    expect(line({ parameters }, "get")).toBe("curl '/it'\\''s?q=a%20b&r=r' -H 'Cookie: c=c'");
    const tag = { ...parameter("If-Match", "header"), required: undefined } as never;
    expect(line({ parameters: [tag], responses: { 428: { description: "" } } }, "x-query")).toBe(
      "curl -X QUERY '/{a}' -H 'If-Match: *'",
    );
  });

  it("names ways to authenticate", () => {
    expect(line({ security: [{ basic: [], key: [], other: [] }] })).toBe(
      "curl -X POST '/{a}' -u 'user:password' -H 'X-Key: key'",
    );
    expect(line({}, "head")).toBe("curl -I '/{a}'");
  });

  it("writes content by its type", () => {
    const of = (type: string, media: object): string =>
      line({ requestBody: { required: true, content: { [type]: { ...media } } } });
    const value = { value: "a,b" };
    expect(of("text/csv", { schema: {}, examples: { value } })).toContain("--data-binary 'a,b'");
    expect(of("text/csv", { schema: { type: "string" } })).toContain("--data-binary @file");
    expect(of("application/a+json", { schema: { const: [1] } })).toContain("-d '[1]'");
  });

  it("writes forms by their parts", () => {
    const text = { type: "string" };
    const file = { ...text, format: "binary" };
    const properties = {
      f: file,
      n: { type: "integer" },
      all: { type: "array", items: file },
      meta: { type: "object", properties: { a: text }, required: ["a"] },
      tags: { type: "array", items: { enum: ["@a"] } },
      more: text,
    };
    const of = (type: string, media: object): string =>
      line({ requestBody: { required: true, content: { [type]: { ...media } } } });
    const schema = { type: "object", properties, required: ["f", "n", "all", "meta", "tags"] };
    const start = "curl -X POST '/{a}'";
    expect(of("multipart/form-data", { schema })).toBe(
      `${start} -F 'f=@file' -F 'n=0' -F 'all=@file' -F 'meta={"a":"text"}' --form-string 'tags=@a'`,
    );
    expect(of("multipart/form-data", { schema: { type: "object", properties: { f: file, more: text } } })).toBe(
      `${start} -F 'f=@file' -F 'more=text'`,
    );
    expect(of("multipart/form-data", { schema, examples: { one: { value: { f: "f", other: "a;b" } } } })).toBe(
      `${start} -F 'f=@file' --form-string 'other=a;b'`,
    );
    const value = { tags: ["a", "b"], meta: { a: 1 } };
    expect(of("application/x-www-form-urlencoded", { schema, examples: { one: { value } } })).toBe(
      `${start} -H 'Content-Type: application/x-www-form-urlencoded' -d 'tags=a&tags=b&meta=%7B%22a%22%3A1%7D'`,
    );
    expect(of("multipart/form-data", { schema: { type: "string", format: "binary" } })).toBe(
      `${start} -H 'Content-Type: multipart/form-data' --data-binary @file`,
    );
    const raw = { schema: text, examples: { one: { value: "a=1" } } };
    expect(of("application/x-www-form-urlencoded", raw)).toContain("--data-binary 'a=1'");
  });
});
