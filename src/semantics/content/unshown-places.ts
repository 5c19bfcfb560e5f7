import { keywordOf, listOf, namedOf, schemaAt, type JsonSchema } from "./json-schema.ts";
import { TextShapes } from "./text-shape.ts";

/** The way to a value inside another: names of members, and positions in lists. */
export type Place = readonly (string | number)[];

/** Returns the places of a schema at which its JSON Schema leaves something open, as it does for a date. */
export function unshownPlacesIn(root: JsonSchema | undefined): readonly Place[] {
  const places: Place[] = [];
  if (root === undefined) return places;
  const shapes = new TextShapes(root);
  const seen = new Set<JsonSchema>();

  function search(value: unknown, place: Place): void {
    const schema = schemaAt(value, root!);
    if (shapes.shapeOf(schema).isUnknown) places.push(place);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const [name, member] of namedOf(schema, "properties")) search(member, [...place, name]);
    const first = listOf(schema, "prefixItems");
    for (const [at, item] of first.entries()) search(item, [...place, at]);
    const items = keywordOf(schema, "items");
    const others = keywordOf(schema, "additionalProperties");
    if (typeof items === "object") search(items, [...place, first.length]);
    if (typeof others === "object") search(others, [...place, anyName]);
    for (const branch of ["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(schema, keyword))) {
      // The open branch of a union was found above.
      if (!shapes.shapeOf(branch).isUnknown) search(branch, place);
    }
  }

  search(root, []);
  return places;
}

/** Stands for the names that a schema does not declare. */
const anyName = "*";
