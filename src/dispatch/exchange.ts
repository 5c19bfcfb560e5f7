import { notImplemented, type StatusPair } from "../http/status-constant.ts";
import type { MountedMiddleware, MountedResource } from "./mounted-resource.ts";
import { Params } from "./params.ts";

/**
 * One request on its way to a resource, and what was decided about it, once: only what errors and replacements need is added.
 *
 * Middleware that goes on with a replacement makes another exchange of the same request.
 */
export class Exchange {
  // PERF: fields that the constructor assigns are not defined before, nor private: V8 would define them first (`bench/handle`).
  /** What handlers and middleware are given. */
  declare readonly input: object;
  /** The method token, as it was read. */
  declare readonly method: string;
  /** What the path leads to; null where no path pattern matched. */
  declare readonly mounted: MountedResource | null;
  /** What `input.params` is while this exchange is under way; `undefined` where no path pattern matched. */
  declare readonly params: Params | undefined;
  /** The status by which it is refused, such as 404, whatever the resource implements; null where a handler may be called. */
  declare readonly refusedBy: StatusPair | null;
  /** The middleware around the application, outermost first. */
  declare readonly around: readonly MountedMiddleware[];
  /** The middleware to go through, outermost first: that of the application, and inside it that of the resource. */
  declare readonly chain: readonly MountedMiddleware[];
  /** The exchange of the input that came in: this one, unless its input is a replacement. */
  declare readonly first: Exchange;
  /** The first exchanges that the input is in, where they are several. */
  declare siblings: Exchange[] | null;
  declare private replacements: Map<object, Exchange> | null;
  /** What the middlewares of the chain returned, each in its place: a Promise where one is not done yet. */
  declare readonly answers: unknown[];
  /** Of a first exchange: header fields for a response made from an error, once middleware has asked for them. */
  declare fields: Headers | null;

  /**
   * @param pathRefusal the status by which the path is refused; null where a pattern matched.
   * @param around sees also what cannot be handled.
   * @param first the exchange of the input that came in, where this one's is a replacement.
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
    // C3.3: handlers have an entry for each method, null where the default answers. Another token reaches no middleware of a resource.
    this.refusedBy = mounted !== null && mounted.handlers[method] === undefined ? notImplemented : pathRefusal;
    this.chain = this.refusedBy === null ? mounted!.chain : around;
    this.around = around;
    this.first = first ?? this;
    this.siblings = null;
    this.replacements = null;
    // PERF: an empty array grows to 17 places at its first answer, 40 ns (`node bench/handle.js --middleware=1`).
    // oxlint-disable-next-line unicorn/no-new-array -- a length
    this.answers = new Array(this.chain.length);
    this.fields = null;
  }

  /** The exchange of the same request that has an input. */
  of(input: object): Exchange | undefined {
    return this.input === input ? this : this.replacements?.get(input);
  }

  /** Has this exchange, whose input is a replacement, be found by that. */
  addTo(first: Exchange): void {
    (first.replacements ??= new Map()).set(this.input, this);
  }

  /**
   * The first exchanges that the same input is in, the latest last: several where one application passes it to another. Of those
   * with the same chain it has the latest only, so that an input that is used for ever does not grow.
   */
  get firsts(): readonly Exchange[] {
    return this.siblings ?? [this];
  }

  /** Takes its place among the exchanges that its input is in. */
  join(known: Exchange): void {
    const siblings = known.siblings ?? [known];
    const same = siblings.findIndex(({ chain }) => chain === this.chain);
    if (same !== -1) siblings.splice(same, 1);
    siblings.push(this);
    known.siblings = this.siblings = siblings;
  }
}

/** Inputs that carry no params, as no path pattern matched. */
const unmatched = new WeakMap<object, Exchange>();

/** An exchange that an input is in; null where no middleware sees it. */
function knownBy(input: unknown): Exchange | null {
  const { params } = (input ?? {}) as { params?: unknown };
  return (Params.carriedBy(params) as Exchange | null) ?? unmatched.get(input as object) ?? null;
}

/** Whether the params of an input lead to an exchange, of an application around this one. */
export function isCarrying(input: object): boolean {
  return Params.carriedBy((input as { params?: unknown }).params) !== null;
}

/** Has the exchange of an input be found by it, besides those that it is in already: its `params` lead to one of them. */
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
  // Without params nothing matched: that comes here with middleware, or with an input that another application knows.
  else unmatched.set(input, known as Exchange);
}

/** The exchanges that an input is in, those of replacements by their first ones, the latest last. */
export function exchangesOf(input: unknown): readonly Exchange[] {
  const known = knownBy(input);
  return known === null ? [] : known.firsts;
}

/** The latest exchange that an input is in at the place of a middleware. */
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

/** Whether an input belongs to another request than an exchange: it came in by itself. */
export function isOfAnother(input: object, { first }: Exchange): boolean {
  const { params } = input as { params?: unknown };
  return knownBy(input) === null ? params instanceof Params : !exchangesOf(input).includes(first);
}

/** The input that came in, for a replacement, or for the replacement of one; any other input is its own. */
export function originalOf(input: object): object {
  let origin = (input as { [original]?: object })[original] ?? input;
  for (const first of exchangesOf(origin).toReversed()) {
    if (first.of(origin) !== undefined) origin = first.input;
  }
  return origin;
}

/** Names the input that an object is made for, such as a call of the semantics chain. */
export const original: unique symbol = Symbol("original");
