import { otherOf } from "./answer-branch.ts";
import { Drafts, type Draft } from "./answer-shape-drafts.ts";
import {
  anything,
  discriminatorOf,
  isDecided,
  isPrimitive,
  nothing,
  nullShape,
  objectOf,
  shapesIn,
  unionOf,
  unknownShape,
  type AnswerMember,
  type AnswerShape,
  type NameTest,
} from "./answer-shape.ts";
import {
  constantsOf,
  everything,
  expressionOf,
  isJsonSchema,
  keywordOf,
  listOf,
  namedOf,
  schemaAt,
  type JsonSchema,
} from "../../json-schema/json-schema.ts";

/** The shape of answers that a JSON Schema shows, and whether the schema says more. */
export interface AnswerShapes {
  readonly root: AnswerShape;
  /** Whether what is shown decides less than the schema: an answer has to be validated first. */
  readonly isPartial: boolean;
}

/** Reads the shape of answers from a JSON Schema. Schemas that hold themselves are shapes that do. */
export function answerShapesOf(root: JsonSchema): AnswerShapes {
  const reading = new Reading(root);
  const shape = reading.whole();
  let { isPartial } = reading;
  for (const inner of shapesIn(shape)) {
    isPartial ||= inner.isUnknown;
    if (inner.kind !== "union") continue;
    (inner as Draft).discriminator = discriminatorOf(inner.branches);
    isPartial ||= !isDecided(inner);
  }
  return { root: shape, isPartial };
}

class Reading extends Drafts {
  /** Something is said that is not a shape's to decide. */
  isPartial = false;

  protected override read(schema: JsonSchema): AnswerShape {
    let shape = this.#own(schema);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = this.made(listOf(schema, keyword));
      if (branches.length > 0) shape = this.join(shape, unionOf(branches));
    }
    for (const part of this.made(listOf(schema, "allOf"))) shape = this.join(shape, part);
    const conditions = conditionsOf(schema);
    if (conditions.length > 0) shape = this.#onCondition(shape, this.made(conditions));
    return keywordOf(schema, "nullable") === true ? unionOf([shape, nullShape]) : shape;
  }

  #own(schema: JsonSchema): AnswerShape {
    if (keywordOf(schema, "$dynamicRef") !== undefined) this.isPartial = true;
    const constants = constantsOf(schema);
    if (constants !== null) return this.#constant(constants);
    const type = keywordOf(schema, "type");
    const types = Array.isArray(type) ? type : type === undefined ? impliedTypes(schema) : [type];
    if (types.length > 0) return unionOf(types.map((name) => this.#typed(name, schema)));
    const not = keywordOf(schema, "not");
    if (isJsonSchema(not) && Object.keys(not).length === 0) return nothing;
    return schema === everything ? anything : unknownShape;
  }

  /** A constant that is a list or an object is only for the schema to compare. */
  #constant(values: readonly unknown[]): AnswerShape {
    if (values.every((value) => typeof value !== "object" || value === null)) {
      return { ...anything, kind: "constant", constants: new Set(values) };
    }
    this.isPartial = true;
    return anything;
  }

  #typed(name: unknown, schema: JsonSchema): AnswerShape {
    switch (name) {
      case "string":
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return { ...anything, kind: name };
      case "array":
        return this.#list(schema);
      case "object":
        return this.#object(schema);
      default:
        // Types that JSON does not have, as TypeBox names some.
        return unknownShape;
    }
  }

  /** Draft-07 has a list under `items` where later drafts have `prefixItems`. */
  #list(schema: JsonSchema): AnswerShape {
    const items = keywordOf(schema, "items");
    const isOld = Array.isArray(items);
    const first = (isOld ? (items as unknown[]) : listOf(schema, "prefixItems")).map((item) => this.of(item));
    const rest = isOld ? keywordOf(schema, "additionalItems") : items;
    // Valibot drops further items, and does not show that.
    const isOpen = first.length > 0 && rest === undefined;
    return { ...anything, kind: "list", first, items: isOpen ? unknownShape : this.of(rest) };
  }

  #object(schema: JsonSchema): AnswerShape {
    const properties = namedOf(schema, "properties");
    const required = new Set(listOf(schema, "required"));
    const patterns: [NameTest, AnswerShape][] = namedOf(schema, "patternProperties").map(([pattern, member]) => [
      expressionOf(pattern),
      this.of(member),
    ]);
    const more = keywordOf(schema, "additionalProperties") ?? keywordOf(schema, "unevaluatedProperties");
    const isFree = more === undefined && patterns.length === 0 && !Object.hasOwn(schema, "properties");
    let others = more === undefined || more === false ? (isFree ? anything : null) : this.of(more);
    const names = schemaAt(keywordOf(schema, "propertyNames"), this.root);
    // The schema refuses other names. A check that lets them pass does not get them written.
    this.isPartial ||= Object.values(names).some((value) => value !== "string");
    const test = nameTestOf(names);
    if (test !== null && others !== null) {
      patterns.push([test, others]);
      others = null;
    }
    const members = properties.map(([name, member]) => ({
      name,
      shape: this.of(member),
      isRequired: required.delete(name),
    }));
    const unnamed = objectOf([], others, patterns);
    for (const name of required) {
      if (typeof name === "string") members.push({ name, shape: otherOf(unnamed, name) ?? anything, isRequired: true });
    }
    return { ...objectOf(members, others, patterns), isFree: isFree && others !== null };
  }

  /** Returns the shape of a value that has both shapes. */
  protected override join(one: AnswerShape, other: AnswerShape): AnswerShape {
    if (one === other) return one;
    // A schema shows nothing by itself beside the parts and branches that it joins.
    if (one.kind === "any") return other;
    if (other.kind === "any") return one;
    if (one.kind === "union") return unionOf(one.branches.map((branch) => this.join(branch, other)));
    if (other.kind === "union") return unionOf(other.branches.map((branch) => this.join(one, branch)));
    if (one.kind === "object" && other.kind === "object") return this.#bothObjects(one, other);
    if (one.kind === "list" && other.kind === "list") return this.#bothLists(one, other);
    if (one.kind === "constant" || other.kind === "constant") {
      const [constant, filter] = one.kind === "constant" ? [one, other] : [other, one];
      const constants = [...constant.constants].filter((value) => isPrimitive(filter, value));
      return constants.length === 0 ? nothing : { ...constant, constants: new Set(constants) };
    }
    if (one.kind === other.kind || (one.kind === "integer" && other.kind === "number")) return one;
    return one.kind === "number" && other.kind === "integer" ? other : nothing;
  }

  /** With the members, too, that are there on a condition. */
  #onCondition(shape: AnswerShape, conditional: readonly AnswerShape[]): AnswerShape {
    this.isPartial = true;
    const base = shape.kind === "any" ? { ...objectOf([], anything, []), isFree: true } : shape;
    const objects = conditional.filter(({ kind }) => kind === "object");
    if (base.kind !== "object" || objects.length === 0) return shape;
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
    return { ...this.#bothObjects(base, more), isLoose: true };
  }

  #bothLists(one: AnswerShape, other: AnswerShape): AnswerShape {
    const length = Math.max(one.first.length, other.first.length);
    const first = Array.from({ length }, (_, at) =>
      this.both(one.first[at] ?? one.items, other.first[at] ?? other.items),
    );
    return { ...one, first, items: this.both(one.items, other.items) };
  }

  #bothObjects(one: AnswerShape, other: AnswerShape): AnswerShape {
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

/** Tests names by constants, or by a pattern. Null if there are neither. */
function nameTestOf(names: JsonSchema): NameTest | null {
  const constants = constantsOf(names);
  if (constants !== null) return { test: (name) => constants.includes(name) };
  const pattern = keywordOf(names, "pattern");
  return typeof pattern === "string" ? expressionOf(pattern) : null;
}

/** A schema that names members without a type means an object, one that has items a list. */
function impliedTypes(schema: JsonSchema): string[] {
  if (
    ["properties", "patternProperties", "additionalProperties", "propertyNames", "required"].some((keyword) =>
      Object.hasOwn(schema, keyword),
    )
  )
    return ["object"];
  return ["items", "prefixItems"].some((keyword) => Object.hasOwn(schema, keyword)) ? ["array"] : [];
}

/** Schemas that hold on a condition, which is not a plan's to decide. */
function conditionsOf(schema: JsonSchema): readonly unknown[] {
  const branches = ["then", "else"].flatMap((keyword) => (Object.hasOwn(schema, keyword) ? [schema[keyword]] : []));
  return [...branches, ...namedOf(schema, "dependentSchemas").map(([, dependent]) => dependent)];
}
