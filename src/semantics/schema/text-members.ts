import {
  expressionOf,
  isJsonSchema,
  keywordOf,
  listOf,
  namedOf,
  schemaAt,
  type JsonSchema,
} from "../../json-schema/json-schema.ts";
import { common, either, TextShapes, unknownShape, type TextShape } from "./text-shape.ts";

/** The members of an object that a JSON Schema names. */
export interface TextMembers {
  readonly shapes: ReadonlyMap<string, TextShape>;
  readonly required: ReadonlySet<string>;
  /** The shapes of names that are like an expression; the first that fits counts. */
  readonly patterns: readonly (readonly [RegExp, TextShape])[];
  /** The shape of all other names. */
  readonly others: TextShape;
}

/** Reads which members a JSON Schema of an object names, in all of its branches, and what their texts may stand for. */
export function membersOf(root: JsonSchema): TextMembers {
  const shapes = new TextShapes(root);
  const known = new Map<JsonSchema, TextMembers>();

  function membersAt(value: unknown): TextMembers {
    const schema = schemaAt(value, root);
    let members = known.get(schema);
    if (members !== undefined) return members;
    // A schema that holds itself adds nothing to itself.
    known.set(schema, none);
    members = ownMembers(schema);
    for (const part of listOf(schema, "allOf")) members = joined(members, membersAt(part), common, union);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = listOf(schema, keyword).map(membersAt);
      if (branches.length === 0) continue;
      const any = branches.reduce((one, other) => joined(one, other, either, intersection));
      members = joined(members, any, common, union);
    }
    for (const keyword of ["then", "else"]) {
      const branch = keywordOf(schema, keyword);
      if (branch !== undefined)
        members = joined(
          members,
          membersAt(branch),
          (own) => own,
          (own) => own,
        );
    }
    known.set(schema, members);
    return members;
  }

  function ownMembers(schema: JsonSchema): TextMembers {
    const required = listOf(schema, "required").filter((name) => typeof name === "string");
    const others = keywordOf(schema, "additionalProperties");
    return {
      shapes: new Map(namedOf(schema, "properties").map(([name, member]) => [name, shapes.shapeOf(member)])),
      required: new Set(required),
      patterns: namedOf(schema, "patternProperties").map(
        ([pattern, member]) => [expressionOf(pattern), shapes.shapeOf(member)] as const,
      ),
      others: isJsonSchema(others) ? shapes.shapeOf(others) : unknownShape,
    };
  }

  return membersAt(root);
}

/** The members that are known without a JSON Schema. */
export const none: TextMembers = { shapes: new Map(), required: new Set(), patterns: [], others: unknownShape };

function joined(
  one: TextMembers,
  other: TextMembers,
  join: (one: TextShape, other: TextShape) => TextShape,
  joinNames: (one: ReadonlySet<string>, other: ReadonlySet<string>) => ReadonlySet<string>,
): TextMembers {
  const shapes = new Map(one.shapes);
  for (const [name, shape] of other.shapes) {
    const known = shapes.get(name);
    shapes.set(name, known === undefined ? shape : join(known, shape));
  }
  return {
    shapes,
    required: joinNames(one.required, other.required),
    patterns: [...one.patterns, ...other.patterns],
    others: join(one.others, other.others),
  };
}

function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other]);
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)));
}
