import { expressionOf, type JsonSchema } from "../shape/json-schema.ts";
import { schemaMembersOf } from "../shape/schema-members.ts";
import { TextShapes, unknownText, type TextShape } from "./text-shape.ts";

/** The members of an object that a JSON Schema names, and what their texts may represent. */
export interface TextMembers {
  readonly shapes: ReadonlyMap<string, TextShape>;
  readonly required: ReadonlySet<string>;
  /** The shapes of names that are like an expression; the first that fits counts. */
  readonly patterns: readonly (readonly [RegExp, TextShape])[];
  /** The shape of all other names. */
  readonly others: TextShape;
}

/** Reads the shapes of the members of an object. */
export function textMembersOf(root: JsonSchema): TextMembers {
  const { named, required, patterns, others } = schemaMembersOf(root, root);
  const shapes = new TextShapes(root);
  return {
    shapes: new Map([...named].map(([name, member]) => [name, shapes.shapeOf(member)])),
    required,
    patterns: patterns.map(([pattern, member]) => [expressionOf(pattern), shapes.shapeOf(member)]),
    others: others === undefined ? unknownText : shapes.shapeOf(others),
  };
}

export const none: TextMembers = { shapes: new Map(), required: new Set(), patterns: [], others: unknownText };
