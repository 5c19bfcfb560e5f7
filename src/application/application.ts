import { running, unknownHost } from "../dispatch/runtime-host.ts";
import { hostOf } from "../hosts/known-hosts.ts";
import { Answer } from "../http/answer/carried-answer.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { methodOf, type Input } from "../dispatch/input.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import { decisionOf, modelOf, type Decision, type ResourceModel } from "./application-model.ts";

export interface Parts {
  readonly dispatcher: Dispatcher;
  readonly trailingSlash: TrailingSlash;
}

/** Resources that are ready to answer. */
export class Application {
  /** Whether a trailing slash of paths and patterns counts: for tools, as `resources` is. */
  declare readonly trailingSlash: TrailingSlash;
  /** What answers, for tools of this package: not part of its public interface. */
  declare readonly dispatcher: Dispatcher;
  #models: readonly ResourceModel[] | null = null;

  constructor({ dispatcher, trailingSlash }: Parts) {
    if (running.host === unknownHost) running.host = hostOf(globalThis);
    this.dispatcher = dispatcher;
    this.trailingSlash = trailingSlash;
  }

  /**
   * Answers one request by calling the handler of its target resource.
   *
   * The input is passed to the handler as it is; only `params` is added to it. Whatever the handler returns, or
   * resolves to, is the result. Errors thrown by the handler are not caught.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 501 when the resource does not implement the method, or the method is not one that a resource
   * can implement (RFC 9110 §9.1).
   * @throws {HTTPError} 400 when the URL cannot be parsed, 414 when its path is longer than 8,192 characters.
   * @throws {TypeError} when the input is not an object with strings `url` and `method`, or cannot carry `params`.
   */
  readonly handle = (input: unknown): Promise<unknown> => {
    // PERF: an `async` function would wrap the handler's Promise in another one: 4 to 27 % of the cost of `handle()`
    // (`node bench/handle.js`, decision 027).
    try {
      const result = this.dispatcher.answer(input);
      // Only declared operations answer by other answers than refusals.
      return result instanceof Answer ? Promise.reject(result.error) : Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  };

  /**
   * Says which resource, pattern and params a request has, or why none, without running anything.
   *
   * @throws {TypeError} when the input is not an object with strings `url` and `method`.
   */
  match(input: Input): Decision {
    const match = this.dispatcher.match(input);
    return decisionOf(match, methodOf(input), (mounted) => this.resources[this.dispatcher.resources.indexOf(mounted)]!);
  }

  /** The resources of this application, in the order in which they were added: a frozen model for tools. */
  get resources(): readonly ResourceModel[] {
    return (this.#models ??= Object.freeze(this.dispatcher.resources.map(modelOf)));
  }
}
