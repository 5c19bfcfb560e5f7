import { isJsonSchema, schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../json-schema/shape/schema-members.ts";
import type { DocumentedOperation, DocumentedParameter, OpenAPIDocument } from "./openapi-document.ts";
import { sampleOf } from "./sample.ts";

/** A request to an operation, with values that show the shape of what it takes. */
export interface SampleRequest {
  readonly method: string;
  readonly parameters: readonly SampleParameter[];
  readonly content: SampleContent | null;
}

export interface SampleParameter {
  readonly name: string;
  readonly in: DocumentedParameter["in"];
  readonly isRequired: boolean;
  /** How the text of the value is sent: `list` and `pairs` are several of the query, `rest` several segments. */
  readonly form: "one" | "list" | "pairs" | "rest";
  readonly value: string;
}

export interface SampleContent {
  readonly type: string;
  /** The content as it is sent; null where it is a file, or made of parts. */
  readonly text: string | null;
  /** The parts of a form; null for other content. */
  readonly parts: readonly SamplePart[] | null;
}

export interface SamplePart {
  readonly name: string;
  /** Null of a file. */
  readonly text: string | null;
}

/** Makes a request that shows what an operation takes. Its key is the method as the document has it. */
export function sampleRequestOf(
  key: string,
  { parameters = [], requestBody, responses }: DocumentedOperation,
  document: OpenAPIDocument,
): SampleRequest {
  const root = document as unknown as JsonSchema;
  const [media] = Object.entries(requestBody?.content ?? {});
  return {
    method: methodOf(key),
    parameters: parameters.map((one) => {
      const isTag = "428" in responses && one.name === "If-Match";
      const sampled = sampleOf(one.schema, root);
      return {
        name: one.name,
        in: one.in,
        isRequired: isTag || one.required === true,
        form: formOf(one, root),
        value: isTag ? "*" : textOf(sampled === "text" ? one.name : sampled),
      };
    }),
    content: media === undefined ? null : contentOf(...media, root),
  };
}

/** The members of an object are pairs of the query. */
function textOf(value: unknown): string {
  if (!isJsonSchema(value)) return String(value);
  const pairs = Object.entries(value).flatMap(([name, member]) => textsOf(member).map((text) => [name, text]));
  return new URLSearchParams(pairs).toString();
}

/** Returns the method of a key: one that OpenAPI does not know begins with `x-`. */
export function methodOf(key: string): string {
  return key.replace("x-", "").toUpperCase();
}

/** Whether content is shown by an example. Only JSON is: of other content, a value says no more than its schema. */
export function hasShownExample(type: string): boolean {
  return /^[^;]*[/+]json$/.test(type) && !type.startsWith("application/problem");
}

/** Returns an example of content: the first that is declared, or a value of the shape of its schema. */
export function exampleOf(
  { schema, itemSchema, examples }: Readonly<Record<string, unknown>>,
  root: JsonSchema,
): unknown {
  const [declared] = Object.values((examples ?? {}) as Record<string, { readonly value: unknown }>);
  return declared === undefined ? sampleOf(schema ?? itemSchema, root) : declared.value;
}

function formOf(
  { in: place, schema, "x-rest": isRest }: DocumentedParameter,
  root: JsonSchema,
): SampleParameter["form"] {
  if (isRest === true) return "rest";
  const { type } = schemaAt(schema, root);
  if (place !== "query") return "one";
  return type === "array" ? "list" : type === "object" ? "pairs" : "one";
}

function contentOf(type: string, media: Readonly<Record<string, unknown>>, root: JsonSchema): SampleContent {
  const value = exampleOf(media, root);
  const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type);
  if (isForm && isJsonSchema(value)) return { type, text: null, parts: partsOf(media["schema"], value, root) };
  if (/^[^;]*json/.test(type)) return { type, text: JSON.stringify(value), parts: null };
  return { type, text: typeof value === "string" && value !== "text" ? value : null, parts: null };
}

/** A form that requires nothing shows all that it may have. A list repeats its name. */
function partsOf(schema: unknown, value: object, root: JsonSchema): SamplePart[] {
  const { named } = schemaMembersOf(schema, root);
  const members =
    Object.keys(value).length > 0
      ? Object.entries(value)
      : Array.from(named, ([name, member]): [string, unknown] => [name, sampleOf(member, root)]);
  return members.flatMap(([name, member]) =>
    textsOf(member).map((text) => ({ name, text: isFile(named.get(name), root) ? null : text })),
  );
}

/** Writes a member as texts: each item of a list is one, and an object is JSON. */
function textsOf(member: unknown): string[] {
  return [member].flat().map((one: unknown) => (typeof one === "object" ? JSON.stringify(one) : String(one)));
}

function isFile(member: unknown, root: JsonSchema): boolean {
  const { format, items } = schemaAt(member, root);
  return format === "binary" || schemaAt(items, root)["format"] === "binary";
}
