// Applications of one resource, with operations of any members and guards, and the requests that try each of them.
import fc from "fast-check";
import {
  Application,
  bytes,
  events,
  form,
  HTTPError,
  lines,
  Middleware,
  page,
  patch,
  reply,
  Resource,
  ResourceGroup,
  Status,
  text,
  written,
} from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { compress } from "fingerpost/middleware/compress";
import { cors } from "fingerpost/middleware/cors";
import { csrf } from "fingerpost/middleware/csrf";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { timeout } from "fingerpost/middleware/timeout";
import { z } from "zod";

/** A member of a part that is read from text: texts that fit, and one that does not; null where any text does. */
interface Member {
  readonly schema: z.ZodType;
  readonly right: string;
  readonly wrong: string | null;
}

const members: Readonly<Record<string, Member>> = {
  n: { schema: z.int(), right: "5", wrong: "x" },
  "x-ratio": { schema: z.number().max(9), right: "0.5", wrong: "10" },
  isOn: { schema: z.boolean(), right: "true", wrong: "yes" },
  word: { schema: z.enum(["a", "b"]).meta({ id: "Word" }), right: "a", wrong: "c" },
  day: { schema: z.iso.date(), right: "2026-01-31", wrong: "x" },
  text: { schema: z.string(), right: "t", wrong: null },
  code: { schema: z.string().regex(/^[A-Z]{2}$/), right: "DE", wrong: "de" },
};

type Presence = "required" | "optional" | "default";
type Part = Readonly<Record<string, Presence>>;

const partNames = ["query", "headers", "cookies"] as const;
const part = fc.dictionary(
  fc.constantFrom(...Object.keys(members)),
  fc.constantFrom<Presence>("required", "optional", "default"),
  { minKeys: 1, maxKeys: 3 },
);
const maybePart = fc.option(part, { freq: 2 });

function schemaOf(declared: Part, isLoose: boolean): z.ZodType {
  const shape = Object.entries(declared).map(([name, presence]) => {
    const { schema, right } = members[name]!;
    if (presence === "required") return [name, schema];
    return [
      name,
      presence === "optional" ? schema.optional() : schema.default(z.safeParse(schema, right).data ?? valueOf(name)),
    ];
  });
  return (isLoose ? z.looseObject : z.object)(Object.fromEntries(shape) as Record<string, z.ZodType>);
}

function valueOf(name: string): unknown {
  const { right } = members[name]!;
  return name === "n" || name === "x-ratio" ? Number(right) : name === "isOn" ? true : right;
}

const item = z.object({ title: z.string(), pages: z.int().optional() });
const named = item.extend({ id: z.int() }).meta({ id: "Book" });
const either = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a"), size: z.number() }),
  z.object({ kind: z.literal("b"), words: z.array(z.string()).nullable() }).meta({ id: "Words" }),
]);

/** JSON of requests and answers: what fits, and what does not. */
const jsons = {
  item: { schema: item, fit: [{ title: "t" }, { title: "t", pages: 3 }], unfit: [{}, { title: 5 }, [], "t", null] },
  named: { schema: named, fit: [{ id: 1, title: "t" }], unfit: [{ title: "t" }, { id: "1", title: "t" }] },
  either: {
    schema: either,
    fit: [
      { kind: "a", size: 1.5 },
      { kind: "b", words: ["w"] },
      { kind: "b", words: null },
    ],
    unfit: [{ kind: "c" }, { kind: "a" }, { kind: "b", words: [1] }],
  },
  list: { schema: z.array(named), fit: [[], [{ id: 1, title: "t" }]], unfit: [{}, [{}]] },
  record: { schema: z.record(z.string(), z.int().nullable()), fit: [{}, { a: 1, b: null }], unfit: [{ a: "x" }, []] },
} as const;
type JsonName = keyof typeof jsons;
const jsonName = fc.constantFrom(...(Object.keys(jsons) as JsonName[]));

/** A way to write content, by its media type. */
interface Sent {
  readonly type: string;
  readonly declared: unknown;
  readonly fit: readonly Body[];
  readonly unfit: readonly Body[];
}
type Body = string | Uint8Array<ArrayBuffer> | FormData;

const sentKinds: Readonly<Record<string, (name: JsonName) => Sent>> = {
  json: (name) => ({
    type: "application/json",
    declared: jsons[name].schema,
    fit: jsons[name].fit.map((value) => JSON.stringify(value)),
    unfit: jsons[name].unfit.map((value) => JSON.stringify(value)),
  }),
  patched: (name) => ({ ...sentKinds["json"]!(name), type: "application/vnd.own+json" }),
  pairs: () => ({
    type: "application/x-www-form-urlencoded",
    declared: z.object({ title: z.string(), n: z.array(z.int()).optional() }),
    fit: ["title=t", "title=t&n=1&n=2"],
    unfit: ["", "n=x", "title=t&n=1.5"],
  }),
  text: () => ({ type: "text/plain", declared: text("text/plain"), fit: ["t", ""], unfit: [] }),
  bytes: () => ({ type: "image/png", declared: bytes("image/png"), fit: ["t"], unfit: [] }),
  lines: () => ({ type: "application/jsonl", declared: lines(item), fit: ['{"title":"t"}\n'], unfit: [] }),
  form: () => ({
    type: "multipart/form-data",
    declared: form({ title: z.string() }, { maxFieldBytes: 100 }),
    fit: [formOf("title")],
    unfit: [formOf("x")],
  }),
};

function formOf(name: string, value: string = "t"): FormData {
  const content = new FormData();
  content.set(name, value);
  return content;
}

/** What an answer may be: what is declared of it, and what the handler returns. */
interface Given {
  readonly types: readonly string[];
  readonly declared: unknown;
  readonly given: readonly (() => unknown)[];
}

const secrets = ["a secret of the tests, which is long enough"];
async function* values(): AsyncGenerator<object> {
  yield { title: "t" };
}

const sentFields = {
  declared: { "X-Count": z.int(), "content-language": z.string().optional() },
  given: { "x-count": 5, "content-language": "en" },
};

const givenKinds: Readonly<Record<string, (name: JsonName) => Given>> = {
  json: (name) => ({
    types: ["application/json"],
    declared: jsons[name].schema,
    given: jsons[name].fit.map((value) => () => value),
  }),
  several: () => ({
    types: ["application/json", "text/csv"],
    declared: {
      content: { "application/json": item, "text/csv": written("text/csv", ({ title }: { title: string }) => title) },
    },
    given: [() => ({ title: "t" })],
  }),
  bytes: () => ({
    types: ["image/png"],
    declared: bytes("image/png"),
    given: [() => new Uint8Array(4), () => new Blob(["f"]).stream()],
  }),
  unknown: () => ({
    types: ["application/octet-stream"],
    declared: bytes(),
    given: [() => new Uint8Array(4), () => new Blob(["f"])],
  }),
  fielded: () => ({
    types: ["application/json"],
    declared: { content: item, headers: sentFields.declared },
    given: [() => reply(200, { title: "t" }, sentFields.given)],
  }),
  fieldedBytes: () => ({
    types: ["image/png"],
    declared: { content: bytes("image/png"), headers: sentFields.declared },
    given: [() => reply(200, new Uint8Array(4), sentFields.given)],
  }),
  text: () => ({ types: ["text/markdown"], declared: text("text/markdown"), given: [() => "t", () => ""] }),
  events: () => ({ types: ["text/event-stream"], declared: events(item), given: [values] }),
  lines: () => ({ types: ["application/jsonl"], declared: lines(item), given: [values] }),
  page: () => ({
    types: ["application/json"],
    declared: page(item, { by: z.object({ title: z.string() }), secrets }),
    given: [() => ({ items: [{ title: "t" }], next: { title: "t" } }), () => ({ items: [], next: null })],
  }),
  described: () => ({ types: [], declared: "Nothing to say", given: [() => undefined] }),
};

/** Other answers: what is declared, and what a handler gives. */
const others: Readonly<
  Record<number, () => { readonly declared: unknown; readonly content?: unknown; readonly headers?: object }>
> = {
  201: () => ({
    declared: { content: named, headers: { location: z.string(), "X-Count": z.int().optional() } },
    content: { id: 1, title: "t" },
    headers: { location: "/items/1", "x-count": 1 },
  }),
  202: () => ({
    declared: { content: { "application/json": item, "text/plain": written("text/plain", () => "t") } },
    content: { title: "t" },
  }),
  204: () => ({ declared: "Done" }),
  303: () => ({ declared: { headers: { Location: z.string() } }, headers: { location: "/items/1" } }),
  401: () => ({ declared: "Sign in" }),
  403: () => ({ declared: "Not yours" }),
  404: () => ({ declared: "No such item" }),
  409: () => ({ declared: either, content: { kind: "a", size: 1 } }),
  410: () => ({
    declared: { description: "Gone", headers: { "x-since": z.iso.date() } },
    headers: { "x-since": "2026-01-31" },
  }),
  418: () => ({
    declared: { content: { "application/json": item, "text/html": written("text/html", () => "t") } },
    content: { title: "t" },
  }),
  422: () => ({ declared: item, content: { title: "t" } }),
  451: () => ({ declared: { content: item, examples: { one: { title: "t" } } }, content: { title: "t" } }),
};
const otherStatuses = Object.keys(others).map(Number);

const operation = fc.record({
  query: maybePart,
  headers: maybePart,
  cookies: maybePart,
  isLoose: fc.boolean(),
  takes: fc.uniqueArray(fc.constantFrom(...Object.keys(sentKinds)), { maxLength: 3 }),
  isOptional: fc.boolean(),
  json: jsonName,
  answers: fc.uniqueArray(fc.constantFrom(...otherStatuses), { maxLength: 4 }),
  whole: fc.constantFrom(...Object.keys(givenKinds)),
  isConditional: fc.boolean(),
  hasTag: fc.boolean(),
  isOnce: fc.constantFrom(undefined, true as const, { optional: true } as const),
  cache: fc.constantFrom(undefined, undefined, "no-cache", "private, max-age=5"),
  deprecated: fc.constantFrom(
    undefined,
    true,
    { since: "2026-01-31" },
    { since: "2026-01-31", sunset: "2027-01-31", link: "https://example.org/" },
  ),
  security: fc.constantFrom(undefined, undefined, "key", "http"),
  isShared: fc.boolean(),
});
type GeneratedOperation = typeof operation extends fc.Arbitrary<infer Of> ? Of : never;

class Signed extends Middleware {
  static readonly security = { session: { type: "apiKey", in: "cookie", name: "sid" } };
  static readonly answers = {
    401: { description: "Sign in", headers: { "www-authenticate": z.string() } },
    403: item,
  };
  ALL(request: Request): Response | Promise<Response> {
    const cookie = request.headers.get("cookie") ?? "";
    if (/sid=denied/.test(cookie)) return Response.json({ title: "No" }, { status: 403 });
    if (/sid=/.test(cookie)) return this.next(request);
    throw new HTTPError(Status.Unauthorized, undefined, { headers: { "www-authenticate": 'Cookie realm="a"' } });
  }
}

/** Says nothing of what it reads. */
class Unsigned extends Middleware {
  static readonly answers = { 403: "Not from here" };
  ALL(request: Request): Response | Promise<Response> {
    if (request.headers.has("x-denied")) throw new HTTPError(Status.Forbidden);
    return this.next(request);
  }
}

/** Guards, with what lets a request pass, and what does not. */
const guards = {
  none: { middleware: [], passes: {}, refused: [] },
  bearer: {
    middleware: [bearer({ tokens: { "a-long-random-token": "a" } })],
    passes: { authorization: "Bearer a-long-random-token" },
    refused: [{ authorization: "Bearer other" }, { authorization: "Bearer ," }, { authorization: "" }],
  },
  scoped: {
    middleware: [
      bearer({
        tokens: { "a-long-random-token": "a", "another-long-token": "b" },
        scopes: ["a"],
        scopesOf: (own) => [own],
      }),
    ],
    passes: { authorization: "Bearer a-long-random-token" },
    refused: [{ authorization: "Bearer another-long-token" }, { authorization: "Bearer ," }, { authorization: "" }],
  },
  key: {
    middleware: [bearer({ tokens: { "a-long-random-token": "a" }, token: { header: "X-API-Key" } })],
    passes: { "x-api-key": "a-long-random-token" },
    refused: [{ "x-api-key": "other" }, { "x-api-key": "" }],
  },
  basic: {
    middleware: [basic({ realm: "a", users: { a: "password-of-a" } })],
    passes: { authorization: `Basic ${btoa("a:password-of-a")}` },
    refused: [{ authorization: "Basic ," }, { authorization: "" }],
  },
  optional: {
    middleware: [bearer({ tokens: { "a-long-random-token": "a" }, optional: true })],
    passes: {},
    refused: [{ authorization: "Bearer other" }, { authorization: "Bearer ," }],
  },
  signed: { middleware: [Signed], passes: { cookie: "sid=1" }, refused: [{ cookie: "" }, { cookie: "sid=denied" }] },
  unsigned: { middleware: [Unsigned], passes: {}, refused: [{ "x-denied": "1" }] },
} satisfies Record<string, { middleware: readonly unknown[]; passes: Fields; refused: readonly Fields[] }>;

/** Middleware that is no guard, with what it refuses. */
const around = {
  cors: { middleware: cors({ origins: ["https://a.example"] }), refused: [] },
  csrf: { middleware: csrf(), refused: [{ "sec-fetch-site": "cross-site" }] },
  "body-limit": { middleware: bodyLimit({ maxBytes: 500_000 }), refused: [] },
  compress: { middleware: compress(), refused: [] },
  "request-id": { middleware: requestId(), refused: [] },
  "secure-headers": { middleware: secureHeaders(), refused: [] },
  timeout: { middleware: timeout({ timeoutMs: 5_000 }), refused: [] },
} satisfies Record<string, { middleware: unknown; refused: readonly Fields[] }>;

type Fields = Readonly<Record<string, string>>;

const declarable = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "QUERY"] as const;
type Declarable = (typeof declarable)[number];

/** The parts of an application of one resource. */
export const applications = fc.record({
  prefixes: fc.constantFrom<readonly string[]>([], ["/v1"], ["/:tenant"], ["/v1", "/v2/:tenant"]),
  paths: fc.constantFrom<readonly string[]>(
    ["/items"],
    ["/items/:id"],
    [String.raw`/items/:id(\d+)`],
    ["/items/:id?"],
    ["/items/:id", "/things/:id"],
    ["/files/:path*"],
  ),
  hasPath: fc.boolean(),
  at: fc.boolean(),
  validator: fc.constantFrom("none" as const, "tag" as const, "date" as const, "both" as const),
  guard: fc.constantFrom(...(Object.keys(guards) as (keyof typeof guards)[])),
  around: fc.uniqueArray(fc.constantFrom(...(Object.keys(around) as (keyof typeof around)[])), { maxLength: 2 }),
  declared: fc.dictionary(fc.constantFrom(...declarable), operation, { minKeys: 1, maxKeys: 3 }),
  isPatched: fc.boolean(),
  openapi: fc.constantFrom("3.1" as const, "3.2" as const),
});
export type GeneratedApplication = typeof applications extends fc.Arbitrary<infer Of> ? Of : never;

const writes: ReadonlySet<string> = new Set(["POST", "PUT", "DELETE", "PATCH"]);

function sentBy(method: string, { takes, json }: GeneratedOperation): readonly Sent[] {
  if (["GET", "HEAD", "DELETE"].includes(method)) return [];
  const all = takes.length === 0 && method === "QUERY" ? ["json"] : takes;
  // A form that is a stream stands alone in tests, as two kinds of multipart are one.
  return all.map((kind) => sentKinds[kind]!(json));
}

function wholeOf(method: string, { whole, json }: GeneratedOperation): Given {
  return givenKinds[whole === "page" && method !== "GET" && method !== "QUERY" ? "json" : whole]!(json);
}

function declarationOf(
  method: Declarable,
  made: GeneratedOperation,
  { paths, hasPath, at, validator }: GeneratedApplication,
) {
  const sent = sentBy(method, made);
  const content =
    sent.length === 0
      ? {}
      : {
          content:
            sent.length === 1
              ? sent[0]!.type === "application/json"
                ? made.isOptional
                  ? (sent[0]!.declared as z.ZodType).optional()
                  : sent[0]!.declared
                : { [sent[0]!.type]: sent[0]!.declared }
              : Object.fromEntries(sent.map((one) => [one.type, one.declared])),
        };
  const isRead = method === "GET" || method === "HEAD" || method === "QUERY";
  return {
    ...(hasPath && paths[0]!.includes(":id") && !paths[0]!.includes("?") ? { path: z.object({ id: z.int() }) } : {}),
    ...Object.fromEntries(
      partNames.flatMap((name) =>
        made[name] === null ? [] : [[name, schemaOf(made[name], made.isLoose && name === "query")]],
      ),
    ),
    ...content,
    200: wholeOf(method, made).declared,
    ...Object.fromEntries(made.answers.map((status) => [status, others[status]!().declared])),
    ...(made.isConditional && validator !== "none" ? { precondition: true } : {}),
    ...(made.hasTag && isRead ? { etag: "content" } : {}),
    ...(made.isOnce !== undefined && writes.has(method) ? { idempotency: made.isOnce } : {}),
    ...(made.cache === undefined ? {} : { cache: made.cache }),
    ...(made.deprecated === undefined ? {} : { deprecated: made.deprecated }),
    ...(made.isShared ? { shared: true } : {}),
    ...(made.security === undefined
      ? {}
      : {
          security:
            made.security === "key"
              ? { key: { type: "apiKey", in: "header", name: "X-Key" } }
              : { token: { type: "http", scheme: "bearer" } },
        }),
    ...(at && paths.length > 1 ? { at: [paths[1]] } : {}),
  };
}

/** An application, and how its handlers are asked. */
export interface Built {
  readonly app: Application;
  readonly methods: readonly string[];
  /** The calls that handlers got. */
  readonly calls: object[];
  readonly errors: unknown[];
}

/** The field of a request that names the status which the handler answers, with the place of the content. */
export const wantedField = "x-wanted";

/** Null where `build()` refuses what was generated. */
export function built(generated: GeneratedApplication): Built | null {
  const { prefixes, paths, validator, guard, around: names, declared, isPatched } = generated;
  const calls: object[] = [];
  const errors: unknown[] = [];
  class Item extends Resource {
    override paths = paths;
  }
  const validators = {
    tag: { etag: '"7"' },
    date: { lastModified: new Date(1_700_000_000_000) },
    both: { etag: '"7"', lastModified: new Date(1_700_000_000_000) },
  };
  if (validator !== "none") Object.defineProperty(Item.prototype, "validator", { value: () => validators[validator] });
  for (const [method, made] of Object.entries(declared) as [Declarable, GeneratedOperation][]) {
    Object.defineProperty(Item, method, { value: declarationOf(method, made, generated), configurable: true });
    Object.defineProperty(Item.prototype, method, { value: handlerOf(method, made, calls), configurable: true });
  }
  const { GET, PUT } = Item as unknown as { readonly GET?: object; readonly PUT?: object };
  if (isPatched && GET !== undefined && PUT !== undefined && !("PATCH" in declared))
    Object.defineProperty(Item, "PATCH", { value: patch(GET, PUT) });
  const group = ResourceGroup.builder()
    .resources(Item as never)
    .middleware(...(guards[guard].middleware as never[]))
    .prefix(...prefixes)
    .build();
  try {
    const app = Application.builder()
      .resources(group as never)
      .middleware(...(names.map((name) => around[name].middleware) as never[]))
      .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
      .onError((error) => void errors.push(error))
      .build();
    const methods = declarable.filter((method) => method in Item && Object.hasOwn(Item, method));
    return { app, methods, calls, errors };
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("Cannot add ")) return null;
    throw error;
  }
}

function handlerOf(method: Declarable, made: GeneratedOperation, calls: object[]): (call: Asked) => unknown {
  const whole = wholeOf(method, made);
  return async (call) => {
    calls.push(call);
    if (Symbol.asyncIterator in Object(call.content)) for await (const _ of call.content as AsyncIterable<unknown>);
    if (call.request.headers.has("x-slow")) await new Promise((resolve) => setTimeout(resolve, 1));
    const [status = 200, at = 0] = (call.request.headers.get(wantedField) ?? "200").split(" ").map(Number);
    if (status === 200) return whole.given[at % whole.given.length]!();
    const { content, headers } = others[status]!();
    return reply(status, content, headers as never);
  };
}

interface Asked {
  readonly request: Request;
  readonly content?: unknown;
}

/** A request to an operation, whose parts can be changed one by one. */
export interface Sending {
  readonly path: string;
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: Fields;
  readonly cookies: Fields;
  readonly body: Body | null;
  readonly method: string;
}

/** One thing that is tried: what it changes of a request that is answered by 200. */
export interface Trial {
  readonly what: string;
  /** What of a request the line reads by itself, such as `header If-Match`. */
  readonly reads?: string;
  /** The status without the field, where that is not 200. */
  readonly otherwise?: number;
  /** JSON that is sent. */
  readonly json?: unknown;
  /** How often the request is sent, one after the other or at once. */
  readonly times?: "twice" | "at once";
  readonly change: (sending: Sending) => Sending;
}

function withFields(...fields: readonly Fields[]): Trial["change"] {
  return (sending) => ({ ...sending, headers: Object.assign({}, sending.headers, ...fields) as Fields });
}

/** Content is refused by its length, before it is read. */
const tooLong = withFields({ "content-length": "9999999" });

function ofPart(name: (typeof partNames)[number], member: string, texts: string | null): Trial["change"] {
  return (sending) => {
    if (name === "query") {
      const query = sending.query.filter(([own]) => own !== member);
      return { ...sending, query: texts === null ? query : [...query, [member, texts] as const] };
    }
    const { [member]: _, ...left } = sending[name];
    return { ...sending, [name]: texts === null ? left : { ...left, [member]: texts } };
  };
}

let keys = 0;

const asJson = "application/json, */*;q=0.1";

/** The request to an operation that is answered by 200. */
export function sendingOf(generated: GeneratedApplication, template: string, method: string): Sending {
  const made = generated.declared[method as Declarable] ?? generated.declared["PUT"]!;
  let sending: Sending = {
    path: template.replaceAll(/\{\w+\}/g, "7"),
    query: [],
    headers: { [wantedField]: "200", "sec-fetch-site": "same-origin" },
    cookies: {},
    body: null,
    method,
  };
  for (const { name, member } of membersOf(generated, method))
    sending = ofPart(name, member, members[member]!.right)(sending);
  const { cookie = "", ...passes } = guards[generated.guard].passes as Fields;
  sending = withFields(passes)(sending);
  if (cookie !== "") sending = { ...sending, cookies: { ...sending.cookies, sid: "1" } };
  if (made.isOnce !== undefined && writes.has(method)) sending = withFields({ "idempotency-key": "new" })(sending);
  if (isRequired(generated, method)) {
    const dated = generated.validator === "date";
    sending = withFields(
      dated ? { "if-unmodified-since": new Date(1_800_000_000_000).toUTCString() } : { "if-match": '"7"' },
    )(sending);
  }
  const [content] = contentOf(generated, method);
  if (content !== undefined) sending = bodyOf(content.type, content.fit[0]!)(sending);
  return sending;
}

function isRequired({ declared, validator }: GeneratedApplication, method: string): boolean {
  const made = declared[method as Declarable];
  return made?.isConditional === true && validator !== "none";
}

function isPatch({ declared }: GeneratedApplication, method: string): boolean {
  return method === "PATCH" && !("PATCH" in declared);
}

function contentOf(generated: GeneratedApplication, method: string): readonly Sent[] {
  if (!isPatch(generated, method)) return sentBy(method, generated.declared[method as Declarable]!);
  return [
    { type: "application/merge-patch+json", declared: null, fit: ["{}"], unfit: ["[]", '{"title":5}'] },
    {
      type: "application/json-patch+json",
      declared: null,
      fit: ["[]"],
      unfit: ["{}", '[{"op":"remove","path":"/x"}]'],
    },
  ];
}

function membersOf(generated: GeneratedApplication, method: string) {
  const made = generated.declared[method as Declarable];
  if (made === undefined) return [];
  return partNames.flatMap((name) =>
    Object.entries(made[name] ?? {}).map(([member, presence]) => ({ name, member, presence })),
  );
}

function bodyOf(type: string, body: Body): Trial["change"] {
  return (sending) => {
    const { "content-type": _, ...headers } = sending.headers;
    // The boundary of a form is written by the runtime.
    return { ...sending, body, headers: body instanceof FormData ? headers : { ...headers, "content-type": type } };
  };
}

function withoutPreconditions({ headers, ...sending }: Sending): Sending {
  const { "if-match": _, "if-unmodified-since": __, ...left } = headers;
  return { ...sending, headers: left };
}

/** Everything that is tried of an operation. */
export function trialsOf(generated: GeneratedApplication, method: string, document: readonly string[]): Trial[] {
  const made = generated.declared[method as Declarable] ?? generated.declared["PUT"]!;
  const trials: Trial[] = [{ what: "as it is", change: (sending) => sending }];
  const add = (what: string, change: Trial["change"], more: Partial<Trial> = {}): void =>
    void trials.push({ what, change, ...more });
  for (const { name, member } of membersOf(generated, method)) {
    add(`no ${name} ${member}`, ofPart(name, member, null));
    const { wrong } = members[member]!;
    if (wrong !== null) add(`a wrong ${name} ${member}`, ofPart(name, member, wrong));
  }
  for (const name of partNames) add(`another of ${name}`, ofPart(name, "zz", "1"));
  add("another path", (sending) => ({ ...sending, path: sending.path.replace(/7(?!.*7)/, "x") }));
  add("a path that cannot be read", (sending) => ({ ...sending, path: sending.path.replace(/7(?!.*7)/, "%zz") }));
  for (const { type, fit, unfit } of contentOf(generated, method)) {
    for (const body of [...fit, ...unfit]) {
      const json = type.endsWith("json") && typeof body === "string" ? { json: JSON.parse(body) as unknown } : {};
      add(`${type} ${String(body)}`, bodyOf(type, body), json);
    }
    add(`${type} that breaks`, bodyOf(type, "{"));
    if (type === "multipart/form-data") add("a long member", bodyOf(type, formOf("title", "t".repeat(500))));
    add(`${type} too long`, (sending) => tooLong(bodyOf(type, fit[0]!)(sending)));
    add(`${type} with a coding`, (sending) =>
      withFields({ "content-encoding": "gzip" })(bodyOf(type, fit[0]!)(sending)),
    );
  }
  if (method !== "GET" && method !== "HEAD") {
    add("content of another type", bodyOf("nothing/here", "t"));
    add("content without a type", (sending) => {
      const { "content-type": _, ...headers } = sending.headers;
      return { ...sending, headers, body: new TextEncoder().encode("t") };
    });
    add("content that is too long", (sending) => tooLong(bodyOf("nothing/here", "t")(sending)));
    add("no content", (sending) => ({ ...sending, body: null }));
    add("a part", withFields({ "content-range": "bytes 0-1/9" }));
  }
  // No Request of GET has content; messages may.
  else add("a length that is too much", tooLong);
  const accepts = [
    "application/json",
    "text/csv",
    "image/png",
    "text/plain",
    "text/html",
    "application/x-ndjson",
    "nothing/here",
    "*/*",
  ];
  const isRead = ["GET", "HEAD", "QUERY"].includes(method);
  for (const accept of accepts) {
    // Each media type has a tag of its own.
    const change = isRead ? withFields({ accept, "if-none-match": '"6"' }) : withFields({ accept });
    add(`Accept: ${accept}`, (sending) => change(isRead ? withoutPreconditions(sending) : sending));
  }
  const once = new Date(1_500_000_000_000).toUTCString();
  const later = new Date(1_800_000_000_000).toUTCString();
  for (const [field, ...texts] of [
    ["If-Match", '"7"', '"6"', "*"],
    ["If-None-Match", '"7"', '"6"', "*"],
    ["If-Modified-Since", once, later],
    ["If-Unmodified-Since", once, later],
    ["Range", "bytes=0-1", "bytes=999-"],
    ["Prefer", "return=minimal"],
  ] as const) {
    for (const one of texts) {
      const more = { reads: `header ${field}` };
      add(`${field}: ${one}`, withFields({ [field.toLowerCase()]: one }), more);
      // Of events and other content, only the other has a version.
      add(`${field}: ${one}, as JSON`, withFields({ [field.toLowerCase()]: one, accept: asJson }), more);
    }
  }
  add("If-Range", withFields({ range: "bytes=0-1", "if-range": '"6"' }), {
    reads: "header If-Range",
    otherwise: document.includes("206") ? 206 : 200,
  });
  add("no preconditions", withoutPreconditions);
  for (const refused of [
    guards[generated.guard].refused,
    ...generated.around.map((name) => around[name].refused),
  ].flat() as Fields[]) {
    add(`refused by ${JSON.stringify(refused)}`, (sending) => {
      const { cookie, ...fields } = refused;
      const { sid: _, ...cookies } = sending.cookies;
      const left =
        cookie === undefined
          ? sending
          : { ...sending, cookies: cookie === "" ? cookies : { ...cookies, sid: "denied" } };
      return withFields(fields)(left);
    });
  }
  for (const name of ["limit", "cursor"])
    add(`a wrong ${name}`, ofPart("query", name, "x"), { reads: `query ${name}` });
  const key = (one: string): Fields => ({ "idempotency-key": one });
  add("a key that is none", withFields(key('"')), { reads: "header Idempotency-Key" });
  add("a key twice", withFields(key(`"twice ${keys++}"`)), { reads: "header Idempotency-Key", times: "twice" });
  add("a key at once", withFields(key(`"at once ${keys++}"`), { "x-slow": "1" }), {
    reads: "header Idempotency-Key",
    times: "at once",
  });
  add("no key", (sending) => {
    const { "idempotency-key": _, ...headers } = sending.headers;
    return { ...sending, headers };
  });
  const whole = wholeOf(method, made);
  for (const at of whole.given.keys()) add(`200, ${at}`, withFields({ [wantedField]: `200 ${at}` }));
  for (const status of document.map(Number).filter((one) => !isPatch(generated, method) && made.answers.includes(one)))
    for (const accept of ["*/*", asJson, "text/plain, */*;q=0.1", "text/html, */*;q=0.1"]) {
      const fields = { [wantedField]: String(status), accept };
      const change = withFields(fields, key(`"status ${keys++}"`), isRead ? { "if-none-match": '"6"' } : {});
      add(`${status} as ${accept}`, (sending) => change(isRead ? withoutPreconditions(sending) : sending), {
        times: "twice",
      });
    }
  if (method === "GET" && !("HEAD" in generated.declared)) add("HEAD", (sending) => ({ ...sending, method: "HEAD" }));
  return trials;
}

/** Makes a request anew: each has a key of its own where one is needed. */
export function requestOf({ path, query, headers, cookies, body, method }: Sending): Request {
  const search = query.map(([name, one]) => `${name}=${encodeURIComponent(one)}`).join("&");
  const sent = new Headers(Object.entries(headers).filter(([name, one]) => one !== "" || name !== "authorization"));
  if (sent.get("idempotency-key") === "new") sent.set("idempotency-key", `"key ${keys++}"`);
  const pairs = Object.entries(cookies).map(([name, one]) => `${name}=${one}`);
  if (pairs.length > 0) sent.set("cookie", pairs.join("; "));
  const takesContent = method !== "GET" && method !== "HEAD";
  const init = body === null || !takesContent ? {} : { body };
  return new Request(`http://localhost${path}${search === "" ? "" : `?${search}`}`, { method, headers: sent, ...init });
}
