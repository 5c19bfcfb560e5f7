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
import { Application, patch, Resource, ResourceGroup } from "fingerpost";
import { idempotency } from "fingerpost/idempotency";
import { mcp } from "fingerpost/mcp";
import { memoryRecords } from "fingerpost/stores";
import { document } from "fingerpost/openapi";
import { signedIn } from "fingerpost/sessions";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contentKinds } from "../../src/semantics/operation/content-kinds.ts";
import { members, others } from "../../src/semantics/operation/members.ts";
import { textOf } from "../middleware/table.ts";
import {
  expected,
  features,
  plain,
  type Asked,
  type Described,
  type Feature,
  type Fields,
  type Method,
} from "./features.ts";

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
  "may × 200, events": {
    because: "No cache stores a stream of events, so that private says nothing more.",
    fields: { "cache-control": "no-store" },
  },
  "may × sessions": {
    because: "What a session decided is kept by nobody, which is more than private says.",
    fields: { "cache-control": "no-store", vary: "Cookie" },
  },
  "may × shared": { because: "All who may get the same answer, whoever they are.", fields: {} },
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
  "scopes × anonymous": "is anonymous and has scopes; leave one of them out",
  ...Object.fromEntries(
    ["verify-webhook()", "basic()", "bearer()"].map((guard) => [
      `anonymous × ${guard}`,
      "which refuses whom it does not know; make that optional, or leave anonymous out",
    ]),
  ),
  "tool × 101, socket": "is a tool beside socket(), which no agent reads or writes; leave one of them out",
  "tool × content, form": "is a tool beside form(), which no agent reads or writes; leave one of them out",
  "tool × 200, lines": "is a tool beside lines(), which no agent reads or writes",
  "tool × 200, events": "is a tool beside events(), which no agent reads or writes",
};

const names = Object.keys(features);

/** Middleware without a row, each with the reason. */
const alone: Readonly<Record<string, string>> = {
  idempotency:
    `${idempotency.name}() is for native classes: build() refuses it around declared operations, which ` +
    "have " +
    "the " +
    "member.",
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
    .resources(member as never, mcp({ name: "pairs", version: "1" }))
    .middleware(...(pair.flatMap(({ middleware = [] }) => middleware) as never[]))
    .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
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
      const only = (one: { readonly audience: string | undefined }): boolean => ((audience = one.audience), true);
      const { paths } = document(app, { title: "a", version: "1", only });
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
    expect(guards).toEqual(["scopes", "verify-webhook()", "basic()", "bearer()", "jwt()"]);
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
