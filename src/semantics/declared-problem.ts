import { described } from "../http/javascript/described.ts";
import { after } from "../http/javascript/thenable.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import { keywordOf, listOf, schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { moved, wrapped } from "../json-schema/shape/member-conversion.ts";
import {
  isSchema,
  jsonSchemaOf,
  vendorOf,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "../json-schema/shape/standard-schema.ts";
import { validated } from "../json-schema/shape/validation.ts";
import { markProblem, type ProblemContent, type ProblemType } from "./declaration/problem-content.ts";
import { reply, type Reply, type ReplyHeaders } from "./declaration/reply.ts";

/** Options of `problem()` besides the type. */
export interface ProblemOptions<Status extends number, Members> {
  /** The status code, from 400 to 599. */
  readonly status: Status;
  /** A short summary of the type, for people. */
  readonly title: string;
  /** The schema of an object with the members of your own. Default: there are none. */
  readonly schema?: Members | undefined;
}

/**
 * Declares a type of problems (RFC 9457): an error that clients recognize by `type`, with members of its own.
 *
 * Declare it for its status. Call it for the answer. Clients narrow `content` by `content.type`.
 *
 * @param type the URI reference of the type: an absolute URI, or a path that begins with a slash. Let it lead to a page
 * that explains the problem.
 * @throws {TypeError} when the type or an option is wrong.
 * @example
 * ```ts
 * const outOfCredit = problem("/problems/out-of-credit", {
 *   status: 403,
 *   title: "You do not have enough credit",
 *   schema: z.object({ balance: z.int() }),
 * });
 *
 * class Orders extends Resource {
 *   paths = ["/orders"] as const;
 *
 *   static POST = { content: z.object({ cost: z.int() }), 204: "Ordered", 403: outOfCredit };
 *   POST({ content }: Call<typeof Orders, "POST">): Answer<typeof Orders, "POST"> {
 *     return content.cost > 30 ? outOfCredit({ balance: 30 }) : reply(204);
 *   }
 * }
 * const app = Application.builder().resources(Orders).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 * const { status, content } = await api["/orders"].POST({ content: { cost: 50 } });
 * if (status === 403 && content.type === "/problems/out-of-credit") console.log(content.balance); // 30
 * ```
 */
export function problem<
  const Type extends string,
  const Status extends number,
  Members extends StandardSchema | undefined = undefined,
>(type: Type, options: ProblemOptions<Status, Members>): ProblemType<Type, Status, Members> {
  const check = new OptionCheck("problem", options, ["status", "title", "schema"]);
  const { status, title, schema } = check.options;
  const isError = Number.isInteger(status) && status >= 400 && status <= 599;
  check.require(isError, "status", "a status code from 400 to 599");
  check.require(typeof title === "string" && title !== "", "title", "a short summary of the type");
  check.require(schema === undefined || isSchema(schema), "schema", "the schema of an object");
  if (typeof type !== "string" || !typeReference.test(type)) {
    throw new TypeError(
      'Cannot call problem(): its type must be an absolute URI, or a path such as "/problems/out-of-credit", got ' +
        `${described(type)}`,
    );
  }
  if (schema !== undefined) checkMembers(schema);
  const answer = (members?: object, headers?: ReplyHeaders): Reply =>
    reply(status, { type, title, status, ...members }, headers as {});
  return contentOf(answer, [{ type, status, title, schema }]) as unknown as ProblemType<Type, Status, Members>;
}

/** A type of problems, and the schema of its members. */
interface Rule {
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly schema: StandardSchema | undefined;
}

const rules = new WeakMap<object, readonly Rule[]>();

/** An absolute URI (RFC 3986 §4.3), or a path: RFC 9457 §3.1.1 advises against other references. */
const typeReference = /^(?:[a-z][a-z\d+.-]*:|\/(?!\/))[!-~]*$/i;

/** What all problems have. */
const ownMembers = ["type", "title", "status", "detail", "instance"] as const;

function checkMembers(schema: StandardSchema): void {
  const own = jsonSchemaOf(schema, "output");
  if (own === undefined) return;
  const shown = wholeOf(own);
  const isFlat = shown["type"] === "object" && !JSON.stringify(shown).includes('"$ref":"#"');
  if (!isFlat || ["anyOf", "oneOf", "allOf"].some((keyword) => keyword in shown)) {
    throw new TypeError(
      'Cannot call problem(): its option "schema" must be of an object whose members are known; write z.object({ … })',
    );
  }
  const members = Object(keywordOf(shown, "properties")) as object;
  const named = ownMembers.find((name) => Object.hasOwn(members, name));
  if (named === undefined) return;
  throw new TypeError(`Cannot call problem(): its schema has "${named}", which each problem has; leave it out`);
}

/** Follows the reference to a definition that libraries write for a schema with a name. */
function wholeOf(shown: JsonSchema): JsonSchema {
  const { $ref: _ref, $schema: _schema, $id: _id, ...own } = { ...shown, ...schemaAt(shown, shown) };
  return own;
}

/** Adds what makes a value the declaration of an answer: it is a Standard Schema. */
function contentOf(value: object, types: readonly Rule[]): ProblemContent {
  const schemas = types.flatMap(({ schema }) => schema ?? []);
  const vendors = new Set(schemas.map(vendorOf));
  const [vendor = "fingerpost"] = vendors;
  const shown = (side: "input" | "output", options: ConverterOptions): JsonSchema => {
    const all = types.map((rule) => describedBy(rule, side, options));
    return all.length === 1 ? all[0]! : { anyOf: all.map((one, at) => moved(one, `/anyOf/${at}`)) };
  };
  const { status } = types[0]!;
  const content = Object.assign(value, {
    status,
    [wrapped]: schemas,
    title: types.map(({ title }) => title).join(", or: "),
    // Asked of schemas of ArkType, whether they convert values.
    includesTransform: schemas.some((schema) => (schema as Transforming).includesTransform !== false),
    "~standard": {
      version: 1 as const,
      vendor: vendors.size > 1 ? "several" : vendor,
      validate: (given: unknown) => validatedProblem(given, types),
      jsonSchema: {
        input: (options: ConverterOptions) => shown("input", options),
        output: (options: ConverterOptions) => shown("output", options),
      },
    },
    or(other: ProblemContent): ProblemContent {
      const more = rules.get(Object(other) as object);
      if (more === undefined) {
        throw new TypeError(`Cannot call or(): expected what problem() returns, got ${described(other)}`);
      }
      if (other.status !== status) {
        throw new TypeError(
          `Cannot call or(): the problems have the statuses ${status} and ${other.status}; declare each for its status`,
        );
      }
      const both = more.find(({ type }) => types.some((own) => own.type === type));
      if (both !== undefined) throw new TypeError(`Cannot call or(): both problems have the type "${both.type}"`);
      return contentOf({}, [...types, ...more]);
    },
  });
  rules.set(content, types);
  return Object.freeze(markProblem(content)) as unknown as ProblemContent;
}

interface Transforming {
  readonly includesTransform?: unknown;
}

type ConverterOptions = Parameters<NonNullable<StandardSchema["~standard"]["jsonSchema"]>["input"]>[0];

/** A schema without a JSON Schema may have any members. */
function describedBy(
  { type, status, title, schema }: Rule,
  side: "input" | "output",
  given: ConverterOptions,
): JsonSchema {
  const own = schema === undefined ? noMembers : wholeOf(schema["~standard"].jsonSchema?.[side](given) ?? anyMembers);
  return {
    ...own,
    type: "object",
    properties: {
      type: { type: "string", const: type },
      title: { type: "string", examples: [title] },
      status: { type: "integer", const: status },
      detail: { type: "string" },
      instance: { type: "string", format: "uri-reference" },
      ...(keywordOf(own, "properties") as JsonSchema | undefined),
    },
    required: ["type", ...(side === "output" ? ["title", "status"] : []), ...listOf(own, "required")],
  };
}

const noMembers: JsonSchema = { additionalProperties: false };
const anyMembers: JsonSchema = { additionalProperties: {} };

function validatedProblem(
  value: unknown,
  types: readonly Rule[],
): StandardResult<unknown> | Promise<StandardResult<unknown>> {
  if (!isPlainObject(value)) return { issues: [{ message: "Expected problem details" }] };
  const { type, title, status, detail, instance, ...members } = value as Readonly<Record<string, unknown>>;
  const rule = types.find((one) => one.type === type);
  if (rule === undefined) {
    const expected = types.map((one) => JSON.stringify(one.type)).join(" or ");
    return { issues: [{ message: `Expected ${expected}`, path: ["type"] }] };
  }
  const issues: StandardIssue[] = Object.entries({ title, detail, instance })
    .filter(([, text]) => text !== undefined && typeof text !== "string")
    .map(([name]) => ({ message: "Expected a string", path: [name] }));
  if (status !== undefined && status !== rule.status) {
    issues.push({ message: `Expected ${rule.status}`, path: ["status"] });
  }
  if (issues.length > 0) return { issues };
  const whole = (own: object): StandardResult<unknown> => ({
    value: {
      type,
      title: title ?? rule.title,
      status: rule.status,
      ...(detail === undefined ? {} : { detail }),
      ...(instance === undefined ? {} : { instance }),
      ...own,
    },
  });
  if (rule.schema === undefined) return whole({});
  return after(validated(rule.schema, members), (outcome) =>
    outcome.issues === undefined ? whole(outcome.value as object) : outcome,
  );
}
