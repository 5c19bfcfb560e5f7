// What is true of each member of an operation, each kind of content and each middleware. A row says what it takes of
// a declaration, what a request must have, and what holds of each answer then. Members are asked alone by
// `members.test.ts`, and all rows beside each other by `pairs.test.ts`.
import { Attribute, bytes, events, form, lines, Middleware, page, problem, socket, text, written } from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { memoryRecords, memorySessions } from "fingerpost/stores";
import { sessions, type Session } from "fingerpost/sessions";
import { verifyWebhook } from "fingerpost/webhooks";
import { expect } from "vitest";
import { z } from "zod";
import { rows } from "../middleware/table.ts";

export type Fields = Readonly<Record<string, string>>;

export interface Asked {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  /** The members of a form, in place of JSON. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface Described {
  readonly [name: string]: unknown;
}

/** One feature: what it takes of a declaration, what a request must have, and what is true of each answer then. */
export interface Feature {
  readonly declared?: object;
  /** The methods that may have it. */
  readonly methods?: readonly Method[];
  readonly middleware?: object;
  readonly asked?: Asked;
  readonly fields?: Fields;
  /** What the handler gets. */
  readonly called?: object;
  /** The fields of the answer to the same request again. */
  readonly again?: Fields;
  /** What the operation of the document has. */
  readonly described?: (operation: Described) => unknown;
  readonly content?: string;
  /** What the handler returns. */
  readonly given?: () => unknown;
  /** What the handler answers some requests in place of that. */
  readonly instead?: (request: Request) => unknown;
  /** The prefix of a group around the class. */
  readonly prefix?: string;
  /** Requests that it refuses, each with the status, though the request has what the other feature asks for. */
  readonly refuses?: readonly (readonly [Asked, number])[];
}

export type Method = "GET" | "PUT" | "PATCH";

export const plain = { title: "pairs" };
const secrets = ["a secret of the tests, which is long enough"];
export const expected = JSON.stringify(plain);

const textMember = (name: string): Feature => ({
  declared: { [name]: "text" },
  described: (operation) => expect(operation[name]).toBe("text"),
});

const scoped = bearer({
  token: { header: "x-scoped" },
  tokens: { "of-the-tests": "items:read" },
  optional: true,
  scopesOf: (scope) => [scope],
});

/** A row for each member of an operation; `200` stands for the status codes. */
export const features: Record<string, Feature> = {
  id: { declared: { id: "own" }, described: ({ operationId }) => expect(operationId).toBe("own") },
  summary: textMember("summary"),
  description: textMember("description"),
  tags: { declared: { tags: ["a"] }, described: ({ tags }) => expect(tags).toEqual(["a"]) },
  audience: {
    declared: { audience: "internal" },
    described: ({ audience }) => expect(audience).toBe("internal"),
  },
  deprecated: {
    declared: { deprecated: { since: "2026-01-31", sunset: "2027-01-31" } },
    fields: { deprecation: "@1769817600", sunset: "Sun, 31 Jan 2027 00:00:00 GMT" },
    described: ({ deprecated }) => expect(deprecated).toBe(true),
  },
  examples: {
    declared: { examples: { one: plain }, content: z.object({ title: z.string() }) },
    methods: ["PUT"],
    described: ({ requestBody }) => expect(JSON.stringify(requestBody)).toContain('"pairs"'),
  },
  security: {
    declared: { security: { key: { type: "apiKey", in: "header", name: "X-Key" } }, 401: "No key" },
    methods: ["GET"],
    fields: { vary: "X-Key", "cache-control": "private" },
    described: ({ security }) => expect(JSON.stringify(security)).toContain('"key":[]'),
  },
  scopes: {
    declared: { scopes: ["items:read"] },
    middleware: scoped,
    asked: { headers: { "x-scoped": "of-the-tests" } },
    described: ({ security }) => expect(JSON.stringify(security)).toContain('["items:read"]'),
    refuses: [[{ headers: { "x-scoped": undefined } }, 401]],
  },
  may: {
    declared: { may: ({ request }: { request: Request }) => !request.headers.has("x-stranger") },
    methods: ["GET"],
    fields: { "cache-control": "private" },
    refuses: [[{ headers: { "x-stranger": "1" } }, 403]],
  },
  anonymous: {
    declared: { anonymous: true },
    described: ({ security }) => expect(JSON.stringify(security)).toMatch(/^\[\]$|,\{\}\]$/),
  },
  path: {
    declared: { path: z.object({ id: z.int() }) },
    called: { path: { id: 7 } },
    refuses: [[{ path: "/items/x" }, 404]],
  },
  query: {
    declared: { query: z.object({ page: z.int() }) },
    asked: { query: "?page=5" },
    called: { query: { page: 5 } },
    refuses: [[{ query: "?page=x" }, 400]],
  },
  headers: {
    declared: { headers: z.object({ "x-size": z.int() }) },
    asked: { headers: { "x-size": "3" } },
    called: { headers: { "x-size": 3 } },
    refuses: [[{ headers: { "x-size": "big" } }, 400]],
  },
  cookies: {
    declared: { cookies: z.object({ theme: z.enum(["dark"]) }) },
    asked: { headers: { cookie: "theme=dark; a=b" } },
    called: { cookies: { theme: "dark" } },
    refuses: [[{ headers: { cookie: "theme=x" } }, 400]],
  },
  content: {
    declared: { content: z.object({ title: z.string() }) },
    methods: ["PUT"],
    called: { content: plain },
    refuses: [
      [{ json: { title: 5 } }, 422],
      [{ headers: { "content-type": "text/csv" } }, 415],
    ],
  },
  at: { declared: { at: ["/items/:id"] }, refuses: [[{ path: "/other/7" }, 405]] },
  precondition: {
    declared: { precondition: true },
    methods: ["PUT"],
    asked: { headers: { "if-match": '"7"' } },
    called: { version: "7" },
    described: ({ responses }) =>
      expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(["412", "428"])),
    refuses: [
      [{ headers: { "if-match": undefined } }, 428],
      [{ headers: { "if-match": '"6"' } }, 412],
    ],
  },
  idempotency: {
    declared: { idempotency: true },
    methods: ["PUT"],
    asked: { headers: { "idempotency-key": '"k1"' } },
    again: { "idempotent-replayed": "true" },
    described: ({ responses }) =>
      expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(["409", "422"])),
    refuses: [[{ headers: { "idempotency-key": undefined } }, 400]],
  },
  cache: { declared: { cache: "private, max-age=5" }, fields: { "cache-control": "private, max-age=5" } },
  shared: { declared: { shared: true } },
  etag: { declared: { etag: "content" }, methods: ["GET"] },
  // What agents do with it is in src/agents; nothing of it may change an answer.
  tool: { declared: { tool: { name: "item", description: "An item" } } },
  200: {
    declared: {
      200: {
        content: {
          "application/json": z.object({ title: z.string() }),
          "text/csv": written("text/csv", ({ title }: { title: string }) => `title\n${title}`),
        },
      },
    },
    methods: ["GET"],
    asked: { headers: { accept: "text/csv" } },
    called: { mediaType: "text/csv" },
    fields: { vary: "Accept" },
    content: "title\npairs",
    refuses: [[{ headers: { accept: "image/png" } }, 406]],
  },
};

async function* values(): AsyncGenerator<object> {
  yield plain;
  yield plain;
}

const streamed = (declared: object, content: string): Feature => ({
  declared: { 200: declared },
  methods: ["GET"],
  given: values,
  content,
});

features["200, lines"] = streamed(lines(z.object({ title: z.string() })), `${expected}\n${expected}\n`);
features["200, events"] = streamed(events(z.object({ title: z.string() })), `data: ${expected}\n\n`.repeat(2));
features["200, bytes"] = {
  declared: { 200: bytes("image/png") },
  methods: ["GET"],
  given: () => new Blob(["picture"], { type: "image/png" }),
  fields: { "content-type": "image/png" },
  content: "picture",
};
features["200, text"] = {
  declared: { 200: text("text/markdown") },
  methods: ["GET"],
  given: () => "# pairs",
  fields: { "content-type": "text/markdown;charset=utf-8" },
  content: "# pairs",
};
features["200, page"] = {
  declared: { 200: page(z.object({ title: z.string() }), { by: z.object({ title: z.string() }), secrets }) },
  methods: ["GET"],
  asked: { query: "?limit=5" },
  given: () => ({ items: [plain], next: null }),
  called: { page: { after: undefined, limit: 5 } },
  content: JSON.stringify({ items: [plain], next: null }),
  refuses: [[{ query: "?limit=x" }, 400]],
};
const gone = problem("/problems/gone", { status: 410, title: "Gone", schema: z.object({ since: z.int() }) });
features["410, problem()"] = {
  declared: { 410: gone },
  instead: (request) => (request.headers.has("x-gone") ? gone({ since: 7 }) : undefined),
  described: ({ responses }) => expect(JSON.stringify(Object(responses)["410"])).toContain('"/problems/gone"'),
  refuses: [[{ headers: { "x-gone": "1" } }, 410]],
};
features["101, socket"] = {
  declared: { 101: socket({ receives: z.string(), sends: z.string() }) },
  methods: ["GET"],
  called: { isHandshake: false },
  described: ({ responses }) => expect(Object.keys(responses as object)).toContain("101"),
};
features["content, form"] = {
  declared: { content: form({ title: z.string() }) },
  methods: ["PUT"],
  asked: { form: plain },
  called: { content: plain },
  refuses: [[{ form: {} }, 422]],
};
// Made of GET and PUT: it has what the other one declares for PUT. What is of reads alone stands in GET.
features["patch()"] = {
  methods: ["PATCH"],
  described: ({ responses, requestBody }) => {
    expect(Object.keys(responses as object)).toContain("409");
    expect(JSON.stringify(requestBody)).toContain("application/json-patch+json");
  },
  refuses: [
    [{ json: { title: 5 } }, 422],
    [{ headers: { "content-type": "text/csv" } }, 415],
  ],
};
features["a prefix"] = { prefix: "/v1", described: ({ pattern }) => expect(pattern).toBe("/v1/items/{id}") };

const user = new Attribute<Session<{ id: string }>>("user");
class ReadsSession extends Middleware {
  async ALL(request: Request): Promise<Response> {
    void user.get(request).data;
    return this.next(request);
  }
}
features["sessions"] = {
  middleware: [
    sessions({ session: user, schema: z.object({ id: z.string() }), store: memorySessions() }),
    ReadsSession,
  ],
  fields: { vary: "Cookie", "cache-control": "no-store" },
};
// A webhook is taken once: each request of the tests is another one, but for those that name theirs.
features["verify-webhook()"] = {
  middleware: verifyWebhook({
    scheme: (request) => {
      const name = request.headers.get("x-delivery") ?? crypto.randomUUID();
      return name === "forged" ? null : name;
    },
    store: memoryRecords(),
  }),
  refuses: [[{ headers: { "x-delivery": "forged" } }, 403]],
};
for (const { name, middleware, headers } of rows)
  features[`${name}()`] = { middleware, asked: { headers: { ...headers } } };
