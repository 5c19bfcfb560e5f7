import { refusalAnswer, type AnswerReader } from "../http/answer/carried-answer.ts";
import type { HeadersOrList } from "../http/answer/field-list.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { notImplemented } from "../http/protocol/status-constant.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathIndex } from "../routing/index/path-index.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import type { Problems } from "./error-response.ts";
import { refusals, type Exchange } from "./exchange.ts";
import { exchangesOf, exchanging } from "./input-exchange.ts";
import { attachParams, methodOf, serializedPathStart, inputURLOf, type Input } from "./input.ts";
import {
  makesHead,
  mountMiddleware,
  type MountableClass,
  type MountedMiddleware,
  type MountedPattern,
  type MountedResource,
  type PrepareInput,
  type RequestRunner,
} from "./mounted-resource.ts";
import { Params } from "./params.ts";

/**
 * Leads requests to handlers. `handle()` calls `answer()`. So does `fetchResponse()`, for `fetch()`, and makes a
 * `Response` of the result. On Node, `servers/node/answering.ts` calls `fetch()` or `handle()` for each message, and
 * `servers/node/response.ts` writes the `Response`.
 *
 * From top to bottom: the URL of an input is matched. The decision is an `Exchange`, which goes through its chain of
 * middleware. Each middleware goes on by `next()`, in `next.ts`. The handler comes after the last one. 404, 400, 414
 * and 501 come from here.
 *
 * A guard cannot be bypassed: the chain belongs to the resource, and only the end of the chain calls a handler. Each
 * middleware of a chain runs if it has a handler for the method, or `ALL`. A class that has `GET` only guards GET, and
 * HEAD where that is made of GET. `application/handler-check.ts` refuses a class that has methods and no handler, as
 * one with a misspelled name.
 */
export class Dispatcher implements RequestRunner {
  readonly #index: PathIndex<MountedPattern>;
  /** The middleware around the application, outermost first. Each chain begins with it. */
  readonly #around: readonly MountedMiddleware[];
  /** The resources, in the order in which they were added. */
  readonly resources: readonly MountedResource[];

  /** The middleware classes around the application, outermost first. */
  get around(): readonly MountableClass[] {
    return this.#around.map(({ middleware }) => middleware.constructor as MountableClass);
  }

  /** Receives an error that occurs when nobody waits for it any more. Null for the console. */
  onLateError: ((error: unknown, input: Input) => unknown) | null = null;

  /** Answers a request as the application does from outside. An application with `fetch` sets it. */
  fetch: ((request: Request) => Promise<Response>) | null = null;

  /** Is called for each input before middleware gets it. Null for most. */
  prepare: PrepareInput | null = null;

  /** Makes the response of an answer. The semantics chain sets it: without it, all answers are refusals. */
  declare responseOf: AnswerReader["responseOf"];

  /** Completes a response that an error, middleware or a native handler has made. Null but in the semantics chain. */
  addressed: ((response: Response, request: Request, isOfError: boolean) => Response) | null = null;

  /** The shape of errors. Null for problem details. */
  problems: Problems | null = null;

  /** Whether a trailing slash of paths and patterns counts. */
  trailingSlash: TrailingSlash = "ignore";

  /** Mounts the middleware around the application and around each resource: one instance of a class for each. */
  constructor(
    index: PathIndex<MountedPattern>,
    around: readonly MountableClass[],
    resources: readonly MountedResource[],
    headRunsGet: boolean | undefined,
  ) {
    this.#index = index;
    this.resources = resources;
    const classes = [...around, ...resources.flatMap(({ middleware }) => middleware)];
    // A guard of GET guards HEAD (C5.9): one class that makes HEAD of GET does so for the whole application.
    headRunsGet ||= classes.some((Class) => Reflect.get(Class, makesHead) === true);
    this.#around = around.map((Class, at) =>
      mountMiddleware(Class, { dispatcher: this, at, wraps: null, headRunsGet }),
    );
    for (const resource of resources) {
      const inner = resource.middleware.map((Class, at) =>
        mountMiddleware(Class, { dispatcher: this, at: around.length + at, wraps: resource, headRunsGet }),
      );
      resource.chain = [...this.#around, ...inner];
      resource.dispatcher = this;
    }
  }

  /**
   * Answers an input by the handler that it leads to, and returns the handler's result: a value, or a Promise of one.
   * Declared operations give an `Answer`, and so does a refusal. Throws or rejects with the error of a user's handler.
   *
   * PERF: a refusal is returned, as a throw costs 2 times as much on Bun (`node bench/refuse.js`).
   *
   * @throws {HTTPError} 404, 400, 414 or 501, where middleware goes on to it.
   * @throws {TypeError} when it is not an object with strings `url` and `method`.
   */
  answer(input: unknown): unknown {
    const url = inputURLOf(input);
    const method = methodOf(input);
    const found = this.#index.match(url, serializedPathStart(input as object, url));
    const pattern = found instanceof PathMatch ? found.value : null;
    const isSeen = this.#around.length > 0 || (pattern !== null && pattern.mounted.chain.length > 0);
    // An application around this one has an exchange of the input, which goes on to be known.
    if (isSeen || Params.carriedBy((input as { params?: unknown }).params) !== null)
      return exchanging.begin!(input as object, method, found, url, this.#around, null).run(0);
    // A request that no middleware sees, here or further out, needs no exchange, and allocates only the Promise.
    if (pattern === null) {
      attachParams(input as object, undefined);
      return refusalAnswer(refusal(refusals[(found as PathProblem).problem].status));
    }
    const { resource, handlers } = pattern.mounted;
    const handler = handlers[method];
    attachParams(input as object, pattern.paramsOf(found as PathMatch<MountedPattern>, url));
    return handler ? handler.call(resource, input) : refusalAnswer(refusal(notImplemented));
  }

  /** Returns the path pattern that wins for an input, or why none does. */
  match(input: object, url: string = inputURLOf(input)): PathMatch<MountedPattern> | PathProblem {
    return this.#index.match(url, serializedPathStart(input, url));
  }

  /** Names what answers an input: its outermost middleware, or else its resource. */
  answererOf(input: object): string {
    const found = this.match(input);
    // Where neither is there, an error is what answers.
    return (this.#firstOf(input)?.answererFrom(0) ?? (found as PathMatch<MountedPattern>).value.mounted).name;
  }

  /**
   * Returns the header fields that middleware left for a response made from an error of this input. Null if there are
   * none.
   */
  errorFieldsOf(input: object): HeadersOrList | null {
    return this.#firstOf(input)?.fieldsAtEnd() ?? null;
  }

  /**
   * Returns what handlers and middleware gave for this input alone, or Promises of it. Empty without middleware, and if
   * the same input came in several times: results of another request may be among them.
   */
  resultsOf(input: object): readonly unknown[] {
    const first = this.#firstOf(input);
    return first === undefined || first.ties?.isShared === true ? [] : first.results;
  }

  #firstOf(input: object): Exchange | undefined {
    return exchangesOf(input).findLast(({ around }) => around === this.#around)?.first;
  }
}
