/**
 * The constraints that an answer's JSON Schema puts on a value: its kind, and what the kind is of. The schema itself
 * checks limits and patterns. All have the same two members: the code that writes answers meets objects of one form.
 */
export type AnswerShape =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "nothing"; readonly of: null }
  | { readonly kind: "any"; readonly of: AnyShape }
  /** A constant of several, all of them primitive. */
  | { readonly kind: "constant"; readonly of: ReadonlySet<unknown> }
  | { readonly kind: "list"; readonly of: ListShape }
  | { readonly kind: "object"; readonly of: ObjectShape }
  | { readonly kind: "union"; readonly of: UnionShape };

export type ShapeOf<Kind extends AnswerShape["kind"]> = Extract<AnswerShape, { readonly kind: Kind }>;

interface AnyShape {
  /**
   * The schema shows nothing of the value. Libraries describe so what JSON Schema cannot show: a date, a check, the
   * result of a transformation.
   */
  readonly isUnknown: boolean;
}

/** The items with a schema for their position, and all others. */
export interface ListShape {
  readonly first: readonly AnswerShape[];
  readonly items: AnswerShape;
}

export interface ObjectShape {
  readonly members: readonly AnswerMember[];
  readonly byName: ReadonlyMap<string, AnswerMember>;
  readonly requiredCount: number;
  /** The members that are not named. Null if they are left out. */
  readonly others: AnswerShape | null;
  /** The members whose names pass a test. */
  readonly patterns: readonly (readonly [NameTest, AnswerShape])[];
  /** The two objects of which it is joined: what one of them names is a member. Null if it is not. */
  readonly joined: readonly [ObjectShape, ObjectShape] | null;
  /** Whether members of any name may be there, of any shape. */
  readonly isFree: boolean;
  /** A member that does not fit is left out. The schema has accepted the object, so it does not mean that member. */
  readonly isLoose: boolean;
}

export interface UnionShape {
  readonly branches: readonly AnswerShape[];
  /** The member whose constants tell the objects apart. */
  readonly discriminator: Discriminator | null;
}

interface Discriminator {
  readonly name: string;
  readonly byValue: ReadonlyMap<unknown, ShapeOf<"object">>;
}

/** An expression, or something else that tests names. */
export type NameTest = Pick<RegExp, "test">;

export interface AnswerMember {
  readonly name: string;
  readonly shape: AnswerShape;
  readonly isRequired: boolean;
}

export const anything: AnswerShape = { kind: "any", of: { isUnknown: false } };
export const unknownShape: AnswerShape = { kind: "any", of: { isUnknown: true } };
export const nothing: AnswerShape = { kind: "nothing", of: null };

/** Returns whether a value that is not an object has the shape. */
export function isPrimitive({ kind, of }: AnswerShape, value: unknown): boolean {
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
      return of.has(value);
    default:
      return false;
  }
}

export function objectOf(
  named: readonly AnswerMember[],
  others: AnswerShape | null,
  patterns: ObjectShape["patterns"],
): ObjectShape {
  // A member of that name cannot be set without setting a prototype. No answer has it.
  const members = named.filter(({ name }) => name !== "__proto__");
  const byName = new Map(members.map((member) => [member.name, member]));
  const requiredCount = members.filter(({ isRequired }) => isRequired).length;
  return { members, byName, requiredCount, others, patterns, joined: null, isFree: false, isLoose: false };
}

export function unionOf(shapes: readonly AnswerShape[]): AnswerShape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of.branches : [shape]));
  const branches = [...new Set(flat)].filter(({ kind }) => kind !== "nothing");
  if (branches.length === 0) return nothing;
  // Anything, or null, is anything. Objects and lists are kept, for the members that they name.
  const open = branches.filter(({ kind }) => kind === "any");
  if (open.length > 0 && !branches.some(({ kind }) => kind === "object" || kind === "list")) {
    return open.find(({ of }) => (of as AnyShape).isUnknown) ?? open[0]!;
  }
  return branches.length === 1 ? branches[0]! : { kind: "union", of: { branches, discriminator: null } };
}

/** Makes a union with the member that distinguishes its objects, when all of their members are there. */
export function discriminated(branches: readonly AnswerShape[]): UnionShape {
  return { branches, discriminator: discriminatorOf(branches) };
}

/** Returns the first member that all objects of a union require and whose constants differ in each. */
function discriminatorOf(branches: readonly AnswerShape[]): Discriminator | null {
  const objects = branchesOf("object", branches);
  if (objects.length < 2) return null;
  for (const { name } of objects[0]!.of.members) {
    const byValue = new Map<unknown, ShapeOf<"object">>();
    let constants = 0;
    for (const object of objects) {
      const member = object.of.byName.get(name);
      if (member === undefined || !member.isRequired || member.shape.kind !== "constant") break;
      constants += member.shape.of.size;
      for (const value of member.shape.of) byValue.set(value, object);
    }
    if (byValue.size === constants && new Set(byValue.values()).size === objects.length) return { name, byValue };
  }
  return null;
}

export function branchesOf<Kind extends AnswerShape["kind"]>(
  kind: Kind,
  branches: readonly AnswerShape[],
): ShapeOf<Kind>[] {
  return branches.filter((branch): branch is ShapeOf<Kind> => branch.kind === kind);
}

/** All shapes that a value may be written by. */
export function shapesIn(root: AnswerShape): ReadonlySet<AnswerShape> {
  const seen = new Set([root]);
  for (const shape of seen) for (const inner of innerOf(shape)) seen.add(inner);
  return seen;
}

function innerOf(shape: AnswerShape): readonly AnswerShape[] {
  switch (shape.kind) {
    case "list":
      return [...shape.of.first, shape.of.items];
    case "object": {
      const { members, others, patterns } = shape.of;
      return [...members.map((member) => member.shape), ...patterns.map(([, one]) => one), ...(others ? [others] : [])];
    }
    case "union":
      return shape.of.branches;
    default:
      return [];
  }
}

/** Returns whether a value's type, or a constant, decides by which branch it is written. */
export function isDecided({ branches, discriminator }: UnionShape): boolean {
  const count = (kind: AnswerShape["kind"]): number => branchesOf(kind, branches).length;
  return count("any") === 0 && count("list") < 2 && (count("object") < 2 || discriminator !== null);
}
