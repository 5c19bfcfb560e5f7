import { describe, expect, it } from "vitest";
import { curlOf } from "./curl.ts";
import type { DocumentedOperation, DocumentedParameter, OpenAPIDocument } from "./openapi-document.ts";

const base = { operationId: "a", tags: [], responses: {} };
const securitySchemes = {
  basic: { type: "http", scheme: "basic" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  other: { type: "apiKey", in: "query", name: "key" },
};
const document = { components: { schemas: {}, securitySchemes } } as unknown as OpenAPIDocument;
const line = (operation: Partial<DocumentedOperation>, key: string = "post"): string =>
  curlOf("", "/{a}", key, { ...base, ...operation }, document);
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
    expect(line({ responses: { 428: { description: "" } } }, "x-query")).toBe("curl -X QUERY '/{a}' -H 'If-Match: *'");
  });

  it("names ways to authenticate", () => {
    expect(line({ security: [{ basic: [], key: [], other: [] }] })).toBe(
      "curl -X POST '/{a}' -u 'user:password' -H 'X-Key: key'",
    );
    expect(curlOf("", "/", "head", base, { components: { schemas: {} } } as never)).toBe("curl -I '/'");
  });

  it("writes content by its type", () => {
    const of = (type: string, media: object): string =>
      line({ requestBody: { required: true, content: { [type]: { ...media } } } });
    const value = { value: "a,b" };
    expect(of("text/csv", { schema: {}, examples: { value } })).toContain("--data-binary 'a,b'");
    expect(of("text/csv", { schema: { type: "string" } })).toContain("--data-binary @file");
    expect(of("application/a+json", { schema: { const: [1] } })).toContain("-d '[1]'");
  });
});
