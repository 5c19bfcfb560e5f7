import { isJsonSchema, keywordOf, type JsonSchema } from "../shape/json-schema.ts";
import { nodeOf, type SchemaKind, type SchemaNode } from "../shape/schema-node.ts";

/** The constraints of a JSON Schema on the values that a text may represent. */
export interface TextShape {
  /** The schema leaves something open: it or one of its branches is empty, or has a type that JSON does not have. */
  readonly isUnknown: boolean;
  readonly isString: boolean;
  readonly number: "number" | "integer" | null;
  readonly isBoolean: boolean;
  readonly isNull: boolean;
  readonly isObject: boolean;
  readonly list: ListShape | null;
  /** Values of `const` and `enum`, unless their whole type is accepted. */
  readonly constants: ReadonlySet<Constant>;
}

/** The shapes of a list's items: items with a schema for their position, and all others. */
interface ListShape {
  readonly first: readonly TextShape[];
  readonly rest: TextShape;
}

export type Constant = string | number | boolean | null;

const nothing: TextShape = {
  isUnknown: false,
  isString: false,
  number: null,
  isBoolean: false,
  isNull: false,
  isObject: false,
  list: null,
  constants: new Set(),
};

export const unknownText: TextShape = shape({ isUnknown: true });

/**
 * Reads the shapes of schemas within one document. Branches of `anyOf` and `oneOf` are added up. Branches of `allOf`
 * and the keywords beside them hold together. Their order never matters.
 */
export class TextShapes {
  readonly #root: JsonSchema;
  readonly #known = new Map<JsonSchema, TextShape>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  shapeOf(value: unknown): TextShape {
    const node = nodeOf(value, this.#root);
    const { schema } = node;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // A text is not a value that contains itself. A cycle back to this schema, while its shape is made, adds no
    // knowledge.
    this.#known.set(schema, unknownText);
    const made = this.#made(node);
    this.#known.set(schema, made);
    return made;
  }

  #made({ schema, kinds, unions, parts, isNullable }: SchemaNode): TextShape {
    const made = [
      kinds.map((kind) => this.#ofKind(kind, schema)).reduce<TextShape>(either, nothing),
      ...unions.map((branches) => branches.map((branch) => this.shapeOf(branch)).reduce(either)),
      ...parts.map((part) => this.shapeOf(part)),
    ].reduce(common);
    return isNullable ? either(made, shape({ isNull: true })) : made;
  }

  #ofKind(kind: SchemaKind, schema: JsonSchema): TextShape {
    switch (kind.kind) {
      case "string":
        // A file is not text. None is left empty in a form.
        return shape({ isString: keywordOf(schema, "format") !== "binary" });
      case "number":
      case "integer":
        return shape({ number: kind.kind });
      case "boolean":
        return shape({ isBoolean: true });
      case "null":
        return shape({ isNull: true });
      case "object":
        return shape({ isObject: true });
      case "list":
        return shape({
          list: { first: kind.first.map((item) => this.shapeOf(item)), rest: this.shapeOf(kind.rest) },
        });
      case "constant":
        return constantShapeOf(kind.values);
      case "nothing":
        return nothing;
      default:
        return unknownText;
    }
  }
}

function shape(members: Partial<TextShape>): TextShape {
  return { ...nothing, ...members };
}

/** Lists and objects among constants count as such, whatever they hold. */
function constantShapeOf(values: readonly unknown[]): TextShape {
  const constants = new Set(values.filter((value) => typeof value !== "object" || value === null) as Constant[]);
  const isObject = values.some((value) => isJsonSchema(value));
  const list = values.some(Array.isArray) ? { first: [], rest: unknownText } : null;
  return shape({ constants, isObject, list });
}

/** Returns the shape of a value that has one shape or the other. */
function either(one: TextShape, other: TextShape): TextShape {
  return {
    isUnknown: one.isUnknown || other.isUnknown,
    isString: one.isString || other.isString,
    number: one.number === "number" || other.number === "number" ? "number" : (one.number ?? other.number),
    isBoolean: one.isBoolean || other.isBoolean,
    isNull: one.isNull || other.isNull,
    isObject: one.isObject || other.isObject,
    list: one.list === null ? other.list : other.list === null ? one.list : joined(one.list, other.list, either),
    constants: new Set([...one.constants, ...other.constants]),
  };
}

/** Returns the shape of a value that has both shapes. A shape without constraints removes nothing. */
function common(one: TextShape, other: TextShape): TextShape {
  if (one.isUnknown && other.isUnknown) return either(one, other);
  if (one.isUnknown) return other;
  if (other.isUnknown) return one;
  return {
    isUnknown: false,
    isString: one.isString && other.isString,
    number: one.number === null || other.number === null ? null : one.number === "integer" ? "integer" : other.number,
    isBoolean: one.isBoolean && other.isBoolean,
    isNull: one.isNull && other.isNull,
    isObject: one.isObject && other.isObject,
    list: one.list === null || other.list === null ? null : joined(one.list, other.list, common),
    constants: new Set([
      ...[...one.constants].filter((value) => takes(other, value)),
      ...[...other.constants].filter((value) => takes(one, value)),
    ]),
  };
}

function joined(one: ListShape, other: ListShape, join: typeof either): ListShape {
  const length = Math.max(one.first.length, other.first.length);
  const first = Array.from({ length }, (_, at) => join(one.first[at] ?? one.rest, other.first[at] ?? other.rest));
  return { first, rest: join(one.rest, other.rest) };
}

function takes({ constants, isString, number, isBoolean, isNull }: TextShape, value: Constant): boolean {
  if (constants.has(value)) return true;
  if (typeof value === "string") return isString;
  if (typeof value === "number") return number === "number" || (number === "integer" && Number.isInteger(value));
  return value === null ? isNull : isBoolean;
}
