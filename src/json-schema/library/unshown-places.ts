import { schemaAt, type JsonSchema } from "../shape/json-schema.ts";
import { nodeOf, objectIn } from "../shape/schema-node.ts";
import { TextShapes } from "../text/text-shape.ts";

/** A value inside another. */
export interface Place {
  /** The way to it: names of members, and positions in lists. */
  readonly path: readonly (string | number)[];
  /**
   * Makes a value that has another one at this place, and beside it the constants that tell the branches of a union
   * apart.
   */
  readonly around: (value: unknown) => unknown;
}

/** Returns the places of a schema at which its JSON Schema leaves something open, as it does for a date. */
export function unshownPlacesIn(root: JsonSchema | undefined): readonly Place[] {
  const places: Place[] = [];
  if (root === undefined) return places;
  const shapes = new TextShapes(root);
  const seen = new Set<JsonSchema>();

  function search(value: unknown, place: Place): void {
    const node = nodeOf(value, root!);
    const { schema, parts, unions } = node;
    if (shapes.shapeOf(schema).isUnknown) places.push(place);
    if (seen.has(schema)) return;
    seen.add(schema);
    const { path, around } = place;
    const { members = [], others } = objectIn(node) ?? {};
    const constants = Object.fromEntries(
      members.flatMap(([name, member]) => {
        const { const: constant } = schemaAt(member, root!);
        return constant === undefined ? [] : [[name, constant]];
      }),
    );
    const inMember = (name: string): Place => ({
      path: [...path, name],
      around: (inner) => around({ ...constants, [name]: inner }),
    });
    const { first = [], rest } = node.kinds.find((kind) => kind.kind === "list") ?? {};
    const inItem = (at: number): Place => ({
      path: [...path, at],
      around: (inner) => around(Array.from({ length: Math.max(first.length, at + 1) }, () => inner)),
    });
    for (const [name, member] of members) search(member, inMember(name));
    for (const [at, item] of first.entries()) search(item, inItem(at));
    if (typeof rest === "object") search(rest, inItem(first.length));
    if (typeof others === "object") search(others, inMember(anyName));
    for (const branch of [...parts, ...unions.flat()]) {
      // The open branch of a union was found above.
      if (!shapes.shapeOf(branch).isUnknown) search(branch, place);
    }
  }

  search(root, { path: [], around: (value) => value });
  return places;
}

/** Stands for the names that a schema does not declare. */
const anyName = "*";
