import { describe, expect, it } from "vitest";
import type { DocumentedOperation, OpenAPIDocument } from "./openapi-document.ts";
import { commonProblemsHTML, commonProblemsOf, operationHTML, type CommonProblems } from "./page-operation.ts";

const securitySchemes = {
  token: { type: "http", scheme: "bearer" },
  user: { type: "http", scheme: "basic" },
  session: { type: "apiKey", in: "cookie", name: "id" },
  key: { type: "apiKey", in: "query", name: "key" },
  field: { type: "apiKey", in: "header", name: "X-Key" },
  other: { type: "oauth2", flows: {} },
  tls: { type: "mutualTLS" },
};
const document = { components: { schemas: {}, securitySchemes } } as unknown as OpenAPIDocument;

const operationWith = (own: Partial<DocumentedOperation>): DocumentedOperation => ({
  operationId: "a",
  tags: [],
  responses: {},
  ...own,
});

function shown(own: Partial<DocumentedOperation>, key = "get", path = "/a/{id}", common: CommonProblems = new Map()) {
  return operationHTML({ path, isWebhook: false, key, operation: operationWith(own) }, document, common);
}

/** What the script of the page is given. */
const trialOf = (...args: Parameters<typeof shown>): unknown =>
  JSON.parse(
    /data-try='([^']*)'/
      .exec(shown(...args))![1]!
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&"),
  );

const parameter = { style: "form", explode: true, schema: {} } as const;

describe("operationHTML()", () => {
  it("C10.3 says what guards take", () => {
    const scopes = { other: ["read", "write"] };
    const security = [{ token: [], user: [] }, { session: [] }, { key: [] }, { field: [] }, scopes, { tls: [] }];
    expect(shown({ security })).toContain(
      "Needs a token by <code>Authorization: bearer</code> and a user and a password, or the cookie <code>id</code>, " +
        "or a key in the query <code>key</code>, or a key in the field <code>X-Key</code>, or a token of OAuth 2.0 " +
        "of " +
        "<code>read</code> <code>write</code>, or a certificate.",
    );
    expect(trialOf({ security: security.slice(0, 5) })).toMatchObject({
      keys: [
        ["token", "bearer"],
        ["basic", "basic"],
        ["cookie", "id"],
        ["query", "key"],
        ["header", "X-Key"],
        ["token", "Bearer"],
      ],
    });
  });

  it("C10.3 fills a form by what the document says", () => {
    const parameters = [
      { ...parameter, name: "id", in: "path", required: true, "x-rest": true, schema: { const: "it's" } },
      { ...parameter, name: "tags", in: "query", schema: { type: "array", items: {} } },
      { ...parameter, name: "others", in: "query", schema: { type: "object", example: 1, default: { a: [1, 2] } } },
      { ...parameter, name: "seen", in: "cookie" },
      { ...parameter, name: "old", in: "header", deprecated: true, schema: { description: "As it was" } },
    ] as const;
    expect(trialOf({ parameters })).toEqual({
      params: [
        ["id", "path", 1, "rest", "it's"],
        ["tags", "query", 0, "list", "text"],
        ["others", "query", 0, "pairs", "a=1&a=2"],
        ["old", "header"],
      ],
    });
    expect(shown({ parameters })).toContain("<small>header, optional, deprecated</small></dt><dd><p>As it was</p>");
  });

  it("C10.3 has no form for methods that browsers do not send", () => {
    for (const key of ["trace", "connect"]) expect(shown({}, key)).not.toContain("data-try");
    expect(shown({}, "head")).toContain("data-try");
  });

  it("C10.3 gives a WebSocket a message", () => {
    const answer = (receives: object): Partial<DocumentedOperation> => ({
      responses: { 101: { description: "Open", "x-receives": { ...receives }, "x-sends": { type: "string" } } },
    });
    expect(trialOf(answer({ type: "string" }))).toMatchObject({ socket: "text" });
    expect(trialOf(answer({ const: { a: 1 } }))).toMatchObject({ socket: '{"a":1}' });
    expect(shown(answer({ type: "string" }))).toContain("<p><code>receives</code> string</p>");
  });

  it("C10.3 says what most operations say of a problem once, and names it by its status there", () => {
    const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
    const answers = (words: Record<string, string>): Partial<DocumentedOperation> => ({
      responses: Object.fromEntries(
        Object.entries(words).map(([status, description]) => [status, { description, content }]),
      ),
    });
    const [one, other] = [answers({ 406: "None", 400: "Wrong", 409: "Alone" }), answers({ 400: "Wrong", 406: "None" })];
    const third = answers({ 400: "Different" });
    const common = commonProblemsOf(
      [one, third, other, { responses: { 200: { description: "Yes" } } }].map(operationWith),
    );
    expect([...common]).toEqual([
      ["400", "Wrong"],
      ["406", "None"],
    ]);
    expect(commonProblemsHTML(common)).toBe(
      "<dl><dt>400</dt><dd><p>Wrong</p></dd>\n<dt>406</dt><dd><p>None</p></dd></dl>",
    );
    const rowOf = (own: Partial<DocumentedOperation>): string | undefined =>
      /<dt><a href="#problems">Problems<.a><.dt>(.*)<.dl>/.exec(shown(own, "get", "/a", common))?.[1];
    expect(rowOf(one)).toBe("<dd><p><b>400, 406</b></p><p><b>409</b> Alone</p></dd>");
    expect(rowOf(third)).toBe("<dd><p><b>400</b> Different</p></dd>");
  });

  it("C10.3 leaves out the pattern of a field that a standard defines", () => {
    const schema = { type: "string", pattern: "^a$" };
    const field = {
      ...parameter,
      name: "If-Match",
      in: "header",
      schema,
      description: "A tag (RFC 9110 §13.1)",
    } as const;
    const own = { ...field, name: "X-Own", description: "Ours" } as const;
    const page = shown({ parameters: [field, own] });
    expect(page).toContain("<p>A tag (RFC 9110 §13.1)</p><p>string</p>");
    expect(page).toContain("<p>Ours</p><p>string, like <code>^a$</code></p>");
  });

  it("C10.3 shows an example of JSON in the article alone, and gives the form a line of other content", () => {
    const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    const body = (type: string, media: object) => ({
      requestBody: { required: true, content: { [type]: { ...media } } },
    });
    expect(trialOf(body("application/json", { schema }))).toEqual({ type: "application/json" });
    expect(shown(body("application/json", { schema }))).toContain('<pre>{ "a": 0 }</pre>');
    const lines = body("application/x-ndjson", { itemSchema: schema });
    expect(trialOf(lines)).toEqual({ type: "application/x-ndjson", text: '{"a":0}' });
    expect(shown(lines).split("<pre>")).toHaveLength(2);
  });

  it("C10.3 names the fields of answers", () => {
    const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
    const headers = { Vary: { schema: { type: "string" } }, "Retry-After": { schema: { type: "integer" } } };
    const page = shown({
      responses: { 200: { description: "Yes", headers }, 429: { description: "Wait", content, headers } },
    });
    const fields = "<small>with <code>Vary</code>, <code>Retry-After</code> integer</small>";
    expect(page).toContain(`<dt>200</dt><dd><p>Yes ${fields}</p>`);
    expect(page).toContain(`<dd><p><b>429</b> Wait ${fields}</p></dd>`);
  });
});
