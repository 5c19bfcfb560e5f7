import { described, nameOf } from "../http/described.ts";

/** One call of `handle()` on its way through middleware: what was decided about its input, once. */
export class Call {
  /** The method token, as it was read. */
  readonly method: string;
  /** The resource that the path leads to, or null where `refusal` says why there is none. */
  readonly target: ResourceLayer | null;
  /** What the input carries as `params`, if the path matched. */
  readonly params: object | undefined;
  /** Why no handler can be called: thrown where the resource would be. */
  readonly refusal: Error | null;
  /** Whether middleware passed the input on: it never came in. */
  readonly isPassedOn: boolean;
  /** The call of the input that came in. */
  readonly root: Call;
  /** Whether params that were copied to its input told which call that was made for. */
  isTold = false;
  #errorFields: Headers | null = null;

  /** @param origin the call whose middleware passed another input on, if that is known. */
  constructor(
    method: string,
    target: ResourceLayer | null,
    params: object | undefined,
    refusal: Error | null,
    origin: Call | null = null,
    isPassedOn: boolean = origin !== null,
  ) {
    this.method = method;
    this.target = target;
    this.params = params;
    this.refusal = refusal;
    this.isPassedOn = isPassedOn;
    this.root = origin?.root ?? this;
  }

  /** What middleware wants on a response that is made from an error. */
  get errorFields(): Headers {
    return (this.root.#errorFields ??= new Headers());
  }
}

/** One ring of what a call passes through: middleware, and innermost a resource. */
export interface Layer {
  /** The class of what answers, for messages. */
  readonly name: string;
  /** The resource inside; null where that is decided by the call. */
  readonly target: ResourceLayer | null;
  run(input: object, call: Call): unknown;
}

/** The innermost ring. */
export interface ResourceLayer extends Layer {
  readonly resource: object;
  /** The outermost ring around it. */
  readonly entrance: Layer;
}

/** The calls that an application has under way. */
export interface Calls {
  /** The call whose middleware runs at this moment; null once that has awaited something. */
  current: Call | null;
  /** What that middleware was given. */
  input: object | null;
  /** By input: those that came in, and those that middleware passed on. */
  readonly known: WeakMap<object, Call>;
  /** Decides by the path of an input what it leads to. */
  decide(input: object, method: string): Call;
}

/** A class whose instances wrap layers: a subclass of `Middleware`. */
export type WrappingClass = new () => object;

/** What `Middleware` tells about itself once it is loaded: a program without middleware holds nothing of it. */
export interface Wrapping {
  readonly Base: abstract new () => object;
  wrap(Class: WrappingClass, inner: Layer, calls: Calls): Layer;
}

let wrapping: Wrapping | null = null;

export function useWrapping(loaded: Wrapping): void {
  wrapping = loaded;
}

/** Wraps a layer in middleware, the first class outermost. */
export function wrapped(innermost: Layer, middleware: readonly WrappingClass[], calls: Calls): Layer {
  return middleware.reduceRight<Layer>((inner, Class) => wrapping!.wrap(Class, inner, calls), innermost);
}

/** Refuses what is not a subclass of `Middleware`. */
export function wrappingClass(Class: unknown): WrappingClass {
  if (typeof Class !== "function")
    throw new TypeError(`Cannot add middleware: expected a class, got ${described(Class)}`);
  if (wrapping !== null && Class.prototype instanceof wrapping.Base) return Class as WrappingClass;
  throw new TypeError(`Cannot add ${nameOf(Class)} as middleware: it must extend Middleware`);
}
