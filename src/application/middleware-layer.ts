import { described, nameOf } from "../http/described.ts";
import { isMethod } from "../http/method.ts";
import type { Call, Calls, Layer, ResourceLayer } from "./layer.ts";
import { resolveCall, restoreParams } from "./passed-on.ts";

/** A middleware and what it wraps. */
export class MiddlewareLayer implements Layer {
  readonly name: string;
  readonly target: ResourceLayer | null;
  readonly #middleware: object;
  readonly #inner: Layer;
  readonly #calls: Calls;
  /** Inputs that outer middleware passed on to this one: it may hold them for long, while others are handled. */
  readonly #given = new WeakMap<object, Call>();

  constructor(middleware: object, inner: Layer, calls: Calls) {
    this.name = nameOf(middleware.constructor);
    this.target = inner.target;
    this.#middleware = middleware;
    this.#inner = inner;
    this.#calls = calls;
  }

  run(input: object, call: Call): unknown {
    const handlers = this.#middleware as unknown as Handlers;
    const handler = (isMethod(call.method) ? handlers[call.method] : undefined) ?? handlers["ALL"];
    if (handler === undefined) return this.#inner.run(input, call);
    if (call.isPassedOn) this.#given.set(input, call);
    const calls = this.#calls;
    const { current: outerCall, input: outerInput } = calls;
    calls.current = call;
    calls.input = input;
    try {
      return handler.call(this.#middleware, input);
    } finally {
      calls.current = outerCall;
      calls.input = outerInput;
    }
  }

  next(input: unknown): unknown {
    if (input === null || (typeof input !== "object" && typeof input !== "function")) {
      throw new TypeError(`Cannot continue after next() of ${this.name}: expected an input, got ${described(input)}`);
    }
    const call = this.#resolve(input);
    if (this.target !== null) {
      if (call.refusal !== null) throw call.refusal;
      if (call.target !== this.target) throw elsewhere(this.name, this.target, call.target!);
    }
    restoreParams(input, call);
    const result = this.#inner.run(input, call);
    return isThenable(result) ? this.#settled(result, call) : this.#value(result, call);
  }

  errorFields(input: object): Headers {
    return this.#resolve(input).errorFields;
  }

  resourceOf(input: object): object | null {
    const { refusal, target } = this.#resolve(input);
    return refusal === null && target !== null ? target.resource : null;
  }

  #resolve(input: object): Call {
    return resolveCall(input, this, this.#calls, this.#given);
  }

  async #settled(result: PromiseLike<unknown>, call: Call): Promise<unknown> {
    return this.#value(await result, call);
  }

  #value(result: unknown, { method, target }: Call): unknown {
    if (result !== undefined && result !== null) return result;
    const { name } = this.#inner.target === null ? (target ?? this.#inner) : this.#inner;
    throw new TypeError(`Cannot continue after next(): ${method.slice(0, 80)} of ${name} returned no value`);
  }
}

type Handlers = Readonly<Record<string, ((this: object, input: unknown) => unknown) | undefined>>;

/** There is an instance for each resource: that of another may have other guards around it, or none. */
function elsewhere(name: string, wrapped: ResourceLayer, target: ResourceLayer): TypeError {
  return new TypeError(
    `Cannot continue after next() of ${name}: it wraps ${wrapped.name}, and the input came in for ${target.name}; ` +
      "call next() of the instance that was given it",
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as { then?: unknown }).then === "function";
}
