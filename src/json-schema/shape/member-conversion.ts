import { tokenOf } from "../value/json-pointer.ts";
import { isJsonSchema, type JsonSchema } from "./json-schema.ts";

/** The schemas of which a declaration makes a schema, such as the items of a page. */
export const wrapped = "~wrapped";

type Side = "input" | "output";

/** Converts a schema as a whole; `undefined` if its library throws. */
export type Convert = (schema: object) => JsonSchema | undefined;

/**
 * Converts a schema of zod member by member, where its conversion throws as a whole: a default throws, or an example is
 * a bigint. Such a member is described without what throws, and its neighbors keep their types.
 * @param known what came of each schema before. One inside of itself is described as anything.
 */
export function convertedByMembers(
  schema: object,
  side: Side,
  convert: Convert,
  known: Map<object, JsonSchema | undefined> = new Map(),
): JsonSchema | undefined {
  if (known.has(schema)) return known.get(schema);
  known.set(schema, undefined);
  const converted = describedByMembers(
    schema,
    side,
    (member) => convert(member) ?? convertedByMembers(member, side, convert, known) ?? {},
  );
  known.set(schema, converted);
  return converted;
}

function describedByMembers(
  schema: object,
  side: Side,
  convertMember: (member: object) => JsonSchema,
): JsonSchema | undefined {
  const definition = definitionOf(schema);
  if (definition === undefined) return undefined;
  const { type, shape, innerType, element, catchall } = definition;
  if (isJsonSchema(shape)) {
    const members = Object.entries(shape) as [string, object][];
    const isClosed = catchall !== undefined && definitionOf(catchall)?.type === "never";
    return {
      type: "object",
      properties: Object.fromEntries(
        members.map(([name, member]) => [
          name,
          moved(convertMember(member), `/properties/${encodeURIComponent(tokenOf(name))}`),
        ]),
      ),
      required: members.filter(([, member]) => !isOptional(member, side)).map(([name]) => name),
      ...(isClosed ? { additionalProperties: false } : {}),
    };
  }
  if (element !== undefined) return { type: "array", items: moved(convertMember(element), "/items") };
  if (innerType === undefined) return undefined;
  const inner = convertMember(innerType);
  return type === "nullable" ? { anyOf: [moved(inner, "/anyOf/0"), { type: "null" }] } : inner;
}

/**
 * Moves a schema to a place inside another one: its references lead there.
 * @param isMoved whether a reference leads to what has moved. Default: each does.
 */
export function moved(schema: JsonSchema, place: string, isMoved = (_reference: string): boolean => true): JsonSchema {
  const text = JSON.stringify({ ...schema, $schema: undefined });
  const written = text.replaceAll(/"\$ref":"#((?:[^"\\]|\\.)*)/g, (found, rest: string) =>
    isMoved(`#${rest}`) ? `"$ref":${JSON.stringify(`#${place}`).slice(0, -1)}${rest}` : found,
  );
  return JSON.parse(written) as JsonSchema;
}

interface Definition {
  readonly type?: string;
  readonly shape?: unknown;
  readonly innerType?: object;
  readonly element?: object;
  readonly catchall?: object;
}

function definitionOf(schema: object): Definition | undefined {
  return internalsOf(schema)?.def;
}

function isOptional(schema: object, side: Side): boolean {
  return internalsOf(schema)?.[side === "input" ? "optin" : "optout"] !== undefined;
}

interface Internals {
  readonly def?: Definition;
  readonly optin?: string;
  readonly optout?: string;
}

function internalsOf(schema: object): Internals | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  return (schema as { readonly _zod?: Internals })._zod;
}
