import { isJsonSchema, listOf, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { nodeOf } from "../json-schema/shape/schema-node.ts";

/**
 * Makes a value that shows the shape of a schema: its default or an example where there is one. It need not fit: what a
 * pattern matches is not made up.
 */
export function sampleOf(value: unknown, root: JsonSchema, depth: number = 0): unknown {
  const { schema, kinds, unions, parts } = nodeOf(value, root);
  const [kind] = kinds;
  const constant = kind?.kind === "constant" ? kind.values[0] : undefined;
  for (const known of [schema["const"], schema["default"], listOf(schema, "examples")[0], constant]) {
    if (known !== undefined) return known;
  }
  if (depth > deepest) return null;
  const inside = (one: unknown): unknown => sampleOf(one, root, depth + 1);
  const [branch] = unions.flat();
  if (branch !== undefined) return inside(branch);
  const samples = parts.map(inside);
  if (samples.length > 0 && samples.every(isJsonSchema)) return Object.assign({}, ...samples) as unknown;
  switch (kind?.kind) {
    case "list":
      return depth === deepest ? [] : kind.first.length > 0 ? kind.first.map(inside) : [inside(kind.rest)];
    case "object": {
      const members = kind.members.filter(([name]) => kind.required.has(name));
      return Object.fromEntries(members.map(([name, member]) => [name, inside(member)]));
    }
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return texts.get(schema["format"]) ?? "text";
  }
}

/** The number nearest to 0 on a bound, or one beside a bound that does not count. */
function numberOf(schema: JsonSchema): number {
  const least = Math.max(Number(schema["minimum"] ?? 0), Number(schema["exclusiveMinimum"] ?? -1) + 1);
  return Math.max(0, least);
}

/** A text of each format that says how it is written. */
const texts: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    "date-time": "2027-01-31T12:00:00Z",
    date: "2027-01-31",
    time: "12:00:00Z",
    duration: "P1D",
    email: "ada@example.com",
    hostname: "example.com",
    ipv4: "192.0.2.1",
    ipv6: "2001:db8::1",
    uri: "https://example.com/",
    "uri-reference": "/path",
    uuid: "2c5ea4c0-4067-41fe-8bad-9b1deb4d3b7d",
  }),
);

const deepest = 5;
