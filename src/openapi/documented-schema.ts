import { isJsonSchema, namedOf, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { lenientOptionsOf } from "../json-schema/shape/lenient-options.ts";
import { jsonSchemaOf, withoutBigints, type StandardSchema } from "../json-schema/shape/standard-schema.ts";

/**
 * Returns the JSON Schema of one side; `undefined` if there is none.
 *
 * A date is a string, as in JSON, and a file is binary, as in a form. Libraries describe neither by themselves.
 *
 * @param owner what has the schema, for messages.
 * @param date the schema of a date.
 * @throws {TypeError} when two schemas in it have one id.
 */
export function documentedSchemaOf(
  schema: StandardSchema,
  side: "input" | "output",
  owner: string,
  date: JsonSchema = dateTime,
): JsonSchema | undefined {
  const { vendor } = schema["~standard"];
  const converted = convertedOf(schema, side, owner, date);
  if (converted === undefined) return undefined;
  const found = side === "input" ? withoutReadOnly(converted) : converted;
  if (vendor === "zod") addIds(found);
  return vendor === "arktype" ? withNumbers(found) : found;
}

function convertedOf(
  schema: StandardSchema,
  side: "input" | "output",
  owner: string,
  date: JsonSchema,
): JsonSchema | undefined {
  const { vendor, jsonSchema } = schema["~standard"];
  const options = Object.hasOwn(instanceOptions, vendor) ? instanceOptions[vendor as "zod"](date) : null;
  if (options === null) return jsonSchemaOf(schema, side);
  try {
    const lenient = lenientOptionsOf(vendor, side);
    const libraryOptions = { ...lenient, ...options, ...saying(lenient) };
    return withoutBigints(jsonSchema?.[side]({ target: "draft-2020-12", libraryOptions }));
  } catch (error) {
    const [, id] = /^[^"]*Duplicate schema id "([^]*)" detected/.exec(String(error)) ?? [];
    if (id !== undefined) {
      throw new TypeError(
        `Cannot describe the application: two schemas in ${owner} have the id "${id}"; rename one, or use one schema`,
        { cause: error },
      );
    }
    return jsonSchemaOf(schema, side, options);
  }
}

/**
 * A client does not send what is `readOnly`. So a member that requests must have is not, whatever its schema says of
 * answers.
 */
function withoutReadOnly<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutReadOnly) as Value;
  if (!isJsonSchema(value)) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutReadOnly(member)]),
  );
  const { required, properties } = copy;
  if (Array.isArray(required) && isJsonSchema(properties)) {
    for (const name of required) {
      const member = Object(properties[name as string]) as Record<string, unknown>;
      if (member["readOnly"] === true) dropReadOnly(member);
    }
  }
  return copy as Value;
}

/** Has Valibot say so where it describes nothing of what a transformation returns. */
function saying(lenient: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const { overrideAction } = lenient as { readonly overrideAction?: (context: object) => JsonSchema | undefined };
  if (overrideAction === undefined) return {};
  return { overrideAction: (context: object) => overrideAction(context) && { description: undescribed } };
}

/** The definitions of zod have the id of their schema as their name, and a number where it has none. */
function addIds(root: JsonSchema): void {
  for (const [name, definition] of namedOf(root, "$defs"))
    if (!/^__schema\d+$/.test(name)) Object.assign(definition as object, { id: name });
}

/**
 * ArkType names definitions by a count of all types of the process: another type would rename them. Numbers by the
 * order in which the schema refers to them stay.
 */
function withNumbers({ $defs, ...root }: JsonSchema): JsonSchema {
  if (!isJsonSchema($defs)) return root;
  const names = new Set<string>();
  const find = (value: unknown): void => {
    for (const [, name] of JSON.stringify([value]).matchAll(references)) names.add(name!);
  };
  find(root);
  // What is added here is visited, too.
  for (const name of names) find($defs[name]);
  const numbers = new Map([...names].map((name, at) => [name, `__schema${at}`]));
  const definitions = Object.fromEntries([...numbers].map(([name, number]) => [number, $defs[name]]));
  const text = JSON.stringify({ ...root, $defs: definitions });
  return JSON.parse(
    text.replaceAll(references, (_, name: string) => `"$ref":"#/$defs/${numbers.get(name)!}"`),
  ) as JsonSchema;
}

const references = /"\$ref":"#\/\$defs\/([^"/]+)"/g;

/** What users write for any value, by the names of zod and of Valibot. */
const isOpen: ReadonlySet<string> = new Set(["any", "unknown"]);

/** The description of a schema that takes whatever there is. */
export const anyValue = "Any value";
/** The description of a schema of which its library shows nothing, such as a transformation or a bigint. */
export const undescribed = "A value that is not described: its schema has no JSON Schema";

/**
 * `.readonly()` is for the compiler; of OpenAPI, it would mean that clients do not send the member (JSON Schema §9.4).
 */
function dropReadOnly(schema: Record<string, unknown>): void {
  delete schema["readOnly"];
}

const dateTime = { type: "string", format: "date-time" } as const;
const binary = { type: "string", format: "binary" } as const;

/** How libraries are told what dates and files are, and that answers may get members. */
const instanceOptions = {
  zod: (date: JsonSchema) => ({
    override: ({ zodSchema: { _zod: internals }, jsonSchema }: ZodConversion): void => {
      const { type, catchall } = internals.def;
      if (type === "date") Object.assign(jsonSchema, date);
      // Generators take what has an encoding for a text. A part of a form has none (RFC 7578 §4.7).
      if (type === "file") delete jsonSchema["contentEncoding"];
      if (type === "readonly") dropReadOnly(jsonSchema);
      if (Object.keys(jsonSchema).length === 0) jsonSchema["description"] = isOpen.has(type) ? anyValue : undescribed;
      // Zod closes objects of an answer that are not strict, too.
      if (type === "object" && catchall === undefined) delete jsonSchema["additionalProperties"];
    },
  }),
  valibot: (date: JsonSchema) => ({
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotConversion): JsonSchema | undefined => {
      if (type === "date") return date;
      if (type === "file" || type === "blob") return binary;
      const isSilent = Object.keys(jsonSchema).length === 0;
      return isSilent ? { description: isOpen.has(type) ? anyValue : undescribed } : undefined;
    },
  }),
  arktype: (date: JsonSchema) => ({
    fallback: {
      date: (): JsonSchema => date,
      domain: ({ base }: ArkConversion): JsonSchema => ({ ...base, description: undescribed }),
      proto: ({ proto, base }: ArkConversion): JsonSchema => (proto === File || proto === Blob ? binary : base),
    },
  }),
};

interface ZodConversion {
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string; readonly catchall?: unknown } } };
  readonly jsonSchema: Record<string, unknown>;
}

interface ValibotConversion {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchema;
}

interface ArkConversion {
  readonly proto: unknown;
  readonly base: JsonSchema;
}
