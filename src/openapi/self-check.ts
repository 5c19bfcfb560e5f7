import { decodedFragment, pathOf } from "../json-schema/value/json-pointer.ts";
import { isJsonSchema, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";

/**
 * Refuses a document that is not whole: a reference leads nowhere, an operation is not there, or a schema says nothing.
 * @param expected how many operations the application has, of those that a document has a place for.
 * @throws {TypeError} which names the place. This package is at fault then, not a declaration.
 */
export function checkWhole(document: OpenAPIDocument, expected: number): OpenAPIDocument {
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
  const fault =
    operations === expected ? faultIn(document, document as never, "#") : `${operations} of ${expected} operations`;
  if (fault === null) return document;
  throw new TypeError(`Cannot describe the application: the document would have ${fault}; report it to fingerpost`);
}

function faultIn(value: unknown, root: JsonSchema, place: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { $ref: reference } = value as { readonly $ref?: unknown };
  if (typeof reference === "string" && reference.startsWith("#") && leadsNowhere(reference, root))
    return `the reference ${reference} at ${place}, which leads nowhere`;
  for (const [name, member] of Object.entries(value)) {
    if (ofValues.has(name) && !place.endsWith("/properties")) continue;
    const inside = `${place}/${name}`;
    if (isSchemaPlace.test(inside) && isJsonSchema(member) && Object.keys(member).length === 0)
      return `a schema at ${inside} that says nothing`;
    const fault = faultIn(member, root, inside);
    if (fault !== null) return fault;
  }
  return null;
}

function leadsNowhere(reference: string, root: JsonSchema): boolean {
  let at: unknown = root;
  for (const name of pathOf(decodedFragment(reference.slice(1)))) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return true;
    at = (at as JsonSchema)[name];
  }
  return false;
}

/** What these hold is no schema. */
const ofValues: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example", "x-sunset"]);

const isSchemaPlace = /\/(?:schema|items|(?:schemas|properties|anyOf|oneOf|allOf|prefixItems)\/[^/]+)$/;
