import { Middleware } from "../core/middleware.ts";
import { Resource } from "../core/resource.ts";
import { isResponseLike } from "../core/respond.ts";
import type { MiddlewareClass } from "../core/target.ts";
import { formatEntityTag, parseEntityTag } from "../fields/entity-tag.ts";
import { formatHttpDate, parseHttpDate } from "../fields/http-date.ts";
import { trimmed } from "../fields/list.ts";
import { evaluatePreconditions, isRangeCurrent, type Preconditions, type Validators } from "../fields/preconditions.ts";
import { described, nameOf } from "../http/described.ts";
import { given, givenOf } from "../http/given.ts";
import { HTTPError } from "../http/http-error.ts";
import type { Method } from "../http/method.ts";
import { Status } from "../http/status.ts";
import { discard } from "./discard.ts";
import { isOneOfCodings, notModified, tagged } from "./entity-tags.ts";
import { OptionCheck } from "../http/option-check.ts";
import { replacedInput } from "./replaced-input.ts";
import { requestField } from "./request-fields.ts";
import { responseOf, withFields } from "./response-fields.ts";

/** What a resource says of its current representation, in a method `validator(input)`. */
export interface Validator {
  /** As in the field: `"7"` or `W/"7"`, with the quotes. */
  readonly etag?: string;
  /** Sent to the second: what is finer is cut off. */
  readonly lastModified?: Date;
}

/** A resource that knows its validators without making a representation. */
export interface Validating {
  /** Gives `null` when there is nothing now, `undefined` when it cannot say. */
  validator(input: never): Validator | null | undefined | Promise<Validator | null | undefined>;
}

/** What `conditional()` takes. */
export interface ConditionalOptions {
  /** Up to which length content gets an entity tag, computed from all of it: 1 MiB unless given; 0 for none. */
  readonly maxBytes?: number;
  /** The methods that are refused without a precondition, with 428: of POST, PUT, PATCH and DELETE; none unless given. */
  readonly required?: readonly Method[];
}

const changing = ["POST", "PUT", "PATCH", "DELETE"] as const;
// RFC 9110 §13.2.1: these neither select nor modify a representation.
const unconditional: ReadonlySet<string> = new Set(["CONNECT", "OPTIONS", "TRACE"]);

/**
 * Makes middleware for conditional requests (RFC 9110 §13), of the native door.
 *
 * GET and HEAD: the handler runs; its response, if it is 2xx, gets the validators it does not have, and is 304 or 412 if the
 * preconditions say so. Other methods: if the resource has `validator(input)`, preconditions are evaluated before the
 * handler runs, and 412 is thrown; without it they are the handler's.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Note extends Resource {
 *   paths = ["/note"];
 *
 *   validator() {
 *     return { etag: '"7"' };
 *   }
 *
 *   GET() {
 *     return new Response("milk");
 *   }
 * }
 * const app = Application.builder().resources(Note).middleware(conditional()).build();
 * const headers = { "If-None-Match": '"7"' };
 * console.log((await app.fetch(new Request("http://localhost/note", { headers }))).status); // 304
 * ```
 */
export function conditional(options: ConditionalOptions = {}): MiddlewareClass {
  const check = new OptionCheck("conditional", options, ["maxBytes", "required"]);
  const { maxBytes = 1_048_576, required = [] } = check.options;
  check.count("maxBytes", maxBytes);
  const isChanging = (method: unknown): boolean => (changing as readonly unknown[]).includes(method);
  check.list("required", required, isChanging, changing.join(", "));
  const requiring: ReadonlySet<string> = new Set(required);

  return class Conditional extends Middleware {
    async ALL(input: object): Promise<unknown> {
      const { method } = input as { readonly method: Method };
      const resource = this.resourceOf(input) as Resource | null;
      // RFC 9110 §13.2.1: a request that fails without its preconditions fails the same way with them.
      const isPerformed = resource !== null && resource[method] !== Resource.prototype[method];
      if (!isPerformed || unconditional.has(method)) return this.next(input);
      const preconditions = preconditionsOf(input);
      if (method === "GET" || method === "HEAD") {
        const current = await validatorsOf(resource, input);
        const asked = async (other: object): Promise<Response> =>
          withValidators(responseOf(await this.next(other)), current ?? null);
        const ignoresRange = isRangeStale(input, current);
        const isRefusalStale = (answer: unknown): boolean =>
          !ignoresRange && isUnsatisfiable(answer) && isRangeStale(input, current ?? validatorsIn(answer.headers));
        const ranged = await asked(ignoresRange ? withoutRange(input) : input).catch((error: unknown) => {
          if (isRefusalStale(error)) return null;
          throw error;
        });
        const isWholeNeeded =
          ranged === null ||
          isRefusalStale(ranged) ||
          (ranged.status === 206 &&
            (isRangeStale(input, validatorsIn(ranged.headers)) ||
              (isTagOfWholeNeeded(preconditions, ranged) && isTaggable(ranged, maxBytes))));
        const response = isWholeNeeded ? await asked(withoutRange(input, ranged)) : ranged;
        return response.ok ? concluded(method, response, preconditions) : response;
      }
      if (requiring.has(method) || Object.values(preconditions).some((value) => value !== null)) {
        const current = await validatorsOf(resource, input);
        if (requiring.has(method) && !isConditional(preconditions, current)) throw preconditionRequired();
        const isFailed = current !== undefined && evaluatePreconditions(preconditions, false, current) === "failed";
        if (isFailed) throw new HTTPError(Status.PreconditionFailed);
      }
      return this.next(input);
    }
  };

  /** The response to GET or HEAD, as the preconditions have it. */
  async function concluded(method: Method, original: Response, preconditions: Preconditions): Promise<Response> {
    const response = await tagged(original, maxBytes);
    const validators = validatorsIn(response.headers);
    // A tag that GET would compute may be the one that If-Match names: of HEAD nobody can tell.
    const isUnknown =
      method === "HEAD" &&
      validators.etag === null &&
      namesTag(preconditions.ifMatch) &&
      isTaggable(response, maxBytes);
    const known = isUnknown ? { ...preconditions, ifMatch: null, ifUnmodifiedSince: null } : preconditions;
    const verdict = evaluatePreconditions(known, true, validators);
    if (verdict === "perform") return response;
    discard(response);
    if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
    return notModified(response.headers);
  }
}

/** Whether this says that there is nothing in the range, returned or thrown: a range that is to be ignored cannot be wrong. */
function isUnsatisfiable(answer: unknown): answer is Response | HTTPError {
  const isAnswer = answer instanceof HTTPError || isResponseLike(answer);
  return isAnswer && answer.status === Status.RangeNotSatisfiable.status;
}

/** Whether a precondition is about a tag that is computed from the whole, of which a part was given. */
function isTagOfWholeNeeded({ ifMatch, ifNoneMatch }: Preconditions, { headers }: Response): boolean {
  return !headers.has("etag") && (namesTag(ifMatch) || namesTag(ifNoneMatch));
}

/** Whether a tag may be computed of the content of which this response has a part, or nothing. */
function isTaggable({ headers, status }: Response, maxBytes: number): boolean {
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] : headers.get("content-length");
  return maxBytes > 0 && Number(length ?? 0) <= maxBytes;
}

function namesTag(value: string | null): boolean {
  return value !== null && trimmed(value) !== "*";
}

function preconditionsOf(input: object): Preconditions {
  return {
    ifMatch: requestField(input, "if-match"),
    ifNoneMatch: requestField(input, "if-none-match"),
    ifModifiedSince: requestField(input, "if-modified-since"),
    ifUnmodifiedSince: requestField(input, "if-unmodified-since"),
  };
}

/** Whether a precondition is there that can keep a method from being performed. */
function isConditional(preconditions: Preconditions, current: Validators | null | undefined): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = preconditions;
  if (ifMatch !== null || ifNoneMatch !== null) return true;
  const isDate = ifUnmodifiedSince !== null && parseHttpDate(ifUnmodifiedSince) !== null;
  return isDate && (current === undefined || (current?.lastModified ?? null) !== null);
}

// RFC 6585 §3: explains what to send, and is not stored by caches.
function preconditionRequired(): HTTPError {
  return new HTTPError(Status.PreconditionRequired, "Send If-Match with the entity tag that the change is based on", {
    headers: { "cache-control": "no-store" },
  });
}

/** What a resource says of its current representation; `undefined` where it says nothing. */
async function validatorsOf(resource: Resource, input: object): Promise<Validators | null | undefined> {
  const validator = given(resource as Resource & { validator?: (input: object) => unknown }, "validator");
  if (typeof validator !== "function") return undefined;
  const value = (await validator.call(resource, input)) as Validator | null | undefined;
  if (value === null || value === undefined) return value;
  const { etag: text, lastModified = null } = givenOf(value, ["etag", "lastModified"]);
  const etag = text === undefined ? null : parseEntityTag(String(text));
  const isDate = lastModified === null || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime()));
  if ((text === undefined || etag !== null) && isDate) return { etag, lastModified };
  const wrong = isDate ? `the etag ${described(text)}` : `the lastModified ${described(lastModified)}`;
  throw new TypeError(
    `Cannot evaluate preconditions: validator() of ${nameOf(resource.constructor)} gave ${wrong}; ` +
      "write { etag: '\"7\"', lastModified: new Date(…) }, each if there is one",
  );
}

function validatorsIn(headers: Headers): Validators {
  const lastModified = headers.get("last-modified");
  return {
    etag: parseEntityTag(headers.get("etag") ?? ""),
    lastModified: lastModified === null ? null : parseHttpDate(lastModified),
  };
}

/** Has a 2xx response carry the validators of its resource, if it has none of its own. */
function withValidators(response: Response, current: Validators | null): Response {
  if (!response.ok || current === null || response.headers.has("etag")) return response;
  const { etag } = current;
  const tag = etag !== null && isOneOfCodings(response.headers) ? { ...etag, isWeak: true } : etag;
  return withFields(response, (fields) => {
    if (tag !== null) fields.offer("ETag", formatEntityTag(tag));
    if (current.lastModified !== null) fields.offer("Last-Modified", formatHttpDate(pastOf(current.lastModified)));
  });
}

/** RFC 9110 §8.8.2.1: no response is older than what it has. */
function pastOf(date: Date): Date {
  return new Date(Math.min(date.getTime(), Date.now()));
}

/** RFC 9110 §13.2.2, step 5: if the validator of `If-Range` is not the current one, `Range` is ignored. */
function isRangeStale(input: object, current: Validators | null | undefined): boolean {
  const ifRange = requestField(input, "if-range");
  if (ifRange === null || current === undefined || requestField(input, "range") === null) return false;
  return !isRangeCurrent(ifRange, current);
}

/** @param answered the response to the range, if there is one already. */
function withoutRange(input: object, answered: Response | null = null): object {
  if (answered !== null) discard(answered);
  const headers = new Headers((input as Request).headers);
  headers.delete("range");
  return replacedInput(input, { headers });
}
