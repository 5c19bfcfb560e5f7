import { otherOf } from "./answer-branch.ts";
import { LaterShapes } from "./later-shapes.ts";
import {
  anything,
  branchesOf,
  discriminated,
  isDecided,
  isPrimitive,
  nothing,
  objectOf,
  shapesIn,
  unionOf,
  unknownShape,
  type AnswerMember,
  type AnswerShape,
  type ListShape,
  type NameTest,
  type ObjectShape,
  type ShapeOf,
} from "./answer-shape.ts";
import { expressionOf, keywordOf, schemaAt, type JsonSchema } from "../shape/json-schema.ts";
import { constantsOf, type ListKind, type ObjectKind, type SchemaKind, type SchemaNode } from "../shape/schema-node.ts";

/** The shape of answers that a JSON Schema shows, and whether the schema says more. */
export interface AnswerShapes {
  readonly root: AnswerShape;
  /** Whether what is shown decides less than the schema: an answer has to be validated first. */
  readonly isPartial: boolean;
}

/**
 * Reads the shape of answers from a JSON Schema. Schemas that hold themselves are shapes that do.
 * @param isCut whether the library itself leaves out what no branch names. Where one branch may be anything, only the
 * library knows of which branch a value is.
 */
export function answerShapesOf(root: JsonSchema, isCut = false): AnswerShapes {
  const reading = new Reading(root);
  const shape = reading.whole();
  let { isPartial } = reading;
  // What is inside first: a branch that may be anything may be a union itself.
  for (const inner of [...shapesIn(shape)].toReversed()) {
    if (inner.kind === "any") isPartial ||= inner.of.isUnknown;
    if (inner.kind !== "union") continue;
    const union = discriminated(inner.of.branches);
    Object.assign(inner, { of: union });
    isPartial ||= !isDecided(union);
    if (isCut && branchesOf("any", union.branches).length > 0) Object.assign(inner, anything);
  }
  return { root: shape, isPartial };
}

class Reading extends LaterShapes {
  /** Something is said that is not a shape's to decide. */
  isPartial = false;

  protected override read({ schema, kinds, unions, parts, conditional, isNullable }: SchemaNode): AnswerShape {
    if (keywordOf(schema, "$dynamicRef") !== undefined) this.isPartial = true;
    let shape = unionOf(kinds.map((kind) => this.#ofKind(kind)));
    for (const schemas of unions) {
      const branches = this.made(schemas);
      if (branches.length > 0) shape = this.join(shape, unionOf(branches));
    }
    for (const part of this.made(parts)) shape = this.join(shape, part);
    if (conditional.length > 0) shape = this.#onCondition(shape, this.made(conditional));
    return isNullable ? unionOf([shape, { kind: "null", of: null }]) : shape;
  }

  #ofKind(kind: SchemaKind): AnswerShape {
    switch (kind.kind) {
      case "any":
        return kind.isUnknown ? unknownShape : anything;
      case "foreign":
        return unknownShape;
      case "constant":
        return this.#constant(kind.values);
      case "list":
        return this.#list(kind);
      case "object":
        return this.#object(kind);
      default:
        return { kind: kind.kind, of: null };
    }
  }

  /** A constant that is a list or an object is only for the schema to compare. */
  #constant(values: readonly unknown[]): AnswerShape {
    if (values.every((value) => typeof value !== "object" || value === null)) {
      return { kind: "constant", of: new Set(values) };
    }
    this.isPartial = true;
    return anything;
  }

  #list(list: ListKind): AnswerShape {
    const first = list.first.map((item) => this.of(item));
    // Valibot drops further items, and does not show that.
    const isOpen = first.length > 0 && list.rest === undefined;
    return { kind: "list", of: { first, items: isOpen ? unknownShape : this.of(list.rest) } };
  }

  #object(object: ObjectKind): AnswerShape {
    const required = new Set(object.required);
    const patterns: [NameTest, AnswerShape][] = object.patterns.map(([pattern, member]) => [
      expressionOf(pattern),
      this.of(member),
    ]);
    const more = object.others;
    const isFree = more === undefined && patterns.length === 0 && !object.isNamed;
    let others = more === undefined || more === false ? (isFree ? anything : null) : this.of(more);
    const names = schemaAt(object.names, this.root);
    // The schema refuses other names. A check that lets them pass does not get them written.
    this.isPartial ||= Object.values(names).some((value) => value !== "string");
    const test = nameTestOf(names);
    if (test !== null && others !== null) {
      patterns.push([test, others]);
      others = null;
    }
    const members = object.members.map(([name, member]) => ({
      name,
      shape: this.of(member),
      isRequired: required.delete(name),
    }));
    for (const name of required) {
      members.push({ name, shape: otherOf({ others, patterns, joined: null }, name) ?? anything, isRequired: true });
    }
    return { kind: "object", of: { ...objectOf(members, others, patterns), isFree: isFree && others !== null } };
  }

  protected override join(one: AnswerShape, other: AnswerShape): AnswerShape {
    if (one === other) return one;
    // A schema shows nothing by itself beside the parts and branches that it joins.
    if (one.kind === "any") return other;
    if (other.kind === "any") return one;
    if (one.kind === "union") return unionOf(one.of.branches.map((branch) => this.join(branch, other)));
    if (other.kind === "union") return unionOf(other.of.branches.map((branch) => this.join(one, branch)));
    if (one.kind === "object" && other.kind === "object")
      return { kind: "object", of: this.#bothObjects(one.of, other.of) };
    if (one.kind === "list" && other.kind === "list") return { kind: "list", of: this.#bothLists(one.of, other.of) };
    if (one.kind === "constant") return constantsIn(one, other);
    if (other.kind === "constant") return constantsIn(other, one);
    if (one.kind === other.kind || (one.kind === "integer" && other.kind === "number")) return one;
    return one.kind === "number" && other.kind === "integer" ? other : nothing;
  }

  /** With the members, too, that are there on a condition. */
  #onCondition(shape: AnswerShape, conditional: readonly AnswerShape[]): AnswerShape {
    this.isPartial = true;
    const base =
      shape.kind === "any"
        ? { ...objectOf([], anything, []), isFree: true }
        : shape.kind === "object"
          ? shape.of
          : null;
    const objects = branchesOf("object", conditional).map(({ of }) => of);
    if (base === null || objects.length === 0) return shape;
    const named = new Map<string, AnswerShape[]>();
    for (const { name, shape: member } of objects.flatMap(({ members }) => members)) {
      if (!base.byName.has(name)) named.set(name, [...(named.get(name) ?? []), member]);
    }
    const members = [...named].map(([name, shapes]) => {
      const member = this.later(() => unionOf(shapes.map((one) => this.now(one))));
      return { name, shape: member, isRequired: false };
    });
    const more = objectOf(
      members,
      null,
      objects.flatMap(({ patterns }) => patterns),
    );
    return { kind: "object", of: { ...this.#bothObjects(base, more), isLoose: true } };
  }

  #bothLists(one: ListShape, other: ListShape): ListShape {
    const length = Math.max(one.first.length, other.first.length);
    const first = Array.from({ length }, (_, at) =>
      this.both(one.first[at] ?? one.items, other.first[at] ?? other.items),
    );
    return { first, items: this.both(one.items, other.items) };
  }

  #bothObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
    const members = one.members.map((member): AnswerMember => {
      const same = other.byName.get(member.name);
      if (same === undefined) return member;
      const isRequired = member.isRequired || same.isRequired;
      return { name: member.name, shape: this.both(member.shape, same.shape), isRequired };
    });
    members.push(...other.members.filter(({ name }) => !one.byName.has(name)));
    const others = one.isFree ? other.others : other.isFree ? one.others : (one.others ?? other.others);
    const object = objectOf(members, others, [...one.patterns, ...other.patterns]);
    return { ...object, isFree: one.isFree && other.isFree, isLoose: one.isLoose || other.isLoose };
  }
}

function constantsIn({ of }: ShapeOf<"constant">, filter: AnswerShape): AnswerShape {
  const constants = [...of].filter((value) => isPrimitive(filter, value));
  return constants.length === 0 ? nothing : { kind: "constant", of: new Set(constants) };
}

/** Tests names by constants, or by a pattern. Null if there are neither. */
function nameTestOf(names: JsonSchema): NameTest | null {
  const constants = constantsOf(names);
  if (constants !== null) return { test: (name) => constants.includes(name) };
  const pattern = keywordOf(names, "pattern");
  return typeof pattern === "string" ? expressionOf(pattern) : null;
}
