import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { Form, Media } from "../semantics/operation/media.ts";
import type { Components } from "./components.ts";
import type { Side } from "./converted-schema.ts";
import { keyOf, orUndefined } from "./json-schema-type.ts";

type Raw = NonNullable<Media["raw"]>;

/** Where content is in a document, and what describes its schemas there. */
interface ContentContext {
  readonly components: Components;
  readonly side: Side;
  readonly owner: string;
  readonly is32: boolean;
}

interface RawKind<Content> {
  /** Describes the content, as a media type object of OpenAPI. */
  readonly documented: (content: Content, context: ContentContext) => Record<string, unknown>;
  /** The type of what clients send. */
  readonly sent: (content: Content, typeOf: (schema: StandardSchema) => string) => string;
  /** How the call names the media type, where no map does. */
  readonly named: string;
}

/** Bytes, as a document describes them. */
export const binary = { type: "string", format: "binary" };

const asString = { documented: () => ({ schema: { type: "string" } }), sent: () => "string", named: ": string" };

/** What documents and declarations of clients say of each kind of raw content. */
const rawKinds: { readonly [Kind in Raw["kind"]]: RawKind<Extract<Raw, { readonly kind: Kind }>> } = {
  bytes: {
    documented: () => ({ schema: binary }),
    sent: () => "Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>",
    named: "?: string | undefined",
  },
  text: asString,
  written: asString,
  events: {
    ...asString,
    documented: ({ schema }, context) =>
      sequence(context, "event", schema, "Server-sent events, each with data of JSON", eventOf),
  },
  lines: {
    documented: ({ schema }, context) => sequence(context, "line", schema, "Lines, each with one value of JSON"),
    sent({ schema }, typeOf) {
      const line = typeOf(schema);
      return `AsyncIterable<${line}> | Iterable<${line}>`;
    },
    named: ': "application/jsonl" | "application/x-ndjson"',
  },
  form: { documented: documentedForm, sent: sentForm, named: ': "multipart/form-data"' },
};

/** Returns what documents and declarations of clients say of raw content. */
export function rawKindOf<Content extends Raw>(content: Content): RawKind<Content> {
  return rawKinds[content.kind] as RawKind<Raw>;
}

/** Only OpenAPI 3.2 has a place for the schema of one value (§4.14.4). */
function sequence(
  { components, side, owner, is32 }: ContentContext,
  each: "event" | "line",
  schema: StandardSchema,
  description: string,
  itemOf: (item: JsonSchema) => Record<string, unknown> = (item) => item as Record<string, unknown>,
): Record<string, unknown> {
  const item = components.describe(schema, side, `${owner} ${each}`);
  if (is32) return { itemSchema: itemOf(item) };
  const key = `${owner} ${each === "event" ? "Event" : "Line"}`.replaceAll(/\W/g, "");
  return { schema: { type: "string", description }, "x-itemSchema": itemOf(components.named(item, key, owner)) };
}

function eventOf(data: JsonSchema): Record<string, unknown> {
  return {
    type: "object",
    properties: { data: { type: "string", contentMediaType: "application/json", contentSchema: data } },
    required: ["data"],
  };
}

function documentedForm({ members }: Form, { components, owner }: ContentContext): Record<string, unknown> {
  const named = [...members];
  const properties = named.map(([name, member]) => {
    if (member.schema !== null) return [name, components.describe(member.schema, "input", `${owner} ${name}`)];
    const { maxFiles } = member;
    return [name, maxFiles === null ? binary : { type: "array", items: binary, maxItems: maxFiles }];
  });
  const types = named.flatMap(([name, { schema, ...file }]) => {
    if (schema === null) return "types" in file && file.types ? [[name, { contentType: file.types.join(", ") }]] : [];
    return [[name, components.encodingOf(schema, `${owner} ${name}`)]].filter(([, encoding]) => encoding !== null);
  });
  const required = named.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties) as object,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    // OpenAPI §4.15: the types that a part may have, and lists.
    ...(types.length === 0 ? {} : { encoding: Object.fromEntries(types) as object }),
  };
}

function sentForm({ members }: Form, typeOf: (schema: StandardSchema) => string): string {
  const each = [...members].map(([name, member]) => {
    const file = member.schema === null && (member.maxFiles === null ? "Blob" : "readonly Blob[]");
    const type = file || typeOf(member.schema!);
    return `readonly ${keyOf(name)}${member.isRequired ? "" : "?"}: ${type}${member.isRequired ? "" : orUndefined};`;
  });
  return `{ ${each.join(" ")} }`;
}
