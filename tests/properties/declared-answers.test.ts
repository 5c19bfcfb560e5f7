// Whatever an application declares: each status, field, media type and content that comes is in its document, and what
// is in the document comes.
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { document, type DocumentedOperation, type OpenAPIDocument } from "fingerpost/openapi";
import { expect, it } from "vitest";
import {
  applications,
  built,
  requestOf,
  sendingOf,
  trialsOf,
  type Built,
  type GeneratedApplication,
  type Sending,
} from "./generated-operations.ts";
import { holds, runs, timeout } from "./runs.ts";

/** Fields of answers that documents do not have, each with the middleware that sends it, and the reason. */
const unwritten: readonly (readonly [field: RegExp, by: RegExp, because: string])[] = [
  [/^content-(?:type|length)$/, /^/, "Media types are the keys of content, and a length is of the message."],
  [/^(?:access-control-.*|vary)$/, /cors/, "They are on the answers of all operations, and for browsers."],
  [/^(?:vary|content-encoding|etag)$/, /compress/, "It codes answers of all operations, as clients ask for."],
  [/^x-request-id$/, /request-id/, "It is on the answers of all operations."],
  [/^(?:x-.*|.*-policy|strict-transport-security|origin-agent-cluster)$/, /secure-headers/, "They are for browsers."],
  [/^www-authenticate$/, /bearer|scoped|optional|key|basic/, "RFC 6750 §3.1 has it on 400 and 403, beside 401."],
];

/** What a document has and no request provoked, each with the reason. */
const unprovoked: readonly (readonly [place: RegExp, by: RegExp, because: string])[] = [
  [/^400/, /^\/.*\(/, "Whether an expression matches what cannot be decoded only the expression knows."],
  [
    / last-modified$/,
    /^(?:tag|both)$/,
    "Which of both there is only validator() knows; beside a tag, 304 has no date.",
  ],
  [
    /^304 x-(?:count|content-type-options)$/,
    /^(?:tag|both)$/,
    "A tag of validator() is compared before there is an answer with fields.",
  ],
  [/ etag$/, /^date$/, "Which of both there is only validator() knows."],
  [/^503/, /timeout/, "No handler here takes so long; rows of the middleware do."],
];

/** The fields of requests that the line reads by itself, and documents do not have, each with the reason. */
const unread: readonly (readonly [place: RegExp, because: string])[] = [
  [
    /^header If-(?:Un)?[Mm]odified-Since$/,
    "A tag says more than a date (RFC 9110 §13.1.3), and whether there is a date only validator() knows.",
  ],
];

/** By day the same applications each time: they are few, and rare ones are for the night. */
const isNight = runs >= 100_000;

it(
  "a document has each status, field, media type and schema that the line has, and no other",
  { timeout },
  async () => {
    await holds(
      fc.asyncProperty(
        applications,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
        async (generated, pairs) => {
          const made = built(generated);
          fc.pre(made !== null);
          const whole = JSON.parse(
            JSON.stringify(document(made.app, { title: "a", version: "1", openapiVersion: generated.openapi })),
          ) as OpenAPIDocument;
          expectReached(whole);
          const ajv = new Ajv2020({ strict: false, validateFormats: false });
          ajv.addSchema({ $id: "doc", ...whole });
          const all = Object.entries(whole.paths).flatMap(([path, operations]) =>
            Object.entries(operations).map(([key, operation]) => ({ path, key, operation })),
          );
          // Paths of one class differ little.
          for (const one of all.slice(0, 4)) await new Compared(generated, made, ajv, one).compare(pairs);
        },
      ),
      isNight ? runs / 100 : 20,
      isNight ? undefined : 2018899630,
    );
  },
);

/** No schema is there for nothing. */
function expectReached({ components, ...others }: OpenAPIDocument): void {
  const reached = new Set<string>();
  const left = [JSON.stringify(others)];
  for (let text = left.pop(); text !== undefined; text = left.pop()) {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"/]+)/g)) {
      if (reached.has(name!)) continue;
      reached.add(name!);
      left.push(JSON.stringify(components.schemas[decodeURIComponent(name!)]));
    }
  }
  expect([...reached].toSorted()).toEqual(Object.keys(components.schemas).toSorted());
}

interface DocumentedField {
  readonly schema: { readonly type?: string };
}

interface Parts {
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
}

interface Placed {
  readonly path: string;
  readonly key: string;
  readonly operation: DocumentedOperation;
}

/** An operation of a document, beside what the line does. */
class Compared {
  readonly #generated: GeneratedApplication;
  readonly #made: Built;
  readonly #operation: DocumentedOperation;
  readonly #ajv: Ajv2020;
  readonly #place: readonly string[];
  readonly #method: string;
  readonly #seen = new Set<string>();
  readonly #sending: Sending;
  #etag: string | null = null;

  constructor(generated: GeneratedApplication, made: Built, ajv: Ajv2020, { path, key, operation }: Placed) {
    this.#generated = generated;
    this.#made = made;
    this.#ajv = ajv;
    this.#operation = operation;
    this.#place = ["paths", path, key];
    this.#method = key.replace("x-", "").toUpperCase();
    this.#sending = sendingOf(generated, path, this.#method);
  }

  async compare(pairs: readonly (readonly [number, number])[]): Promise<void> {
    const { responses, parameters = [] } = this.#operation;
    const trials = trialsOf(this.#generated, this.#method, Object.keys(responses));
    const base = await this.#answer("as it is", this.#sending);
    expect(base, `${this.#what("as it is")} ${String(this.#made.errors.at(-1))}`).toBe(200);
    const tag = this.#etag;
    if (tag !== null) {
      const { "if-match": _, ...left } = this.#sending.headers;
      await this.#answer("the tag that came", { ...this.#sending, headers: { ...left, "if-none-match": tag } });
    }
    for (const { what, change, reads, json, times, otherwise = base } of trials) {
      const sending = change(this.#sending);
      const asked = (one = sending): Promise<number> => this.#answer(what, one);
      let status = times === "at once" ? Math.max(...(await Promise.all([asked(), asked()]))) : await asked();
      if (times === "twice") status = Math.max(await asked(), await asked(otherOf(sending)));
      if (reads !== undefined && status !== otherwise && !unread.some(([place]) => place.test(reads))) {
        const names = parameters.map(({ name, in: place }) => `${place} ${name}`.toLowerCase());
        expect(names, this.#what(`${what} ${status}`)).toContain(reads.toLowerCase());
        this.#seen.add(`reads ${reads.toLowerCase()}`);
      }
      if (json !== undefined) this.#expectSame(json, sending.headers["content-type"]!, status, what);
    }
    for (const [one, other] of pairs) {
      const [first, second] = [trials[one % trials.length]!, trials[other % trials.length]!];
      await this.#answer(`${first.what}, ${second.what}`, second.change(first.change(this.#sending)));
    }
    const missing = this.#documented().filter(
      (place) => !this.#seen.has(place) && !unprovoked.some(([known, by]) => known.test(place) && this.#isBy(by)),
    );
    expect(missing, this.#what("never")).toEqual([]);
  }

  /** The parts that the handler got are those of the document. */
  #expectRead(): void {
    const call = this.#made.calls.at(-1) as Parts;
    const { parameters = [] } = this.#operation;
    for (const [name, place] of [
      ["query", "query"],
      ["headers", "header"],
      ["cookies", "cookie"],
    ] as const) {
      const documented = parameters.filter((one) => one.in === place).map((one) => one.name.toLowerCase());
      const read = Object.keys(call[name] ?? {}).map((one) => one.toLowerCase());
      for (const one of read) {
        // A schema that takes any name has one parameter for all of them.
        const known = documented.includes(one) ? one : "others";
        expect(documented, this.#what(`${place} ${one}`)).toContain(known);
        this.#seen.add(`reads ${place} ${known}`);
      }
    }
  }

  async #answer(what: string, sending: Sending): Promise<number> {
    const { length } = this.#made.calls;
    const response = await this.#made.app.fetch(requestOf(sending));
    if (this.#made.calls.length > length) this.#expectRead();
    const { status, headers } = response;
    this.#etag = headers.get("etag");
    const told = `${this.#what(what)} ${status}`;
    const answer = this.#operation.responses[status];
    expect(answer, `${told} ${String(this.#made.errors.at(-1))}`).toBeDefined();
    this.#seen.add(String(status));
    const fields = Object.fromEntries(
      Object.entries(answer!.headers ?? {}).map(([name, field]) => [
        name.toLowerCase(),
        [name, field as DocumentedField] as const,
      ]),
    );
    for (const [name, value] of headers) {
      if (Object.hasOwn(fields, name)) {
        const [written, { schema }] = fields[name]!;
        this.#seen.add(`${status} ${name}`);
        // Any text fits what the line adds.
        const isAny = schema.type === "string" && Object.keys(schema).length === 1;
        const given = schema.type === "integer" ? Number(value) : value;
        if (!isAny) this.#fit(given, ["responses", String(status), "headers", written, "schema"], told);
        continue;
      }
      const isKnown = unwritten.some(([field, by]) => field.test(name) && this.#isBy(by));
      expect(isKnown, `${told} ${name}: ${value}`).toBe(true);
    }
    const body = await response.text();
    if (sending.method === "HEAD" || (body === "" && !headers.has("content-type"))) return status;
    const type = headers.get("content-type")!.split(";")[0]!;
    const medium = answer!.content?.[type];
    expect(medium, `${told} ${type}`).toBeDefined();
    this.#seen.add(`${status} ${type}`);
    const at = ["responses", String(status), "content", type];
    const isEvent = type === "text/event-stream";
    if (isEvent || /jsonl|ndjson/.test(type)) {
      const key = Object.keys(medium!).find((member) => member.endsWith("itemSchema"))!;
      const lines = body.split("\n").flatMap((line) => (isEvent ? line.match(/^data: (.*)/)?.[1] : line) || []);
      for (const line of lines) {
        const item = isEvent ? { data: line } : (JSON.parse(line) as unknown);
        this.#fit(item, [...at, key], told);
        const content = ["properties", "data", "contentSchema"];
        if (isEvent) this.#fit(JSON.parse(line), [...at, key, ...content], told);
      }
    } else this.#fit(type.endsWith("json") ? JSON.parse(body) : body, [...at, "schema"], told);
    return status;
  }

  /** A document and the line take the same JSON. */
  #expectSame(json: unknown, type: string, status: number, what: string): void {
    const place = ["requestBody", "content", type, "schema"];
    const isTaken = status !== 400 && status !== 422;
    if (this.#validate(place)(json) !== isTaken) expect([type, json, status], this.#what(what)).toBe("as documented");
  }

  #fit(value: unknown, place: readonly string[], told: string): void {
    const validate = this.#validate(place);
    if (!validate(value)) expect(validate.errors, `${told} ${JSON.stringify(value)}`).toBeNull();
  }

  #validate(place: readonly string[]) {
    const pointer = [...this.#place, ...place]
      .map((token) => encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = this.#ajv.getSchema(`doc#/${pointer}`);
    expect(validate, pointer).toBeDefined();
    return validate!;
  }

  #documented(): string[] {
    const { responses, parameters = [] } = this.#operation;
    const ofAnswers = Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]) => [
      status,
      ...Object.keys(headers).map((name) => `${status} ${name.toLowerCase()}`),
      ...Object.keys(content).map((type) => `${status} ${type}`),
    ]);
    const ofRequests = parameters.flatMap(({ name, in: place }) =>
      place === "path" ? [] : `reads ${place} ${name.toLowerCase()}`,
    );
    return [...ofAnswers, ...ofRequests];
  }

  /** Whether there is such middleware, such a validator, or such a path. */
  #isBy(by: RegExp): boolean {
    const { guard, around, validator, paths } = this.#generated;
    return [guard, validator, ...around, ...paths].some((name) => by.test(name));
  }

  #what(what: string): string {
    return `${this.#place.slice(1).join(" ")}, ${what}:`;
  }
}

/** Another request with the same key. */
function otherOf(sending: Sending): Sending {
  return { ...sending, query: [...sending.query, ["zz", "2"]] };
}
