import { isDate, isPromise } from "../../http/javascript/any-realm.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { isJsonSchema, type JsonSchema } from "../shape/json-schema.ts";
import { pathOf } from "../value/json-pointer.ts";
import { withBranches, type CheckIssue } from "./check-branches.ts";
import type { StandardIssue, StandardSchema, StandardResult } from "../shape/standard-schema.ts";

/**
 * Checks whether a value fits a JSON Schema. Returns true or false, or a list of issues, where an empty list means that
 * it fits. A function that Ajv compiled is one; it leaves its list in `errors`.
 */
export interface SchemaCheck {
  (value: unknown): CheckResult | Promise<CheckResult>;
  errors?: readonly CheckIssue[] | null | undefined;
}

type CheckResult = boolean | Iterable<CheckIssue>;

/**
 * Makes a Standard Schema from a JSON Schema and a function that checks values, such as a function that Ajv compiled or
 * that calls TypeBox.
 *
 * `check` gets a deep copy, and validation returns that copy. So the result has the defaults that Ajv fills in, and the
 * original value stays as it was. Instances of classes become plain objects with their readable members. Files stay as
 * they are.
 *
 * @throws {TypeError} when `schema` is not an object, or `check` not a function.
 *
 * @example
 * ```ts
 * const isbn = jsonSchema<string>({ type: "string" }, (value) => typeof value === "string" && /^\d{13}$/.test(value));
 *
 * class Lookup extends Resource {
 *   paths = ["/lookup"] as const;
 *
 *   static POST = { content: isbn, 204: "The ISBN is valid" };
 *   POST({ content }: Call<typeof Lookup, "POST">) {
 *     console.log(content.length);
 *     return reply(204);
 *   }
 * }
 * ```
 */
export function jsonSchema<T>(schema: object, check: SchemaCheck): StandardSchema<T, T> {
  if (!isJsonSchema(schema)) throw new TypeError(`Cannot make a schema: expected a JSON Schema, got ${kindOf(schema)}`);
  if (typeof check !== "function") {
    throw new TypeError(
      `Cannot make a schema: expected a function that checks values, got ${kindOf(check)}; write jsonSchema(schema, ` +
        "ajv.compile(schema))",
    );
  }
  const ofEitherSide = (): JsonSchema => schema;
  return {
    "~standard": {
      version: 1,
      vendor: "fingerpost",
      jsonSchema: { input: ofEitherSide, output: ofEitherSide },
      validate(value) {
        const copy = copyOf(value, 0) as T;
        const result = check(copy);
        if (isPromise(result)) return result.then((settled) => validationOf(copy, settled, check.errors, schema));
        return validationOf(copy, result, check.errors, schema);
      },
    },
  };
}

function validationOf<T>(
  value: T,
  result: CheckResult,
  errors: SchemaCheck["errors"],
  schema: JsonSchema,
): StandardResult<T> {
  if (result === true) return { value };
  const issues = withBranches(result === false ? (errors ?? []) : result, schema).map(issueOf);
  if (issues.length > 0) return { issues };
  return result === false ? { issues: [{ message: "Does not fit the schema" }] } : { value };
}

/** Makes an issue with the keyword that was not met, and with the keyword's requirement. */
function issueOf({
  message = "Does not fit the schema",
  path,
  instancePath,
  keyword,
  params,
  schema,
  errors = [],
}: CheckIssue): StandardIssue {
  const own = path ?? instancePath ?? "";
  const place = typeof own === "string" ? pathOf(own) : own;
  const member = memberOf(keyword, params);
  return {
    message,
    path: member === undefined ? place : [...place, member],
    ...(keyword === undefined ? {} : { code: keyword, params }),
    ...(isJsonSchema(schema) && Object.hasOwn(schema, "const") ? { isOfConstant: true } : {}),
    ...(errors.length === 0 ? {} : { errors: errors.map((branch) => Array.from(branch, issueOf)) }),
  } as StandardIssue;
}

/**
 * Returns the member that an issue is about. Ajv names the object that lacks a member, or has one too many. Others name
 * the member, and so do we.
 */
function memberOf(keyword: string | undefined, params: object = {}): string | undefined {
  const members = params as Record<string, unknown>;
  const member = members[keyword === undefined ? "" : (membersIn.get(keyword) ?? "")];
  return typeof member === "string" ? member : undefined;
}

/** By keyword, the parameter of Ajv that names a member. */
const membersIn: ReadonlyMap<string, string> = new Map([
  ["required", "missingProperty"],
  ["additionalProperties", "additionalProperty"],
  ["discriminator", "tag"],
]);

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) {
    throw new TypeError(
      `Cannot check a value by its JSON Schema: it is nested more than ${deepest} times, or holds itself`,
    );
  }
  if (Array.isArray(value)) return value.map((item) => copyOf(item, depth + 1));
  if (isDate(value)) return new Date(value);
  // A file, a map or bytes hold content that no property shows.
  if (Object.prototype.toString.call(value) !== "[object Object]") return value;
  const isOfObject = isPlainObject(value) && Object.getPrototypeOf(value) !== null;
  const copy: object = isOfObject ? {} : Object.create(null);
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(value)) define(copy, name, copyOf(members[name], depth + 1), true);
  if (!isPlainObject(value)) {
    for (const name of accessorsOf(value)) {
      if (!Object.hasOwn(copy, name)) define(copy, name, copyOf(members[name], depth + 1), false);
    }
  }
  return copy;
}

const deepest = 1_000;

/** Defines a member instead of an assignment, which would turn a member named `__proto__` into a prototype. */
function define(object: object, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, name, { value, enumerable, writable: true, configurable: true });
}

/** Returns the getters of an object's classes: they read private fields, which a copy of the object does not have. */
function accessorsOf(value: object): string[] {
  const names: string[] = [];
  let at = Object.getPrototypeOf(value) as object | null;
  // What has no prototype is `Object.prototype`, of whichever realm.
  for (let above; at !== null && (above = Object.getPrototypeOf(at) as object | null) !== null; at = above) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get !== undefined) names.push(name);
  }
  return names;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
}
