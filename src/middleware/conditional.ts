import { routedBy } from "../dispatch/input-exchange.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { Resource } from "../application/resource.ts";
import { formatEntityTag } from "../fields/entity-tag.ts";
import { evaluatePreconditions, unconditionalMethods, type Preconditions } from "../fields/preconditions.ts";
import { notModified, preconditionRequired } from "../fields/representation.ts";
import { refusal } from "../http/protocol/http-error.ts";
import type { Method } from "../http/protocol/method.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status } from "../http/protocol/status.ts";
import { discard } from "../http/message/discarded-content.ts";
import { withOriginals } from "./lib/coding-tags.ts";
import { isOneOfCodings, isTaggable, originalTag, tagged, withVersions } from "./lib/entity-tags.ts";
import { RequestFields } from "../fields/request-fields.ts";
import { isConditional, namesTag, preconditionsOf } from "../fields/request-preconditions.ts";
import { responseOf } from "./lib/response-fields.ts";
import { isRangeStale, isUnsatisfiable, isVersionStale, withoutRange } from "./lib/stale-range.ts";
import { askValidators, validatorsIn, withValidators } from "./lib/validators.ts";

/** Options of `conditional()`. */
export interface ConditionalOptions {
  /** The maximum length of content for a computed entity tag; 0 for none. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** The methods that are refused with 428 without a precondition: POST, PUT, PATCH or DELETE. Default: none. */
  readonly requiredMethods?: readonly Method[] | undefined;
}

const changing = ["POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Makes middleware for conditional requests (RFC 9110 §13), of the native module.
 *
 * For GET and HEAD, the handler runs. A 2xx response gets the missing validators, and becomes 304 or 412 by the
 * preconditions. For other methods, `validator(input)` of the resource is evaluated before the handler runs, and 412 is
 * thrown. Without `validator()`, the handler evaluates preconditions.
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
 * console.log((await app.request("/note", { headers })).status); // 304
 * ```
 */
export function conditional(options: ConditionalOptions = {}): MiddlewareClass {
  const check = new OptionCheck("conditional", options, ["maxBytes", "requiredMethods"]);
  const { maxBytes = 1_048_576, requiredMethods = [] } = check.options;
  check.count("maxBytes");
  const isChanging = (method: unknown): boolean => (changing as readonly unknown[]).includes(method);
  check.list("requiredMethods", isChanging, changing.join(", "));
  const requiring: ReadonlySet<string> = new Set(requiredMethods);

  return class Conditional extends Middleware {
    static answers(method: string): Readonly<Record<number, string>> {
      if (unconditionalMethods.has(method)) return {};
      const failed = { 412: "A precondition does not hold" };
      if (method === "GET" || method === "HEAD") return { 304: "The client has the current representation", ...failed };
      return requiring.has(method) ? { ...failed, 428: "The request needs a precondition, such as If-Match" } : failed;
    }

    async ALL(input: object): Promise<unknown> {
      const method = routedBy(input).method as Method;
      const resource = this.resourceOf(input) as Resource | null;
      // RFC 9110 §13.2.1: a request that fails without its preconditions fails the same way with them.
      const isPerformed =
        resource !== null && (isOwn(resource, method) || (method === "HEAD" && isOwn(resource, "GET")));
      if (!isPerformed || unconditionalMethods.has(method)) return this.next(input);
      if (method === "GET" || method === "HEAD") return this.#read(input, method, resource);
      return this.#change(input, method, resource);
    }

    /**
     * Answers GET or HEAD: with the whole instead of a part where `If-Range` or a tag that is to be computed asks for
     * it.
     */
    async #read(input: object, method: Method, resource: Resource): Promise<Response> {
      const preconditions = preconditionsOf(new RequestFields(input));
      const current = await askValidators(resource, input);
      const asked = async (other: object): Promise<Response> =>
        withValidators(input, responseOf(await this.next(input, other)), current ?? null);
      const ignoresRange = isVersionStale(input, current);
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
      if (isWholeNeeded && ranged !== null) discard(ranged);
      const response = isWholeNeeded ? await asked(withoutRange(input)) : ranged;
      return response.ok ? concluded(method, response, preconditions) : response;
    }

    async #change(input: object, method: Method, resource: Resource): Promise<unknown> {
      const uncoded = withOriginals(input, method, preconditionsOf(new RequestFields(input)));
      const { ifMatch, ifNoneMatch } = uncoded;
      const preconditions = { ...uncoded, ifMatch: withVersions(ifMatch), ifNoneMatch: withVersions(ifNoneMatch) };
      const isRequired = requiring.has(method);
      if (isRequired || Object.values(preconditions).some((value) => value !== null)) {
        const current = await askValidators(resource, input);
        if (isRequired && !isConditional(preconditions, current)) throw preconditionRequired();
        const isFailed = current !== undefined && evaluatePreconditions(preconditions, false, current) === "failed";
        if (isFailed) throw refusal(Status.PreconditionFailed);
      }
      return this.next(input);
    }
  };

  /** The response to GET or HEAD, as the preconditions have it. */
  async function concluded(method: Method, original: Response, preconditions: Preconditions): Promise<Response> {
    const response = await tagged(original, maxBytes);
    const validators = validatorsIn(response.headers);
    // HEAD has no content to compute a tag of. GET might have the tag that If-Match names.
    const isUnknown =
      method === "HEAD" &&
      validators.etag === null &&
      namesTag(preconditions.ifMatch) &&
      isTaggable(response, maxBytes);
    const known = isUnknown ? { ...preconditions, ifMatch: null, ifUnmodifiedSince: null } : preconditions;
    const verdict = evaluatePreconditions(known, true, validators);
    // A client that has the content without a coding has it by the tag that this one was made from, and keeps that.
    const uncoded = isOneOfCodings(response.headers) ? originalTag(validators.etag, response.headers) : null;
    const hasOriginal =
      verdict === "perform" &&
      uncoded !== null &&
      namesTag(known.ifNoneMatch) &&
      evaluatePreconditions(known, true, { ...validators, etag: uncoded }) === "not modified";
    if (verdict === "perform" && !hasOriginal) return response;
    discard(response);
    if (verdict === "failed") throw refusal(Status.PreconditionFailed);
    const answer = notModified(response.headers);
    if (hasOriginal) answer.headers.set("etag", formatEntityTag(uncoded));
    return answer;
  }
}

function isOwn(resource: Resource, method: Method): boolean {
  return resource[method] !== Resource.prototype[method];
}

/** Returns whether a precondition is about a tag that is computed from the whole, of which a part was given. */
function isTagOfWholeNeeded({ ifMatch, ifNoneMatch }: Preconditions, { headers }: Response): boolean {
  return !headers.has("etag") && (namesTag(ifMatch) || namesTag(ifNoneMatch));
}
