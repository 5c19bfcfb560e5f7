import { refusal, refusalOfMethod, type HTTPError } from "../http/http-error.ts";
import { notImplemented } from "../http/status-constant.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathIndex } from "../routing/index/path-index.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import { CallParams, remember } from "./call-params.ts";
import { attachParams, methodOf, serializedPathStart, urlOf, type Input } from "../dispatch/input.ts";
import { decisionOf, modelOf, refusals, type Decision, type ResourceModel } from "./application-model.ts";
import { Call, wrapped, type Calls, type Layer, type WrappingClass } from "./layer.ts";
import type { Target, TargetPattern } from "./mounted-resource.ts";

/** What an application is made of; an `ApplicationBuilder` puts it together. */
export interface Parts {
  readonly index: PathIndex<TargetPattern>;
  readonly trailingSlash: TrailingSlash;
  readonly targets: readonly Target[];
  /** The middleware around the application, outermost first. */
  readonly middleware: readonly WrappingClass[];
}

// Functions of the application that other files here may call, and no users: those see its members only.

/** Gives what a handler returned, whether or not that is a Promise. @throws what the handler throws. */
export let answer: (application: Application, input: unknown) => unknown;
/** The header fields that middleware left for a response made from an error of this input (C5.7). */
export let errorFieldsOf: (application: Application, input: object) => Headers | null;

/** Resources that are ready to answer. */
export class Application {
  /** Whether a slash at the end of paths and patterns counts (C4.7): for tools, as `resources` is. */
  readonly trailingSlash: TrailingSlash;
  readonly #index: PathIndex<TargetPattern>;
  readonly #targets: readonly Target[];
  readonly #entrance: Layer | null;
  readonly #calls: Calls = {
    current: null,
    input: null,
    known: new WeakMap(),
    decide: (input, method) => {
      const url = urlOf(input);
      return this.#decide(method, this.#index.match(url, serializedPathStart(input, url)), url);
    },
  };
  #model: readonly ResourceModel[] | null = null;

  constructor({ index, trailingSlash, targets, middleware }: Parts) {
    this.#index = index;
    this.trailingSlash = trailingSlash;
    this.#targets = targets;
    for (const target of targets) target.wrap(this.#calls);
    const innermost: Layer = { name: "the application", target: null, run: passOn };
    const outermost = wrapped(innermost, middleware, this.#calls);
    this.#entrance = outermost === innermost ? null : outermost;
  }

  /**
   * Answers one request by calling the handler of its target resource.
   *
   * The input is passed to the handler as it is; only `params` is added to it. Whatever the handler returns, or resolves
   * to, is the result. Errors thrown by the handler are not caught.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 501 when the resource does not implement the method, or the method is not one that a resource can
   * implement (RFC 9110 §9.1).
   * @throws {HTTPError} 400 when the URL cannot be parsed, 414 when its path is longer than 8,192 characters.
   * @throws {TypeError} when the input is not an object with strings `url` and `method`, or cannot carry `params`.
   */
  readonly handle = (input: unknown): Promise<unknown> => {
    // PERF: no `async` function, which would make a Promise of its own out of the handler's: 4 to 27 % of what this
    // adds where handlers are async (`bench/handle`, decision 027).
    try {
      return Promise.resolve(this.#answer(input));
    } catch (error) {
      return Promise.reject(error);
    }
  };

  static {
    answer = (application, input) => application.#answer(input);
    errorFieldsOf = (application, input) => application.#calls.known.get(input)?.errorFields ?? null;
  }

  /**
   * Returns what the handler does, or what there is instead of it.
   *
   * PERF: refusals are rejected with, not thrown, which costs twice as much on Bun (`bench/refuse`).
   */
  #answer(input: unknown): unknown {
    const url = urlOf(input);
    const method = methodOf(input);
    const match = this.#index.match(url, serializedPathStart(input as object, url));
    if (this.#entrance !== null) return this.#enter(this.#entrance, input as object, this.#decide(method, match, url));

    if (!(match instanceof PathMatch)) {
      attachParams(input as object, undefined);
      return Promise.reject(refusalOf(match));
    }
    const { target } = match.value;
    const handler = target.handlers[method];
    if (handler !== undefined && target.entrance !== target) {
      return this.#enter(
        target.entrance,
        input as object,
        new Call(method, target, new CallParams(match, url, this.#calls), null),
      );
    }
    attachParams(input as object, match.value.paramsOf(match, url));
    return handler ? handler.call(target.resource, input) : Promise.reject(refusal(notImplemented));
  }

  /**
   * Says which resource, pattern and params a request has, or why none, without running anything.
   *
   * @throws {TypeError} when the input is not an object with strings `url` and `method`.
   */
  match(input: Input): Decision {
    const url = urlOf(input);
    const method = methodOf(input);
    return decisionOf(this.#index.match(url, serializedPathStart(input, url)), method, (target) =>
      this.#modelOf(target),
    );
  }

  /** The resources of this application, in the order in which they were added: a frozen model for tools. */
  get resources(): readonly ResourceModel[] {
    return (this.#model ??= Object.freeze(this.#targets.map(modelOf)));
  }

  #modelOf(target: Target): ResourceModel {
    return this.resources[this.#targets.indexOf(target)]!;
  }

  /** Sends an input through middleware. The call is remembered by its input and its params, for `next()` to go on with. */
  #enter(entrance: Layer, input: object, call: Call): unknown {
    attachParams(input, call.params);
    this.#calls.known.set(input, call);
    remember(call);
    return entrance.run(input, call);
  }

  /** Decides what a call leads to, for middleware that must see it even where it leads nowhere. */
  #decide(method: string, match: PathMatch<TargetPattern> | PathProblem, url: string): Call {
    if (!(match instanceof PathMatch)) return new Call(method, null, undefined, refusalOf(match));
    return new Call(method, match.value.target, new CallParams(match, url, this.#calls), refusalOfMethod(method));
  }
}

/** What the middleware of an application wraps: the resource that the path leads to, with middleware of its own. */
function passOn(input: object, call: Call): unknown {
  if (call.refusal !== null) throw call.refusal;
  return call.target!.entrance.run(input, call);
}

function refusalOf({ problem }: PathProblem): HTTPError {
  return refusal(refusals[problem].status);
}
