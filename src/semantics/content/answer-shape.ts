/** What an answer's JSON Schema says of a value: its type and, of objects, its members. Limits and patterns are the schema's. */
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
  /** Of a constant: the values that it may have, all of them primitive. */
  readonly constants: ReadonlySet<unknown>;
  /** Of a list: the items at a place of their own. */
  readonly first: readonly AnswerShape[];
  /** Of a list: all other items. */
  readonly items: AnswerShape;
  /** Of an object: the members that are named. */
  readonly members: readonly AnswerMember[];
  readonly byName: ReadonlyMap<string, AnswerMember>;
  readonly requiredCount: number;
  /** Of an object: the members that are not named; null where they are left out. */
  readonly others: AnswerShape | null;
  readonly patterns: readonly (readonly [RegExp, AnswerShape])[];
  /** Of an object: nothing is said of which members it has. */
  readonly isFree: boolean;
  /** Of an object: a member that does not fit is one that the schema, which took the object, does not mean; it is left out. */
  readonly isLoose: boolean;
  /** Of a union. */
  readonly branches: readonly AnswerShape[];
  /** Of a union of objects: the member by whose constants they are told apart. */
  readonly discriminator: { readonly name: string; readonly byValue: ReadonlyMap<unknown, AnswerShape> } | null;
}

export interface AnswerMember {
  readonly name: string;
  readonly shape: AnswerShape;
  readonly isRequired: boolean;
}

/**
 * Joins objects of which a validated value is one: its members are those that one of them names, and required is what all of
 * them require.
 */
export function joinedObject(objects: readonly AnswerShape[]): AnswerShape {
  const names = new Set(objects.flatMap(({ members }) => members.map(({ name }) => name)));
  const members = [...names].map((name): AnswerMember => {
    const named = objects.flatMap(({ byName }) => byName.get(name) ?? []);
    const isRequired = named.length === objects.length && named.every((member) => member.isRequired);
    return { name, shape: unionOf(named.map((member) => member.shape)), isRequired };
  });
  const others = objects.flatMap((object) => object.others ?? []);
  const patterns = objects.flatMap((object) => object.patterns);
  return { ...objectOf(members, others.length === 0 ? null : joinedShape(others), patterns), isLoose: true };
}

/** Joins lists of which a value may be any: each item may be one of each. */
export function joinedList(lists: readonly AnswerShape[]): AnswerShape {
  return { ...anything, kind: "list", items: joinedShape(lists.flatMap(({ first, items }) => [...first, items])) };
}

function joinedShape(shapes: readonly AnswerShape[]): AnswerShape {
  const union = unionOf(shapes);
  return union.kind === "union" ? { ...union, discriminator: discriminatorOf(union.branches) } : union;
}

/** Whether a value that is not an object has the shape. */
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

/** Needs itself for items: a list of what is not said is a list of anything. */
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
  branches: [],
  discriminator: null,
};
export const nothing: AnswerShape = { ...anything, kind: "nothing" };
export const nullShape: AnswerShape = { ...anything, kind: "null" };

export function objectOf(
  named: readonly AnswerMember[],
  others: AnswerShape | null,
  patterns: AnswerShape["patterns"],
): AnswerShape {
  // A member of that name cannot be set without setting a prototype; no answer has it.
  const members = named.filter(({ name }) => name !== "__proto__");
  const byName = new Map(members.map((member) => [member.name, member]));
  const requiredCount = members.filter(({ isRequired }) => isRequired).length;
  return { ...anything, kind: "object", members, byName, requiredCount, others, patterns };
}

export function unionOf(shapes: readonly AnswerShape[]): AnswerShape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.branches : [shape]));
  const branches = [...new Set(flat)].filter(({ kind }) => kind !== "nothing");
  if (branches.length === 0) return nothing;
  // What may be anything, or null, may be anything; objects and lists are kept, for the members that they name.
  if (branches.some(({ kind }) => kind === "any") && !branches.some(({ kind }) => kind === "object" || kind === "list"))
    return anything;
  return branches.length === 1
    ? branches[0]!
    : { ...anything, kind: "union", branches, discriminator: discriminatorOf(branches) };
}

/** The first member that all objects of a union require and whose constants are different in each. */
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
