import { Answer, noError } from "../http/answer/carried-answer.ts";
import { described } from "../http/javascript/described.ts";
import { reportServerFault } from "./error-response.ts";
import { noteFailure, whereFailed } from "./failed-within.ts";
import { tiesOf, type Exchange, type FieldsAdder } from "./exchange.ts";
import { exchangeAt, exchangeFor, isOfAnotherRequest } from "./input-exchange.ts";
import { attachParams, methodOf, inputURLOf, type Input } from "./input.ts";
import type { MountedMiddleware } from "./mounted-resource.ts";

/**
 * Goes on after a middleware: calls what is further in, and returns its result.
 *
 * A result that is there is returned, and an error of it thrown, at once. Otherwise returns a Promise. A middleware may
 * go on late, and several times, one after another or at once: each call runs what is further in.
 *
 * @param input what the middleware was given.
 * @param replacement what goes on in its place. Around the application it is matched anew. Around a resource it reaches
 * that resource, whatever its URL is.
 * @param isPassing whether the middleware gets answers of this package as they are.
 * @throws {TypeError} when the input did not come in where the middleware stands, the replacement belongs to another
 * request, or what is wrapped returns no value.
 */
export function next(from: MountedMiddleware, input: unknown, replacement: unknown, isPassing = false): unknown {
  const exchange = exchangeAt(from, input);
  if (exchange === undefined) throw strangeInput(from, input);
  const isReplaced = replacement !== undefined && replacement !== input;
  const inner = isReplaced ? replaced(exchange, from, replacement) : exchange;
  let result: unknown;
  try {
    result = inner.run(from.at + 1);
  } catch (error) {
    noteFailure(exchange.first.input, error);
    throw error;
  }
  if (result === undefined || result === null) throw missingResult(inner, from);
  if (typeof (result as Partial<PromiseLike<unknown>>).then === "function")
    return waited(result as PromiseLike<unknown>, inner, exchange, from, isPassing);
  if (isPassing || !(result instanceof Answer)) return result;
  // Where nothing waits, a refusal of declared operations is a Promise, too.
  return result.error === noError
    ? from.dispatcher.responseOf(result, null)
    : waited(Promise.reject(result.error), inner, exchange, from, false);
}

/**
 * Waits for what `next()` went on to. Its closures are here, because V8 makes their context at the beginning of a
 * function, also where nothing waits.
 */
function waited(
  result: PromiseLike<unknown>,
  inner: Exchange,
  exchange: Exchange,
  from: MountedMiddleware,
  isPassing: boolean,
): Promise<unknown> {
  const failed = (error: unknown): never => {
    noteFailure(exchange.first.input, error);
    reportIfLate(error, going, exchange, from);
    return fail(error);
  };
  const going: Promise<unknown> = Promise.resolve(result).then((value) => {
    if (value === undefined || value === null) return failed(missingResult(inner, from));
    if (isPassing || !(value instanceof Answer)) return value;
    return value.error === noError ? from.dispatcher.responseOf(value, null) : failed(value.error);
  }, failed);
  return going;
}

/** What middleware of ours, such as `timeout()`, waits for no more. */
const dropped = new WeakSet<Promise<unknown>>();

/** Silences an error that comes when nobody waits for `next()` any more. */
export function drop(going: Promise<unknown>): void {
  dropped.add(going);
}

/**
 * Reports an error of what a middleware went on to, where that has returned already: it did not wait. Nor does such an
 * error end the process, whenever it comes. Of several runs at once, each that is not done yet may be the one that
 * waits.
 */
function reportIfLate(error: unknown, going: Promise<unknown>, exchange: Exchange, from: MountedMiddleware): void {
  const pending = Symbol("pending");
  // `race()` takes the first that is settled, so `pending` only if the answer is not.
  const isPending = (answer: unknown): Promise<boolean> =>
    Promise.race([answer, pending]).then(
      (first) => first === pending,
      () => false,
    );
  going.catch(() => {});
  const runs = [...exchange.earlier, { at: from.at, answer: exchange.answers[from.at] }];
  const ofThisOne = runs.filter(({ at }) => at === from.at).map(({ answer }) => isPending(answer));
  Promise.all(ofThisOne).then((waiting) => {
    if (waiting.includes(true) || dropped.has(going)) return;
    const { input } = exchange.first;
    whereFailed(input, () => (from.dispatcher.onLateError ?? reportServerFault)(error, input as Input));
  });
}

function fail(error: unknown): never {
  throw error;
}

function strangeInput({ name }: MountedMiddleware, input: unknown): TypeError {
  return isObject(input)
    ? new TypeError(
        `Cannot continue after next() of ${name}: the input did not come in here; ` +
          "to pass on another one, write next(input, replacement)",
      )
    : new TypeError(`Cannot continue after next() of ${name}: expected an input, got ${described(input)}`);
}

/** The header fields for the response that is made from an error, should the request of an input end in one. */
export function errorHeaders(from: MountedMiddleware, input: object): Headers {
  const { first } = exchangeOf(from, input, "errorHeaders()");
  return first.errorHeaders() ?? (tiesOf(first).fields = new Headers());
}

/** Adds to these fields when somebody asks for them, or the request ends in an error. */
export function addErrorFields(from: MountedMiddleware, input: object, add: FieldsAdder): void {
  exchangeOf(from, input, "errorHeaders()").first.addLate(add);
}

/** The resource that the handler for an input belongs to; null where no handler can be called, as with 404. */
export function resourceOf(from: MountedMiddleware, input: object): object | null {
  const { refusedBy, mounted } = exchangeOf(from, input, "resourceOf()");
  return refusedBy === null ? mounted!.resource : null;
}

function exchangeOf(from: MountedMiddleware, input: object, call: string): Exchange {
  const exchange = exchangeAt(from, input);
  if (exchange !== undefined) return exchange;
  throw new TypeError(`Cannot call ${call} of ${from.name}: the input did not come in here`);
}

/**
 * The exchange of a replacement. Around the application its own URL decides; around a resource, the resource is
 * decided.
 */
function replaced(exchange: Exchange, from: MountedMiddleware, replacement: unknown): Exchange {
  if (!isObject(replacement)) {
    throw new TypeError(
      `Cannot continue after next() of ${from.name}: expected an input as replacement, got ${described(replacement)}`,
    );
  }
  if (isOfAnotherRequest(replacement, exchange)) {
    throw new TypeError(
      `Cannot continue after next() of ${from.name}: the replacement belongs to another request; make one for each ` +
        "call",
    );
  }
  const { found, params, first, around, chain } = exchange;
  // A handler may read it, even where it decides nothing: it must be a string.
  const url = inputURLOf(replacement);
  if (from.wraps === null) {
    const method = methodOf(replacement);
    return exchangeFor(replacement, method, from.dispatcher.match(replacement, url), url, around, first);
  }
  // An heir of the input has its params as well, which another application may replace.
  attachParams(replacement, params);
  const method = methodOf(replacement);
  refuseUnguarded(exchange, from, method);
  return exchangeFor(replacement, method, found, url, around, first, params, chain);
}

/**
 * A replacement around a resource may have another method. What is further out has seen the first one only: a guard of
 * DELETE would not have run for a POST that goes on as DELETE. GET instead of HEAD is no more than HEAD.
 */
function refuseUnguarded({ chain, method }: Exchange, from: MountedMiddleware, other: string): void {
  if (other === method || (method === "HEAD" && other === "GET")) return;
  const passed = chain.slice(0, from.at).find(({ handlers }) => {
    const [ran, skipped] = [method, other].map((one) => handlers[one] ?? handlers["ALL"]);
    return Boolean(skipped) && skipped !== ran;
  });
  if (passed === undefined) return;
  throw new TypeError(
    `Cannot continue after next() of ${from.name}: the replacement is ${other.slice(0, 80)}, which ${passed.name} ` +
      `further out has not seen; put ${from.name} around the application`,
  );
}

/**
 * What is wrapped must return a value: middleware would have to look for `undefined` otherwise, and a `return` is soon
 * forgotten.
 */
function missingResult(exchange: Exchange, { at }: MountedMiddleware): TypeError {
  const { name } = exchange.answererFrom(at + 1)!;
  return new TypeError(
    `Cannot continue after next(): ${exchange.method.slice(0, 80)} of ${name} returned no value; write return`,
  );
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
