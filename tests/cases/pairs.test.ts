// Two features that are right alone may be wrong together. Every pair of members of an operation, of a member and a
// middleware, and of two middlewares stands in one application, and each still does what it does alone. HEAD is asked
// beside each GET.
//
// A client connects by `connect()`, and `mock()` answers in place of handlers. Neither is a member or a middleware, so
// that there is no pair of them.
//
// Elsewhere: handshakes with each middleware (tests/middleware/sockets.test.ts), required preconditions with each, by a
// client that edits (preconditions.test.ts there), mocks with guards (src/mock/mock.test.ts), and the limit of content
// with that of a file (tests/contract/8-json-limits.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import { idempotency, memoryRecords } from "fingerpost/idempotency";
import { memorySessions, sessions, signedIn, type Session } from "fingerpost/sessions";
import { webhook } from "fingerpost/webhooks";
import { document } from "fingerpost/openapi.js";
import {
  Application,
  Attribute,
  bytes,
  events,
  form,
  lines,
  Middleware,
  page,
  patch,
  problem,
  Resource,
  ResourceGroup,
  socket,
  text,
  written,
} from "fingerpost/modules/http.semantics.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contentKinds } from "../../src/semantics/operation/content-kinds.ts";
import { members, others } from "../../src/semantics/operation/members.ts";
import { rows, textOf } from "../middleware/table.ts";

type Fields = Readonly<Record<string, string>>;

interface Asked {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  /** The members of a form, in place of JSON. */
  readonly form?: Readonly<Record<string, string>>;
}

interface Described {
  readonly [name: string]: unknown;
}

/** One feature: what it takes of a declaration, what a request must have, and what is true of each answer then. */
interface Feature {
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

type Method = "GET" | "PUT" | "PATCH";

const plain = { title: "pairs" };
const secrets = ["a secret of the tests, which is long enough"];
const expected = JSON.stringify(plain);

const textMember = (name: string): Feature => ({
  declared: { [name]: "text" },
  described: (operation) => expect(operation[name]).toBe("text"),
});

/** A row for each member of an operation; `200` stands for the status codes. */
const features: Record<string, Feature> = {
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
  conditional: {
    declared: { conditional: "required" },
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
    declared: { idempotency: "required" },
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
features["webhook()"] = {
  middleware: webhook({
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

/** Pairs of which one changes what the other one says, each with the reason. */
const changed: Readonly<Record<string, { readonly because: string; readonly fields: Fields }>> = {
  "security × cache": {
    because: "What is declared is sent: private is for operations that declare nothing.",
    fields: { "cache-control": "private, max-age=5", vary: "X-Key" },
  },
  "security × 200, events": {
    because: "No cache stores a stream of events, so that private says nothing more.",
    fields: { "cache-control": "no-store", vary: "X-Key" },
  },
  "security × sessions": {
    because: "What a session decided is kept by nobody, which is more than private says.",
    fields: { "cache-control": "no-store", vary: "X-Key, Cookie" },
  },
  "cache × sessions": {
    because: "What is declared is sent: no-store is for operations that declare nothing.",
    fields: { "cache-control": "private, max-age=5", vary: "Cookie" },
  },
  "security × shared": { because: "All users get the same answer, whoever they are.", fields: {} },
};

/** Pairs that cannot stand in one request, each with the reason. */
const apart: readonly (readonly [one: RegExp, other: RegExp, because: string])[] = [
  [/^(?:basic|bearer)/, /^(?:basic|bearer|jwt)/, "Both read Authorization, and a request has one."],
  [/^200/, /^200/, "A status has one declaration."],
  [/^content$|^examples$/, /^content, form$/, "An operation has one content."],
  [/^content, form$/, /^body-limit/, "The limit of its row is for JSON, and less than any form has."],
  [/^200$/, /^negotiate/, "Both read Accept, and a request has one."],
  [/^compress, by gzip/, /a stale range/, "A range is of content without a coding, so tags of codings do not count."],
];

/** Pairs that `build()` refuses, each with a part of the message. */
const refused: Readonly<Record<string, string>> = {
  "cache × 200, events": "for cache, and answers with events(), which are sent with no-store; leave cache out",
  "etag × 200, events": "for etag, and answers with events(), which have no tag; leave etag out",
  "etag × 200, lines": "for etag, and answers with lines(), which have no tag; leave etag out",
  "idempotency × content, form": "has idempotency beside form(), which is a stream; leave one of them out",
  ...Object.fromEntries(
    ["query", "headers", "cookies"].map((name) => [
      `${name} × patch()`,
      `PUT requires ${name}, which a patch lacks; make each member optional`,
    ]),
  ),
  ...Object.fromEntries(
    ["lines", "events", "bytes", "text"].map((kind) => [`200, ${kind} × patch()`, "and 200 of GET is not JSON"]),
  ),
  "200, page × patch()": "and 200 of GET is a page of what there is; write PATCH(call) { … }",
  "idempotency × patch()": "which takes no Idempotency-Key; leave out idempotency, or write PATCH(call) { … }",
  "content, form × patch()": "and the content of PUT names no members of JSON; write the schema of an object",
  "tool × 101, socket": "is a tool beside socket(), which no agent reads or writes; leave one of them out",
  "tool × content, form": "is a tool beside form(), which no agent reads or writes; leave one of them out",
  "tool × 200, lines": "is a tool beside lines(), which no agent reads or writes",
  "tool × 200, events": "is a tool beside events(), which no agent reads or writes",
};

const names = Object.keys(features);

/** Middleware without a row, each with the reason. */
const alone: Readonly<Record<string, string>> = {
  idempotency: `${idempotency.name}() is for native classes: build() refuses it around declared operations, which have the member.`,
  signedIn: `${signedIn.name}() stands inside of sessions(), whose row reads the session as it does.`,
};

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function methodsOf(...pair: readonly Feature[]): Method[] {
  // PATCH is made where it is asked for, of whatever the other one is.
  if (pair.includes(features["patch()"]!)) return ["PATCH"];
  return (["GET", "PUT"] as const).filter((method) => pair.every(({ methods }) => methods?.includes(method) !== false));
}

/** Whether a feature is of reads alone. Beside patch() it stands in GET. */
const isOfReads = ({ methods }: Feature): boolean => methods?.includes("PUT") === false && methods.includes("GET");

/** What says something of PUT alone. */
const ofPutAlone: ReadonlySet<unknown> = new Set(
  ["id", "summary", "description", "examples", "tool", "idempotency"].map((name) => features[name]),
);

/** The features that a request to an operation has to do with. */
function askedOf(method: Method, pair: readonly Feature[]): readonly Feature[] {
  return method === "PATCH" ? pair.filter((one) => !isOfReads(one) && !ofPutAlone.has(one)) : pair;
}

interface Tried {
  readonly askAs: (method: Method | "HEAD", ...more: readonly Asked[]) => Promise<Response>;
  readonly call: () => object;
  readonly operation: () => Described;
}

function tried(method: Method, pair: readonly Feature[]): Tried {
  let seen: object = {};
  const given = pair.find((one) => one.given !== undefined)?.given;
  class Item extends Resource {
    paths = ["/items/:id", "/other/:id"] as const;
    validator(): object {
      return { etag: '"7"' };
    }
  }
  const declared = Object.assign({ 200: z.object({ title: z.string() }) }, ...pair.map((one) => one.declared));
  const handler = (call: { readonly request: Request }): unknown => {
    seen = call;
    for (const { instead } of pair) {
      const other = instead?.(call.request);
      if (other !== undefined) return other;
    }
    return given === undefined || method === "PATCH" ? plain : given();
  };
  if (method === "PATCH") declarePatch(Item, pair, handler);
  else {
    Object.defineProperty(Item, method, { value: declared });
    Object.defineProperty(Item.prototype, method, { value: handler });
  }
  const prefix = pair.map((one) => one.prefix ?? "").join("");
  const member =
    prefix === ""
      ? Item
      : ResourceGroup.builder()
          .resources(Item as never)
          .prefix(prefix)
          .build();
  const app = Application.builder()
    .resources(member as never)
    .middleware(...(pair.flatMap(({ middleware = [] }) => middleware) as never[]))
    .idempotency({ store: memoryRecords(), scope: () => "everyone" })
    .onError(() => {})
    .build();
  const isPatch = method === "PATCH";
  const asked = askedOf(method, pair).map((one) => one.asked ?? {});
  return {
    askAs: (as, ...more) => {
      const all = [...asked, ...more];
      const {
        path = "/items/7",
        query: last = "",
        json = isPatch ? {} : plain,
        form: fields,
      } = Object.assign({}, ...all) as Asked;
      // Of two that read the query, each finds its own. A wrong one comes alone.
      const queries = asked.flatMap((one) => one.query ?? []);
      const query = queries.includes(last) ? queries.join("&").replaceAll("&?", "&") : last;
      const headers = Object.assign({}, ...all.map((one) => one.headers)) as Record<string, string | undefined>;
      // Of two that read cookies, each finds its own. A wrong one comes alone.
      const cookies = asked.flatMap((one) => one.headers?.["cookie"] ?? []);
      if (cookies.includes(headers["cookie"] ?? "")) headers["cookie"] = cookies.join("; ");
      for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
      const type = isPatch ? "application/merge-patch+json" : "application/json";
      if (method !== "GET" && fields === undefined) headers["content-type"] ??= type;
      const sent = new FormData();
      for (const [name, value] of Object.entries(fields ?? {})) sent.set(name, value);
      const body = method !== "GET" ? { body: fields === undefined ? JSON.stringify(json) : sent } : {};
      const url = `http://localhost${prefix}${path}${query}`;
      return app.fetch(new Request(url, { method: as, headers: headers as Fields, ...body }));
    },
    call: () => seen,
    operation: () => {
      let audience: string | undefined;
      const of = (one: { readonly audience: string | undefined }): boolean => ((audience = one.audience), true);
      const { paths } = document(app, { title: "a", version: "1", of });
      const pattern = `${prefix}/items/{id}`;
      const operations = paths[pattern] as unknown as Record<string, Described>;
      return { ...operations[method.toLowerCase()], audience, pattern };
    },
  };
}

function declarePatch(Class: typeof Resource, pair: readonly Feature[], handler: (call: never) => unknown): void {
  const content = z.object({ title: z.string() });
  const ofGet = pair.filter(isOfReads).map((one) => one.declared);
  const ofPut = pair.filter((one) => !isOfReads(one)).map((one) => one.declared);
  const GET = Object.assign({ 200: content }, ...ofGet) as object;
  const PUT = Object.assign({ 200: content, content }, ...ofPut) as object;
  for (const [name, value] of Object.entries({ GET, PUT, PATCH: patch(GET, PUT) }))
    Object.defineProperty(Class, name, { value });
  Object.defineProperty(Class.prototype, "GET", { value: () => plain });
  Object.defineProperty(Class.prototype, "PUT", { value: handler });
}

const isApart = (one: string, other: string): boolean =>
  apart.some(([a, b]) => (a.test(one) && b.test(other)) || (a.test(other) && b.test(one)));

describe("pairs", () => {
  it("have a row for each member of an operation", () => {
    // What begins with a tilde is written by functions of ours, and not by hand.
    const known = [...Object.keys(members), ...others, "200"].filter((name) => !name.startsWith("~"));
    const besides = new Set(["sessions", "a prefix"]);
    expect(names.filter((name) => !/\(\)|,/.test(name) && !besides.has(name)).toSorted()).toEqual(known.toSorted());
    // What begins with a tilde is made by these.
    expect(names).toContain("patch()");
  });

  it("have a row for each kind of content", () => {
    const kinds = Object.keys(contentKinds).filter((kind) => kind !== "written");
    expect(kinds.filter((kind) => !names.some((name) => name.endsWith(`, ${kind}`)))).toEqual([]);
    expect(JSON.stringify(features["200"]!.declared)).toContain('"written"');
  });

  it("have a row for each function that makes middleware, or say why there is none", () => {
    const folder = new URL("../package/api/", import.meta.url);
    const declarations = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
    const made = declarations.flatMap((report) => [
      ...report.matchAll(/export function (\w+)[^;]*?\): (?:MiddlewareClass|typeof Middleware)/g),
    ]);
    const all = new Set(made.map(([, name]) => name!));
    const known = (name: string): boolean =>
      names.some((one) => one.split(/\(|,/)[0] === kebab(name)) || Object.hasOwn(alone, name);
    expect(all.size).toBeGreaterThan(18);
    expect([...all].filter((name) => !known(name))).toEqual([]);
    for (const name of Object.keys(alone)) expect([...all]).toContain(name);
  });

  it("are apart for a reason that holds for some", () => {
    for (const [one, other, because] of apart) {
      expect(names.some((name) => one.test(name)) && names.some((name) => other.test(name)), because).toBe(true);
    }
    for (const name of [...Object.keys(changed), ...Object.keys(refused)])
      expect(names).toEqual(expect.arrayContaining(name.split(" × ")));
  });

  it("are refused by build() where caches would share what a guard gives to one user", () => {
    const guards = names.filter((name) => "security" in (features[name]!.middleware ?? {}));
    expect(guards).toEqual(["webhook()", "basic()", "bearer()", "jwt()"]);
    for (const guard of guards) {
      const publicly: Feature = { declared: { cache: "public" } };
      expect(() => tried("GET", [publicly, features[guard]!]), guard).toThrow(
        'static GET has "public" for cache behind',
      );
    }
  });

  it.each(names)("%s does beside each other one what it does alone", async (one) => {
    for (const other of names.slice(names.indexOf(one) + 1).filter((name) => !isApart(one, name))) {
      const pair = [features[one]!, features[other]!];
      const isOfMiddleware = pair.every(({ middleware }) => middleware !== undefined);
      for (const method of methodsOf(...pair)) {
        const what = `${method}: ${one} × ${other}`;
        const refusal = refused[`${one} × ${other}`];
        if (refusal !== undefined) expect(() => tried(method, pair), what).toThrow(refusal);
        if (refusal !== undefined) continue;
        await holds(method, pair, what, changed[`${one} × ${other}`]);
        if (isOfMiddleware) await holds(method, pair.toReversed(), `${method}: ${other} × ${one}`);
      }
    }
  });
});

const sameOfHead = ["etag", "vary", "cache-control", "content-type", "link", "deprecation"];

/** The delay before clients of events come again differs each time. */
async function contentOf(response: Response): Promise<string> {
  return (await textOf(response)).replace(/^retry: \d+\n\n/, "");
}

async function holds(
  method: Method,
  pair: readonly Feature[],
  what: string,
  change?: { fields: Fields },
): Promise<void> {
  const { askAs, call, operation } = tried(method, pair);
  const asked = askedOf(method, pair);
  const ask = (...more: readonly Asked[]): Promise<Response> => askAs(method, ...more);
  const content = asked.find((feature) => feature.content !== undefined)?.content ?? expected;
  const response = await ask();
  expect([response.status, await contentOf(response)], what).toEqual([200, content]);
  for (const { fields = {}, called = {}, described, again = {} } of asked) {
    for (const [field, value] of Object.entries(change?.fields ?? fields)) {
      expect(response.headers.get(field), `${what}: ${field}`).toContain(value);
    }
    expect(call(), what).toMatchObject(called);
    if (described !== undefined) described(operation());
    if (Object.keys(again).length > 0) {
      const repeat = await ask();
      expect([repeat.status, await contentOf(repeat)], `${what}, again`).toEqual([200, content]);
      for (const [field, value] of Object.entries(again)) expect(repeat.headers.get(field), what).toBe(value);
    }
  }
  if (method === "GET") {
    const head = await askAs("HEAD");
    expect([head.status, await head.text()], `HEAD: ${what}`).toEqual([200, ""]);
    for (const field of sameOfHead)
      expect([field, head.headers.get(field)], `HEAD: ${what}`).toEqual([field, response.headers.get(field)]);
  }
  // Whatever stands around it, a client that has the content is told so, by the tag that it got. Events have none.
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const etag = response.headers.get("etag");
  if (method === "GET") expect(etag === null, `${what}: ${etag}`).toBe(isStream);
  if (method === "GET" && etag !== null) {
    const known = await ask({ headers: { "if-none-match": etag } });
    expect([known.status, known.headers.get("etag")], `${what}: ${etag}`).toEqual([304, etag]);
    for (const field of ["vary", "cache-control"]) {
      // compress() cannot know whether the 200 would have been long enough.
      expect(known.headers.get(field) ?? "", `${what}: ${field} of 304`).toContain(response.headers.get(field) ?? "");
    }
  }
  for (const [wrong, status] of asked.flatMap(({ refuses = [] }) => refuses)) {
    const answer = await tried(method, pair).askAs(method, wrong);
    expect(answer.status, `${what}: ${JSON.stringify(wrong)}`).toBe(status);
  }
}
