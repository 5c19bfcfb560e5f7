import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect } from "vitest";
import type { DocumentedOperation, DocumentedParameter, OpenAPIDocument } from "fingerpost/openapi";

type Schema = Readonly<Record<string, unknown>>;

/** A request that a document allows, or almost. */
export interface Attack {
  readonly path: string;
  readonly key: string;
  readonly operation: DocumentedOperation;
  readonly method: string;
  /** What comes after the origin. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** An application that answers attacks, and its document, which says how it may. */
export class Attacked {
  readonly document: OpenAPIDocument;
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #origin: string;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #seen = new Set<string>();

  constructor(document: OpenAPIDocument, fetch: (request: Request) => Promise<Response>, origin = "http://localhost") {
    this.document = document;
    this.#fetch = fetch;
    this.#origin = origin;
    this.#ajv.addSchema({ $id: "doc", ...document });
  }

  /** The codes that were answered. */
  get statuses(): string[] {
    return [...new Set([...this.#seen].map((one) => one.slice(-3)))];
  }

  /** The operations that no attack has succeeded with. */
  get neverSucceeded(): string[] {
    return Object.entries(this.document.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((key) => `${key} ${path}`))
      .filter((one) =>
        [...this.#seen].every(
          (answered) => !/^[23]/.test(answered.slice(one.length + 1)) || !answered.startsWith(`${one} `),
        ),
      );
  }

  /**
   * Makes an attack, and compares the answer with the document: its status, its media type, its content and its fields.
   */
  async ask({ path, key, operation, method, target, headers, body }: Attack): Promise<void> {
    const url = this.#origin + target;
    const told = JSON.stringify({ method, url, headers, body });
    const init = { method, headers: headers as [string, string][], redirect: "manual" as const };
    const response = await this.#fetch(new Request(url, body === null ? init : { ...init, body }));
    const { status } = response;
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!;
    // A stream of events does not end by itself.
    const isStream = type === "text/event-stream";
    if (isStream) await response.body?.cancel();
    const text = isStream ? "" : await response.text();
    expect(status, told).toBeLessThan(500);
    if ("default" in operation.responses) return;
    const answer = operation.responses[status];
    expect(answer, `${status} of ${told}: ${text}`).toBeDefined();
    this.#seen.add(`${key} ${path} ${status}`);
    for (const name of Object.keys(answer!.headers ?? {})) {
      const value = response.headers.get(name);
      if (value !== null) this.#check(value, [path, key, "responses", status, "headers", name, "schema"], told);
    }
    if (text === "" && !isStream) return;
    expect(Object.keys(answer!.content ?? {}), told).toContain(type);
    if (!type.endsWith("json")) return;
    this.#check(JSON.parse(text), [path, key, "responses", status, "content", type, "schema"], told);
  }

  #check(value: unknown, place: readonly (string | number)[], told: string): void {
    const pointer = ["paths", ...place]
      .map((token) => encodeURIComponent(String(token).replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = this.#ajv.getSchema(`doc#/${pointer}`)!;
    expect(validate(value), `${told}: ${JSON.stringify(value)} ${JSON.stringify(validate.errors)}`).toBe(true);
  }
}

const nasty = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "0x10",
    "-1",
    "1e309",
    "null",
    "true",
    "__proto__",
    "constructor",
    "%",
    "%zz",
    "é",
    "\u{1F4D6}",
    "'\"<b>",
    "a,b",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.double().map(String),
);

/** Texts of formats whose patterns fast-check cannot read. */
const formats: Readonly<Record<string, readonly string[]>> = {
  email: [..."abcdefgh"].map((name) => `${name}@example.com`),
  uri: ["https://example.com/a.png", "http://[::1]/", "nonsense"],
};

/** Values that fit a schema most of the time, and those that do not. */
function valueOf(schema: Schema, document: OpenAPIDocument, depth = 0): fc.Arbitrary<unknown> {
  const { $ref: reference } = schema as { $ref?: string };
  if (reference !== undefined)
    return valueOf(document.components.schemas[reference.split("/").at(-1)!]!, document, depth + 1);
  if (depth > 5) return fc.constant(null);
  const of = (value: unknown): fc.Arbitrary<unknown> => valueOf(value as Schema, document, depth + 1);
  const branches = [schema["anyOf"], schema["oneOf"]].flatMap((list) => (list ?? []) as Schema[]);
  if (branches.length > 0) return fc.oneof(...branches.map(of));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  const kinds = [schema["type"]].flat().map((type): fc.Arbitrary<unknown> => {
    switch (type) {
      case "string":
        if (typeof schema["format"] === "string" && schema["format"] in formats)
          return fc.constantFrom(...formats[schema["format"]]!);
        return typeof schema["pattern"] === "string"
          ? fc.oneof(fc.stringMatching(new RegExp(schema["pattern"])), fc.constant("9780807083697"))
          : fc.string({ unit: "binary", minLength: Number(schema["minLength"] ?? 0), maxLength: 20 });
      case "integer":
        return fc.integer({
          min: Math.max(-1000, Number(schema["minimum"] ?? -1000)),
          max: Math.min(1000, Number(schema["maximum"] ?? 1000)),
        });
      case "number":
        return fc.double();
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return fc.array(of(schema["items"] ?? {}), { maxLength: 3 });
      case "object": {
        const members = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
        return fc.record(Object.fromEntries(members.map(([name, member]) => [name, of(member)])), {
          requiredKeys: ((schema["required"] ?? []) as string[]).filter((name) =>
            members.some(([own]) => own === name),
          ),
        });
      }
      default:
        return fc.jsonValue();
    }
  });
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...kinds) }, { weight: 1, arbitrary: fc.jsonValue() });
}

/**
 * What an application has, by the name of a parameter or of a header field. Each attack reads it anew, so it may
 * change.
 */
export type Known = Readonly<Record<string, readonly string[]>>;

const credentials = [
  "Bearer a-long-random-token",
  "Bearer other",
  "Bearer ,",
  `Basic ${btoa("librarian:shelf")}`,
  "nonsense",
];

/** A property of requests to all operations of a document: right ones, wrong ones, and those with conditions. */
export function attacks(
  document: OpenAPIDocument,
  ask: (attack: Attack) => Promise<void>,
  known: Known = {},
): fc.IAsyncPropertyWithHooks<[Attack]> {
  return fc.asyncProperty(attackOn(document, known), ask);
}

function attackOn(document: OpenAPIDocument, known: Known): fc.Arbitrary<Attack> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([key, operation]) => ({ path, key, operation })),
  );
  return fc.constantFrom(...all).chain(({ path, key, operation }) => {
    const { parameters = [], requestBody } = operation;
    const contents = Object.entries(requestBody?.content ?? {});
    const content =
      contents.length === 0
        ? fc.constant(null)
        : fc.oneof(
            {
              weight: 9,
              arbitrary: fc.oneof(
                ...contents.map(([type, media]) => bodyOf(type, media["schema"] as Schema, document)),
              ),
            },
            {
              weight: 1,
              arbitrary: fc.record({
                type: fc.constantFrom("text/plain", "nonsense", contents[0]![0]),
                body: fc.oneof(nasty, fc.constant("x".repeat(2000))),
              }),
            },
          );
    const values = fc.tuple(...parameters.map((parameter) => textsOf(parameter, document, known)));
    const fields = fc.record(
      {
        accept: fc.constantFrom("*/*", "application/json", "text/csv;q=0.5", "image/*", "nothing/here", "nonsense"),
        "if-match": fc.constantFrom("*", '"1"', '"2"', 'W/"1"', "nonsense"),
        "if-none-match": fc.constantFrom("*", '"1"', '"2"', "nonsense"),
        range: fc.constantFrom("bytes=0-1", "bytes=9-", "bytes=-1", "nonsense"),
        prefer: fc.constant("return=minimal"),
        authorization: fc.constantFrom(...(known["authorization"] ?? credentials)),
        "sec-fetch-site": fc.constantFrom("same-origin", "cross-site"),
      },
      { requiredKeys: [] },
    );
    return fc.tuple(values, content, fields).map(([texts, body, given]): Attack => {
      let target = path;
      const query: string[] = [];
      const headers = new Headers(given as Record<string, string>);
      parameters.forEach(({ name, in: place }, at) => {
        for (const text of texts[at]!) {
          // A dot segment would lead to another path (RFC 3986 §5.2.4).
          const segment = /^\.{0,2}$/.test(text) ? "x" : encoded(text);
          if (place === "path") target = target.replace(`{${name}}`, () => segment);
          else if (place === "query") query.push(`${name}=${encoded(text)}`);
          else setField(headers, place === "header" ? name : "cookie", place === "header" ? text : `${name}=${text}`);
        }
      });
      if (body !== null) headers.set("content-type", body.type);
      const method = key.replace("x-", "").toUpperCase();
      const search = query.length === 0 ? "" : `?${query.join("&")}`;
      return { path, key, operation, method, target: target + search, headers: [...headers], body: body?.body ?? null };
    });
  });
}

function textsOf(
  { name, required, schema, in: place }: DocumentedParameter,
  document: OpenAPIDocument,
  known: Known,
): fc.Arbitrary<string[]> {
  const there = known[name];
  const one = fc.oneof(
    ...(there === undefined
      ? []
      : [{ weight: 6, arbitrary: fc.nat().map((n) => [known[name]![n % known[name]!.length]!]) }]),
    {
      weight: there === undefined ? 6 : 1,
      arbitrary: valueOf(schema, document).map((value) => [value].flat().map(textOf)),
    },
    { weight: 1, arbitrary: nasty.map((text) => [text]) },
  );
  if (place === "path") return one.map((texts) => [texts[0] ?? "x"]);
  return fc.oneof(
    { weight: 8, arbitrary: one },
    { weight: required === true ? 1 : 4, arbitrary: fc.constant<string[]>([]) },
  );
}

function bodyOf(type: string, schema: Schema, document: OpenAPIDocument): fc.Arbitrary<{ type: string; body: string }> {
  return valueOf(schema, document).map((value) => {
    if (type.startsWith("application/x-www-form-urlencoded")) {
      const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
      return {
        type,
        body: new URLSearchParams(members.map(([name, member]) => [name, textOf(member).toWellFormed()])).toString(),
      };
    }
    return { type, body: /json/.test(type) ? JSON.stringify(value) : textOf(value) };
  });
}

/** What begins with a percent sign is sent as it is, as a client may that knows no better. */
function encoded(text: string): string {
  return /^%[\w%]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** Fields hold no controls; what cannot be sent is left out. */
function setField(headers: Headers, name: string, text: string): void {
  // `Headers` takes some of them, and sockets do not.
  if (/\p{Cc}/u.test(text)) return;
  try {
    headers.append(name, text);
  } catch {
    // Nothing to send.
  }
}

/** An object of any JSON may have a `toString` that is no function. */
function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
