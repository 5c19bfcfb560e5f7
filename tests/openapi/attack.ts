import fc from "fast-check";
import type { DocumentedOperation, DocumentedParameter, OpenAPIDocument } from "fingerpost/openapi";

type Schema = Readonly<Record<string, unknown>>;

/** A request that a document allows, or almost. */
export interface Attack {
  readonly path: string;
  readonly key: string;
  readonly operation: DocumentedOperation;
  readonly request: Request;
  /** For messages. */
  readonly told: string;
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

/** What an application has, by the name of a parameter or of a header field. */
export type Known = Readonly<Record<string, readonly string[]>>;

const tokens = ["Bearer a-long-random-token", "Bearer other", "Bearer ,", "nonsense"];

/** Requests to all operations of a document: right ones, wrong ones, and those with conditions. */
export function attacks(document: OpenAPIDocument, known: Known = {}): fc.Arbitrary<Attack> {
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
        authorization: fc.constantFrom(...(known["authorization"] ?? tokens)),
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
          if (place === "path") target = target.replace(`{${name}}`, encoded(text) || "x");
          else if (place === "query") query.push(`${name}=${encoded(text)}`);
          else setField(headers, place === "header" ? name : "cookie", place === "header" ? text : `${name}=${text}`);
        }
      });
      if (body !== null) headers.set("content-type", body.type);
      const method = key.replace("x-", "").toUpperCase();
      const url = `http://localhost${target}${query.length === 0 ? "" : `?${query.join("&")}`}`;
      const request = new Request(url, { method, headers, ...(body === null ? {} : { body: body.body }) });
      return { path, key, operation, request, told: JSON.stringify({ method, url, headers: [...headers], body }) };
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
    ...(there === undefined ? [] : [{ weight: 6, arbitrary: fc.constantFrom(...there).map((text) => [text]) }]),
    {
      weight: there === undefined ? 6 : 1,
      arbitrary: valueOf(schema, document).map((value) => [value].flat().map(String)),
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
        body: new URLSearchParams(members.map(([name, member]) => [name, String(member).toWellFormed()])).toString(),
      };
    }
    return { type, body: /json/.test(type) ? JSON.stringify(value) : String(value) };
  });
}

/** What begins with a percent sign is sent as it is, as a client may that knows no better. */
function encoded(text: string): string {
  return /^%[\w%]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** Fields hold no controls; what cannot be sent is left out. */
function setField(headers: Headers, name: string, text: string): void {
  try {
    headers.append(name, text);
  } catch {
    // Nothing to send.
  }
}
