import { OfferedTypes } from "../../fields/accept.ts";
import { formatHttpDate } from "../../fields/http-date.ts";
import { unconditionalMethods, type Validators } from "../../fields/preconditions.ts";
import { readValidators } from "../../fields/representation.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import type { Method, Operation } from "../declaration/operation.ts";
import { inputPlanOf, type InputPlan } from "./input-plan.ts";
import { sentTypeOf } from "./media.ts";
import { plainAnswerOf, type PlainAnswer } from "./plain-answer.ts";
import { answersOf, type StatusPlan } from "./status-plan.ts";

/** An operation as the line performs it: everything that `build()` can decide. */
export interface Plan extends InputPlan {
  readonly method: Method;
  /** The name of the class, for messages. */
  readonly name: string;
  /** Asks the resource for its validators: null if there is no representation, `undefined` if it does not say. */
  readonly validatorsOf: (call: object) => Promise<Validators | null | undefined>;
  readonly hasValidator: boolean;
  /** Whether preconditions have an effect: there is a validator, a tag of content, or they are required. */
  readonly weighs: boolean;
  readonly handler: (call: object) => unknown;
  readonly operation: Operation;
  /** Whether the class declares the operation. Without a declaration only the method is checked. */
  readonly isDeclared: boolean;
  /** GET, HEAD and QUERY select a representation (RFC 9110 §13.2.1). */
  readonly isRead: boolean;
  /** Whether preconditions are evaluated for the method at all (RFC 9110 §13.2.1). */
  readonly takesPreconditions: boolean;
  readonly answers: ReadonlyMap<number, StatusPlan>;
  /** The status of a handler that returns nothing: 200 if it is declared, and has no content or stands without 204. */
  readonly emptyStatus: 200 | 204;
  /** The answers without a decision, by status. */
  readonly plainAnswers: ReadonlyMap<number, PlainAnswer>;
  /** The media types that the content of answers below 400 may have, as declared. */
  readonly produces: readonly string[];
  /** The same ones, each as `sentTypeOf()` names it. */
  readonly offered: OfferedTypes;
  /** Fields of all answers below 400. */
  readonly fields: readonly [name: string, value: string][];
}

/** A resource that knows its validators. */
interface Validating {
  validator(call: object): unknown;
}

/** The methods that select a representation (RFC 9110 §13.2.1). */
export const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

/** Makes the plan of an operation. Wrong declarations were refused before. */
export function planOf(
  name: string,
  method: Method,
  resource: object,
  handler: (call: object) => unknown,
  operation: Operation | undefined,
): Plan {
  const declared = operation ?? {};
  const answers = answersOf(declared);
  const takesPreconditions = !unconditionalMethods.has(method);
  const hasValidator = takesPreconditions && propertyOf(resource as Partial<Validating>, "validator") !== undefined;
  const plainAnswers = new Map<number, PlainAnswer>();
  const offered = new Map(
    [...answers.values()]
      .filter(({ status }) => status < 300)
      .flatMap(({ media }) => media.map((one) => [one.type, sentTypeOf(one)])),
  );
  const plan: Plan = {
    method,
    name,
    validatorsOf: async (call) => readValidators(await (resource as Validating).validator(call), name),
    hasValidator,
    weighs: hasValidator || declared.etag !== undefined || declared.conditional !== undefined,
    handler: (call) => handler.call(resource, call),
    operation: declared,
    isDeclared: operation !== undefined,
    isRead: reads.has(method),
    takesPreconditions,
    ...inputPlanOf(declared),
    answers,
    emptyStatus: !answers.has(200) || (answers.has(204) && answers.get(200)!.media.length > 0) ? 204 : 200,
    plainAnswers,
    produces: [...offered.keys()],
    offered: new OfferedTypes([...offered.values()]),
    fields: fieldsOf(declared, offered.size),
  };
  for (const [status, answer] of answers) {
    const plain = plainAnswerOf(plan, answer);
    if (plain !== null) plainAnswers.set(status, plain);
  }
  return plan;
}

/**
 * `Cache-Control` (RFC 9111 §5.2), `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the `Link` to a page about it, and `Vary` where
 * there are several media types to choose from.
 */
function fieldsOf({ cache, deprecated }: Operation, mediaTypes: number): [string, string][] {
  const fields: [string, string][] = [];
  if (cache !== undefined) fields.push(["cache-control", cache]);
  if (deprecated !== undefined && typeof deprecated === "object") {
    fields.push(["deprecation", `@${Math.floor(Date.parse(deprecated.since) / 1000)}`]);
    if (deprecated.sunset !== undefined) fields.push(["sunset", formatHttpDate(new Date(deprecated.sunset))]);
    if (deprecated.link !== undefined) fields.push(["link", `<${deprecated.link}>; rel="deprecation"`]);
  }
  if (mediaTypes > 1) fields.push(["vary", "Accept"]);
  return fields;
}
