import { notImplemented, type StatusPair } from "../http/status-constant.ts";
import type { MountedMiddleware, MountedResource } from "./mounted-resource.ts";
import { Params } from "./params.ts";

/**
 * One request on its way to a resource, and the decisions about it. Later only errors and replacements add to it.
 *
 * Middleware that goes on with a replacement makes another exchange of the same request.
 */
export class Exchange {
  // PERF: fields that the constructor assigns are not defined before, nor private: V8 would define them first (`bench/handle`).
  /** The input of handlers and middleware. */
  declare readonly input: object;
  /** The method token, read once. */
  declare readonly method: string;
  /** The resource of the path; null if no path pattern matched. */
  declare readonly mounted: MountedResource | null;
  /** The value of `input.params` during this exchange; `undefined` if no path pattern matched. */
  declare readonly params: Params | undefined;
  /**
   * The status by which it is refused, such as 404, whatever the resource implements. Null if a handler may be called.
   */
  declare readonly refusedBy: StatusPair | null;
  /** The middleware around the application, outermost first. */
  declare readonly around: readonly MountedMiddleware[];
  /** The middleware to go through, outermost first: the application's, and inside it the resource's. */
  declare readonly chain: readonly MountedMiddleware[];
  /** The exchange of the input that came in: this one, unless its input is a replacement. */
  declare readonly first: Exchange;
  /** The first exchanges that the input is in, if there are several. */
  declare siblings: Exchange[] | null;
  declare private replacements: Map<object, Exchange> | null;
  /** The results of the middlewares of the chain, each in its place, and of the handler: a Promise while one is not done yet. */
  declare readonly answers: unknown[];
  /** The place of the middleware that went on with a replacement last; the length of the chain if none did. */
  declare replacedAt: number;
  /** Only in a first exchange: header fields for a response made from an error, once middleware has asked for them. */
  declare fields: Headers | null;

  /**
   * @param pathRefusal the status by which the path is refused; null if a pattern matched.
   * @param around the middleware that also sees requests without a handler.
   * @param first the exchange of the input that came in, if the input of this one is a replacement.
   */
  constructor(
    input: object,
    method: string,
    mounted: MountedResource | null,
    params: Params | undefined,
    pathRefusal: StatusPair | null,
    around: readonly MountedMiddleware[],
    first: Exchange | null,
  ) {
    this.input = input;
    this.method = method;
    this.mounted = mounted;
    this.params = params;
    // C3.3: handlers have an entry for each method, null for the default. Another token reaches no middleware of a
    // resource.
    this.refusedBy = mounted !== null && mounted.handlers[method] === undefined ? notImplemented : pathRefusal;
    this.chain = this.refusedBy === null ? mounted!.chain : around;
    this.around = around;
    this.first = first ?? this;
    this.siblings = null;
    this.replacements = null;
    // PERF: an empty array grows to 17 places at its first answer, 40 ns (`node bench/handle.js --middleware=1`).
    // oxlint-disable-next-line unicorn/no-new-array -- a length
    this.answers = new Array(this.chain.length + 1);
    this.replacedAt = this.chain.length;
    this.fields = null;
  }

  /** Returns the exchange of the same request that has an input. */
  of(input: object): Exchange | undefined {
    return this.input === input ? this : this.replacements?.get(input);
  }

  /** In a first exchange: all results of the request, those for replacements included. */
  get results(): readonly unknown[] {
    return [this, ...(this.replacements?.values() ?? [])].flatMap(({ answers }) => answers);
  }

  /** Adds this exchange, whose input is a replacement, to the first exchange, which then finds it. */
  addTo(first: Exchange): void {
    (first.replacements ??= new Map()).set(this.input, this);
  }

  /**
   * The first exchanges that the same input is in, the latest last. There are several if one application passes the
   * input to another. Of exchanges with the same chain, only the latest is kept, so that an input that is reused
   * forever does not grow.
   */
  get firsts(): readonly Exchange[] {
    return this.siblings ?? [this];
  }

  /** Joins the exchanges that its input is in. */
  join(known: Exchange): void {
    const siblings = known.siblings ?? [known];
    const same = siblings.findIndex(({ chain }) => chain === this.chain);
    if (same !== -1) siblings.splice(same, 1);
    siblings.push(this);
    known.siblings = this.siblings = siblings;
  }
}

/** Inputs without params, because no path pattern matched. */
const unmatched = new WeakMap<object, Exchange>();

/** Returns an exchange that an input is in. Null if no middleware sees it. */
function knownBy(input: unknown): Exchange | null {
  const { params } = (input ?? {}) as { params?: unknown };
  return (Params.carriedBy(params) as Exchange | null) ?? unmatched.get(input as object) ?? null;
}

/** Returns whether the params of an input lead to an exchange of an application around this one. */
export function isCarrying(input: object): boolean {
  return Params.carriedBy((input as { params?: unknown }).params) !== null;
}

/**
 * Registers the exchange of an input, besides the exchanges that the input is in already: its `params` lead to one of
 * them.
 */
export function enter(exchange: Exchange): void {
  const { input, params, chain, first } = exchange;
  let known: Exchange | null = first;
  if (first !== exchange) exchange.addTo(first);
  else {
    const before = knownBy(input);
    // Nobody goes on after a chain without middleware.
    if (chain.length === 0) known = before;
    else if (before !== null) exchange.join(before);
  }
  if (params !== undefined) Params.carry(params, known);
  // Without params nothing matched. Such an exchange has middleware, or an input that another application knows.
  else unmatched.set(input, known as Exchange);
}

/** Returns the exchanges that an input is in, the latest last. A replacement is found by its first exchange. */
export function exchangesOf(input: unknown): readonly Exchange[] {
  const known = knownBy(input);
  return known === null ? [] : known.firsts;
}

/** Returns the latest exchange that an input is in at the place of a middleware. */
export function exchangeAt(from: MountedMiddleware, input: unknown): Exchange | undefined {
  const known = knownBy(input);
  if (known === null) return undefined;
  // PERF: most inputs are in one exchange (`bench/handle`).
  if (known.siblings === null && known.input === input && known.chain[from.at] === from) return known;
  for (const first of known.firsts.toReversed()) {
    const exchange = first.of(input as object);
    if (exchange?.chain[from.at] === from) return exchange;
  }
  return undefined;
}

/** Returns whether an input belongs to another request than an exchange: it came in by itself. */
export function isOfAnother(input: object, { first }: Exchange): boolean {
  const { params } = input as { params?: unknown };
  return knownBy(input) === null ? params instanceof Params : !exchangesOf(input).includes(first);
}

/**
 * Returns the input that came in, for a replacement or for the replacement of one. Returns any other input itself.
 *
 * A mounted application has exchanges of its own, around which the request was made from another one.
 */
export function originalOf(input: object): object {
  let origin = input;
  for (const first of exchangesOf(origin).toReversed()) {
    if (first.of(origin) !== undefined) origin = first.input;
  }
  const { [original]: source } = origin as { [original]?: object };
  return source === undefined ? origin : originalOf(source);
}

/** Names the input that an object is made from, such as a call of the semantics chain. */
export const original: unique symbol = Symbol("original");
