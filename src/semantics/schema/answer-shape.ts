/**
 * The constraints that an answer's JSON Schema puts on a value: its type and, for objects, its members. The schema
 * itself checks limits and patterns.
 */
export interface AnswerShape {
  readonly kind:
    | "any"
    | "string"
    | "number"
    | "integer"
    | "boolean"
    | "null"
    | "constant"
    | "list"
    | "object"
    | "union"
    | "nothing";
  /** For a constant: the values that it may have, all of them primitive. */
  readonly constants: ReadonlySet<unknown>;
  /** For a list: the items with a schema for their position. */
  readonly first: readonly AnswerShape[];
  /** For a list: all other items. */
  readonly items: AnswerShape;
  /** For an object: the members that are named. */
  readonly members: readonly AnswerMember[];
  readonly byName: ReadonlyMap<string, AnswerMember>;
  readonly requiredCount: number;
  /** For an object: the members that are not named. Null if they are left out. */
  readonly others: AnswerShape | null;
  /** For an object: the members whose names pass a test. */
  readonly patterns: readonly (readonly [NameTest, AnswerShape])[];
  /** For an object: its members are not restricted. */
  readonly isFree: boolean;
  /**
   * For an object: a member that does not fit is left out. The schema has accepted the object, so it does not mean that
   * member.
   */
  readonly isLoose: boolean;
  /**
   * For any: the schema shows nothing of the value. Libraries describe so what JSON Schema cannot show: a date, a check,
   * the result of a transformation.
   */
  readonly isUnknown: boolean;
  /** For a union. */
  readonly branches: readonly AnswerShape[];
  /** For a union of objects: the member whose constants distinguish them. */
  readonly discriminator: { readonly name: string; readonly byValue: ReadonlyMap<unknown, AnswerShape> } | null;
}

/** An expression, or something else that tests names. */
export type NameTest = Pick<RegExp, "test">;

export interface AnswerMember {
  readonly name: string;
  readonly shape: AnswerShape;
  readonly isRequired: boolean;
}

/**
 * Joins objects of which a validated value is one. Its members are the members that one of them names. Required are the
 * members that all of them require.
 */
export function joinedObject(objects: readonly AnswerShape[]): AnswerShape {
  const names = new Set(objects.flatMap(({ members }) => members.map(({ name }) => name)));
  const members = [...names].map((name): AnswerMember => {
    const named = objects.flatMap(({ byName }) => byName.get(name) ?? []);
    const isRequired = named.length === objects.length && named.every((member) => member.isRequired);
    return { name, shape: joinedShape(named.map((member) => member.shape)), isRequired };
  });
  const others = objects.flatMap((object) => object.others ?? []);
  const patterns = objects.flatMap((object) => object.patterns);
  return { ...objectOf(members, others.length === 0 ? null : joinedShape(others), patterns), isLoose: true };
}

/** Joins lists of which a value may be any. Each item may be an item of any list. */
export function joinedList(lists: readonly AnswerShape[]): AnswerShape {
  return { ...anything, kind: "list", items: joinedShape(lists.flatMap(({ first, items }) => [...first, items])) };
}

function joinedShape(shapes: readonly AnswerShape[]): AnswerShape {
  const union = unionOf(shapes);
  return union.kind === "union" ? { ...union, discriminator: discriminatorOf(union.branches) } : union;
}

/** Returns whether a value that is not an object has the shape. */
export function isPrimitive({ kind, constants }: AnswerShape, value: unknown): boolean {
  switch (kind) {
    case "string":
      return typeof value === "string";
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "constant":
      return constants.has(value);
    default:
      return false;
  }
}

/** Refers to itself for items: a list of unknown items is a list of anything. */
export const anything: AnswerShape = {
  kind: "any",
  constants: new Set(),
  first: [],
  get items() {
    return anything;
  },
  members: [],
  byName: new Map(),
  requiredCount: 0,
  others: null,
  patterns: [],
  isFree: false,
  isLoose: false,
  isUnknown: false,
  branches: [],
  discriminator: null,
};
export const unknownShape: AnswerShape = { ...anything, isUnknown: true };
export const nothing: AnswerShape = { ...anything, kind: "nothing" };
export const nullShape: AnswerShape = { ...anything, kind: "null" };

export function objectOf(
  named: readonly AnswerMember[],
  others: AnswerShape | null,
  patterns: AnswerShape["patterns"],
): AnswerShape {
  // A member of that name cannot be set without setting a prototype. No answer has it.
  const members = named.filter(({ name }) => name !== "__proto__");
  const byName = new Map(members.map((member) => [member.name, member]));
  const requiredCount = members.filter(({ isRequired }) => isRequired).length;
  return { ...anything, kind: "object", members, byName, requiredCount, others, patterns };
}

export function unionOf(shapes: readonly AnswerShape[]): AnswerShape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.branches : [shape]));
  const branches = [...new Set(flat)].filter(({ kind }) => kind !== "nothing");
  if (branches.length === 0) return nothing;
  // Anything, or null, is anything. Objects and lists are kept, for the members that they name.
  const open = branches.filter(({ kind }) => kind === "any");
  if (open.length > 0 && !branches.some(({ kind }) => kind === "object" || kind === "list")) {
    return open.find(({ isUnknown }) => isUnknown) ?? open[0]!;
  }
  return branches.length === 1 ? branches[0]! : { ...anything, kind: "union", branches };
}

/** Returns the first member that all objects of a union require and whose constants differ in each. */
export function discriminatorOf(branches: readonly AnswerShape[]): AnswerShape["discriminator"] {
  const objects = branches.filter(({ kind }) => kind === "object");
  if (objects.length < 2) return null;
  for (const { name } of objects[0]!.members) {
    const byValue = new Map<unknown, AnswerShape>();
    let constants = 0;
    for (const object of objects) {
      const member = object.byName.get(name);
      if (member === undefined || !member.isRequired || member.shape.kind !== "constant") break;
      constants += member.shape.constants.size;
      for (const value of member.shape.constants) byValue.set(value, object);
    }
    if (byValue.size === constants && new Set(byValue.values()).size === objects.length) return { name, byValue };
  }
  return null;
}

/** All shapes that a value may be written by. */
export function shapesIn(root: AnswerShape): ReadonlySet<AnswerShape> {
  const seen = new Set([root]);
  for (const { first, items, members, others, patterns, branches } of seen) {
    for (const shape of [...first, items, ...branches, ...members.map((member) => member.shape)]) seen.add(shape);
    if (others !== null) seen.add(others);
    for (const [, shape] of patterns) seen.add(shape);
  }
  return seen;
}

/** Returns whether a value's type, or a constant, decides by which branch it is written. */
export function isDecided({ branches, discriminator }: AnswerShape): boolean {
  const count = (kind: AnswerShape["kind"]): number => branches.filter((branch) => branch.kind === kind).length;
  return count("any") === 0 && count("list") < 2 && (count("object") < 2 || discriminator !== null);
}
