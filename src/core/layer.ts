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
  readonly #origin: Call | null;
  #errorFields: Headers | null = null;

  /** @param origin the call whose middleware passed another input on. */
  constructor(
    method: string,
    target: ResourceLayer | null,
    params: object | undefined,
    refusal: Error | null,
    origin: Call | null = null,
  ) {
    this.method = method;
    this.target = target;
    this.params = params;
    this.refusal = refusal;
    this.#origin = origin;
  }

  /** What middleware wants on a response that is made from an error. */
  get errorFields(): Headers {
    return this.#origin === null ? (this.#errorFields ??= new Headers()) : this.#origin.errorFields;
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
}

/** The calls that an application has under way. */
export interface Calls {
  /** The call that an input belongs to; one that is new to the application is taken for the successor of another. */
  of(input: object, layer: Layer): Call;
}
