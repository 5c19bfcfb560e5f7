import { isDate } from "../../http/javascript/any-realm.ts";
import { anyOf, branchOf, hasToJson, isSomething, memberOf, otherOf } from "./answer-branch.ts";
import { isUnwritable } from "./json-value.ts";
import {
  anything,
  isPrimitive,
  objectOf,
  type AnswerShape,
  type ListShape,
  type ObjectShape,
  type UnionShape,
} from "./answer-shape.ts";
import { pointerOf } from "../value/json-pointer.ts";

/** Where an answer does not fit, and what is expected there; the answer itself is not in it. */
export interface AnswerFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Makes a copy of an answer that has what its shape names, and collects what does not fit. */
export class Fitting {
  readonly faults: AnswerFault[] = [];
  readonly #path: (string | number)[] = [];

  fit(shape: AnswerShape, given: unknown, key: string | number = ""): unknown {
    if (this.#path.length > deepest)
      return this.#add("Expected a value that ends, got one that holds itself, or is nested too deep");
    const value = jsonOf(given, key);
    // An invalid date is null in JSON.
    if (value === null && isDate(given)) return this.#add("Expected a valid date");
    switch (shape.kind) {
      case "any":
        return this.#fitAny(value);
      case "object":
        if (typeof value !== "object" || value === null || Array.isArray(value)) return this.#fault("an object", value);
        // A schema may name what a file or an error has.
        if (isUnwritable(value) && !shape.of.members.some(({ name }) => isSomething(memberOf(value, name))))
          return this.#add(unwritable);
        return this.#fitObject(shape.of, value);
      case "list":
        return Array.isArray(value) ? this.#fitList(shape.of, value) : this.#fault("a list", value);
      case "union": {
        const union = shape.of;
        const branch = branchOf(union, value);
        return branch === null ? this.#noBranch(union, value) : this.#fitBranch(union, branch, value, key);
      }
      default:
        return isPrimitive(shape, value) ? value : this.#fault(expectedOf(shape), value);
    }
  }

  /** Copies a value of which nothing is known, as JSON writes it. */
  #fitAny(value: unknown): unknown {
    if (!isSomething(value)) return this.#fault("a value", value);
    if (typeof value === "number" && !Number.isFinite(value)) return null;
    if (typeof value === "bigint" || isUnwritable(value)) return this.#add(unwritable);
    if (Array.isArray(value)) return this.#fitList(anyList, value);
    return typeof value === "object" && value !== null ? this.#fitObject(anyObject, value) : value;
  }

  #fitObject(shape: ObjectShape, value: object): object {
    const copy: Record<string, unknown> = {};
    for (const member of shape.members) {
      const inner = memberOf(value, member.name);
      if (isSomething(inner)) this.#fitMember(shape, copy, member.name, member.shape, inner);
      else if (member.isRequired) this.#faultAt(member.name, expectedOf(member.shape), undefined);
    }
    if (shape.others !== null || shape.patterns.length > 0 || shape.joined !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const other = shape.byName.has(name) ? null : otherOf(shape, name);
        if (other !== null && isSomething(inner)) this.#fitMember(shape, copy, name, other, inner);
      }
    }
    return copy;
  }

  #fitMember({ isLoose }: ObjectShape, copy: object, name: string, shape: AnswerShape, inner: unknown): void {
    const known = this.faults.length;
    this.#path.push(name);
    const fitted = this.fit(shape, inner, name);
    this.#path.pop();
    if (isLoose && this.faults.length > known) this.faults.length = known;
    else (copy as Record<string, unknown>)[name] = fitted;
  }

  #fitList({ first, items }: ListShape, value: readonly unknown[]): unknown[] {
    return Array.from(value, (item, at) => {
      this.#path.push(at);
      const fitted = this.fit(first[at] ?? items, item, at);
      this.#path.pop();
      return fitted;
    });
  }

  /** A value that does not fit the branch that it is most like may be anything, if there is such a branch. */
  #fitBranch(union: UnionShape, branch: AnswerShape, value: unknown, key: string | number): unknown {
    const known = this.faults.length;
    const fitted = this.fit(branch, value, key);
    const otherwise = this.faults.length > known ? anyOf(union, value) : null;
    if (otherwise === null || otherwise === branch) return fitted;
    this.faults.length = known;
    return this.fit(otherwise, value, key);
  }

  /** The member by which objects are told apart does not fit. */
  #noBranch({ discriminator, branches }: UnionShape, value: unknown): undefined {
    if (discriminator === null || kindOf(value) !== "an object") return this.#fault(expectationOf(branches), value);
    const { name, byValue } = discriminator;
    this.#faultAt(name, constantsOf([...byValue.keys()]), memberOf(value as object, name));
  }

  #faultAt(name: string, expected: string, value: unknown): void {
    this.#path.push(name);
    this.#fault(expected, value);
    this.#path.pop();
  }

  #fault(expected: string, value: unknown): undefined {
    this.#add(`Expected ${expected}, got ${kindOf(value)}`);
  }

  #add(detail: string): void {
    if (this.faults.length < mostFaults) this.faults.push({ pointer: pointerOf(this.#path), detail });
  }
}

/** In levels; JSON content of requests has at most half as many. */
const deepest = 1_000;

/** The most faults that are told. A list of thousands needs no more. */
const mostFaults = 100;

const unwritable = "Expected what JSON can write";

/** An object and a list of which nothing is known. */
const anyObject = objectOf([], anything, []);
const anyList: ListShape = { first: [], items: anything };

function jsonOf(value: unknown, key: string | number): unknown {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "bigint";
  return isObject && hasToJson(value) ? value.toJSON(String(key)) : value;
}

function expectedOf(shape: AnswerShape): string {
  switch (shape.kind) {
    case "any":
      return "a value";
    case "null":
    case "nothing":
      return shape.kind;
    case "boolean":
      return "true or false";
    case "constant":
      return constantsOf([...shape.of]);
    case "union":
      return expectationOf(shape.of.branches);
    default:
      return /^[aio]/.test(shape.kind) ? `an ${shape.kind}` : `a ${shape.kind}`;
  }
}

function expectationOf(branches: readonly AnswerShape[]): string {
  return [...new Set(branches.map(expectedOf))].join(", or ");
}

function constantsOf(constants: readonly unknown[]): string {
  if (constants.length > mostConstants) return "one of the declared values";
  return constants.map((value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value))).join(" or ");
}

const mostConstants = 8;

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number that is not finite";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
