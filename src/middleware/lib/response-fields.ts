import type { Middleware } from "../../application/middleware.ts";
import type { FieldsAdder } from "../../dispatch/exchange.ts";
import { addLate, nextAnswer } from "../../dispatch/mounted-resource.ts";
import { describedResult, isResponseLike, isRead } from "../../dispatch/fetch-response.ts";
import { Answer, noError } from "../../http/answer/carried-answer.ts";
import { changedResponse } from "../../http/message/copied-response.ts";
import { described } from "../../http/javascript/described.ts";
import { after } from "../../http/javascript/thenable.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import type { StatusConstant } from "../../http/protocol/status.ts";
import { HeadersFields, NodeFields, type Fields, type NodeResponse } from "./fields.ts";

/**
 * Passes an input on, and lets a function add fields to the response, from a handler or from an error.
 *
 * With the polyfill chain, where the response is there from the start, the function is called once, before the handler
 * runs. With the native chain it is called for the response, and once more if the request ends in an error. It must do
 * the same each time. Fields that the handler sets itself stay, if the function only offers, adds and varies.
 *
 * Goes on at once: where the result of `next()` is not a Promise, the returned value is not one either.
 *
 * @throws {TypeError} when no response exists to add fields to: neither a `Response` from `next()` nor Node's response.
 */
export function answerWithFields(middleware: Middleware, input: object, add: (fields: Fields) => void): unknown {
  const response = nodeResponseOf(input);
  if (response !== null) {
    add(new NodeFields(response, middleware));
    return middleware.next(input);
  }
  addToErrors(middleware, input, add);
  return after(nextOf(middleware, input), passedOn, add);
}

/**
 * Goes on as `next()` does. Middleware that is marked by `passing()` may get an `Answer`. It returns that, with fields
 * or without.
 */
export function nextOf(middleware: Middleware, input: object): unknown {
  return (middleware as unknown as Hidden)[nextAnswer](input);
}

/** Adds fields to an answer, or to a response. A refusal gets them by `addToErrors()`. */
function passedOn(result: unknown, add: (fields: Fields) => void): unknown {
  if (!(result instanceof Answer)) return withFields(result, add);
  if (result.made !== null) result.made = withFields(result.made, add);
  else if (result.error === noError) add(new HeadersFields(result.fields, null));
  return result;
}

/**
 * Adds fields to an error response, if the call ends in one, just before it is made. For inputs without a response of
 * their own.
 */
export function addToErrors(middleware: Middleware, input: object, add: (fields: Fields) => void): void {
  (middleware as unknown as Hidden)[addLate](input, (headers) => add(new HeadersFields(headers, middleware)));
}

/** What a middleware has besides its public members. */
interface Hidden {
  [addLate](input: object, add: FieldsAdder): void;
  [nextAnswer](input: object): unknown;
}

/** Returns the fields that are sent if the call ends in an error: of Node's response, or of one that is made then. */
export function keptFields(middleware: Middleware, input: object): Fields {
  const response = nodeResponseOf(input);
  return response === null
    ? new HeadersFields(middleware.errorHeaders(input), middleware)
    : new NodeFields(response, middleware);
}

/**
 * Answers an input without passing it on: no content, this status, and the fields that a function adds. Outer
 * middleware sees it as the result of `next()`. Field and status are written to Node's response if there is one.
 */
export function answerWith(
  middleware: Middleware,
  input: object,
  status: StatusConstant,
  add: (fields: Fields) => void,
): unknown {
  const response = nodeResponseOf(input);
  if (response === null) {
    const headers = new Headers();
    add(new HeadersFields(headers, null));
    return new Response(null, { ...status, headers });
  }
  add(new NodeFields(response, middleware));
  response.statusCode = status.status;
  response.end();
  return response;
}

/**
 * Adds fields to the result of `next()`: to the `Response` itself, or to a copy if it is immutable or may be shared.
 * @throws {TypeError} when the result is not a `Response`.
 */
export function withFields(result: unknown, add: (fields: Fields) => void): Response {
  if (!isResponseLike(result)) {
    throw new TypeError(
      "Cannot add fields to the response: expected a Response from next(), or an input with a response of Node, got " +
        `${described(result)}`,
    );
  }
  // A handshake hangs on its request, and a copy of it would be another one (RFC 9110 §15.2).
  if (result.status < 200) {
    try {
      add(new HeadersFields(result.headers, null));
    } catch {
      // A host's own, whose fields are immutable.
    }
    return result;
  }
  return changedResponse(result, (fields) => add(new HeadersFields(fields, null)));
}

/**
 * Returns the result of `next()` as a `Response`, for features of the native chain.
 * @throws {TypeError} when it is not one, or was read already, even in part: the rest would pass for the whole.
 */
export function responseOf(result: unknown): Response {
  if (isResponseLike(result) && !isRead(result)) return result;
  throw new TypeError(
    `Cannot change the response: expected a new Response from next(), got ${describedResult(result)}`,
  );
}

/** Returns the response of Node that an input of the polyfill chain carries. Null for other inputs. */
export function nodeResponseOf(input: object): NodeResponse | null {
  const response = propertyOf(input as { response?: unknown }, "response");
  if (typeof response !== "object" || response === null) return null;
  return typeof (response as Partial<NodeResponse>).setHeader === "function" ? (response as NodeResponse) : null;
}
