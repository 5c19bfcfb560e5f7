import { badRequest, notFound, notImplemented, uriTooLong, type StatusPair } from "../http/protocol/status-constant.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import { FieldList, type HeadersOrList } from "../http/answer/field-list.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { print } from "./error-response.ts";
import { attachParams } from "./input.ts";
import type { MountedMiddleware, MountedPattern, MountedResource } from "./mounted-resource.ts";
import type { Params } from "./params.ts";

/**
 * No exchanges, no results. PERF: one for all, as few requests have any: an array each is 6 % of `handle()`
 * (`node bench/handle.js --middleware=1`).
 */
export const none: readonly never[] = [];

/**
 * One request on its way to a resource: the decisions about it, which stay as they were made. The fields from `reached`
 * on note how far it has come. `exchangeFor()` makes it. Middleware that goes on with a replacement makes another
 * exchange of the same request.
 */
export class Exchange {
  // Fields that the constructor assigns are only declared, and none is private: V8 would define each before.
  /** The input of handlers and middleware. */
  declare readonly input: object;
  /** The URL, read once. */
  declare readonly url: string;
  /** The method token, read once. */
  declare readonly method: string;
  /** The pattern that the path matched, or why it matched none. */
  declare readonly found: PathMatch<MountedPattern> | PathProblem;
  /** The resource of the path; null if no path pattern matched. */
  declare readonly mounted: MountedResource | null;
  /** The value of `input.params` during this exchange; `undefined` if no path pattern matched. */
  declare params: Params | undefined;
  /**
   * The status by which it is refused, such as 404, whatever the resource implements. Null if a handler may be called.
   */
  declare readonly refusedBy: StatusPair | null;
  /**
   * The middleware around the application, outermost first. Each application has a list of its own, which identifies
   * it.
   */
  declare readonly around: readonly MountedMiddleware[];
  /** The middleware to go through, outermost first: the application's, and inside it the resource's. */
  declare readonly chain: readonly MountedMiddleware[];
  /** The exchange of the input that came in: this one, unless its input is a replacement. */
  declare readonly first: Exchange;
  /** The input that came in to the outermost application. */
  declare readonly origin: object;
  /**
   * The index of the innermost middleware that was given the input; the length of the chain for the handler, -1 for
   * none.
   */
  declare reached: number;
  /**
   * The results of the middlewares of the chain, each at its index, and of the handler: a Promise while one is not done
   * yet. An index that was not reached is empty.
   */
  declare readonly answers: unknown[];
  /** Results that were in `answers` before `next()` was called again further out. */
  declare earlier: readonly { readonly at: number; readonly answer: unknown }[];
  /** The relations to other exchanges. Null for most: it is made when there is something to hold. */
  declare ties: ExchangeTies | null;

  /**
   * Decides about a request.
   * @param around the middleware that also sees requests without a handler.
   * @param first the exchange of the input that came in, if the input of this one is a replacement.
   * @param chain the middleware to go through, if it is not all of what is around the resource.
   */
  constructor(
    input: object,
    url: string,
    method: string,
    found: PathMatch<MountedPattern> | PathProblem,
    around: readonly MountedMiddleware[],
    first: Exchange | null,
    origin: object,
    chain: readonly MountedMiddleware[] | null = null,
  ) {
    const isMatch = found instanceof PathMatch;
    const mounted = isMatch ? found.value.mounted : null;
    const pathRefusal = isMatch ? null : refusals[found.problem].status;
    this.input = input;
    this.url = url;
    this.method = method;
    this.found = found;
    this.mounted = mounted;
    this.params = undefined;
    // C3.3: handlers have an entry for each method, null for the default. Another token is refused, and reaches no
    // middleware of the resource.
    this.refusedBy = mounted?.handlers[method] === undefined ? (pathRefusal ?? notImplemented) : null;
    this.chain = this.refusedBy === null ? (chain ?? mounted!.chain) : around;
    this.around = around;
    this.first = first ?? this;
    this.origin = origin;
    this.reached = -1;
    // PERF: an empty array grows to 17 elements at its first answer: 8 % (`node bench/handle.js --middleware=1`).
    // oxlint-disable-next-line unicorn/no-new-array -- a length
    this.answers = new Array(this.chain.length + 1);
    this.earlier = none;
    this.ties = null;
  }

  /**
   * Calls the first middleware that has a handler for the method, from an index of the chain on. If none has, calls the
   * resource. The rest of the chain comes by `next()` of that middleware, which calls this for the index after its own.
   * The input has the params of this exchange, whatever was there before.
   */
  run(start: number): unknown {
    const { input, method, params, chain, refusedBy, mounted, answers } = this;
    // PERF: after the first middleware the params are already there, which saves 5 % of `handle()`
    // (`node bench/handle.js --middleware=3`).
    if ((input as { params?: unknown }).params !== params) attachParams(input, params);
    for (let at = start; at < chain.length; at++) {
      const { middleware, handlers } = chain[at]!;
      const handler = handlers[method] ?? handlers["ALL"];
      if (handler) {
        if (at > this.reached) this.reached = at;
        else this.keep(at);
        return (answers[at] = handler.call(middleware, input));
      }
    }
    const handler = refusedBy === null ? mounted!.handlers[method] : null;
    if (!handler) throw refusal(refusedBy ?? notImplemented);
    if (chain.length > this.reached) this.reached = chain.length;
    else this.keep(chain.length);
    return (answers[chain.length] = handler.call(mounted!.resource, input));
  }

  /** In a first exchange: all results of the request, those for replacements included. */
  get results(): readonly unknown[] {
    const all = [this, ...(this.ties?.replacements ?? none)];
    return all.flatMap(({ answers, earlier }) => [...answers, ...earlier.map(({ answer }) => answer)]);
  }

  /** What answers from an index of the chain on: the next middleware that handles the method, or the resource. */
  answererFrom(at: number): { readonly name: string } | null {
    return this.chain.slice(at).find(({ handlers }) => handlers[this.method] ?? handlers["ALL"]) ?? this.mounted;
  }

  /**
   * In a first exchange: the header fields for a response made from an error, with all that was put off. Null if there
   * are none.
   */
  errorHeaders(): Headers | null {
    const { ties } = this;
    if (ties === null || ties.late === null) return ties?.fields ?? null;
    const { late } = ties;
    ties.late = null;
    return addedBy(late, (ties.fields ??= new Headers()));
  }

  /**
   * In a first exchange that ended in an error: the same fields, for its response. Nothing that was put off is lost:
   * another response may follow one that cannot be sent.
   */
  fieldsAtEnd(): HeadersOrList | null {
    const { ties } = this;
    return ties === null || ties.late === null || ties.fields !== null
      ? this.errorHeaders()
      : addedBy(ties.late, new FieldList());
  }

  /**
   * In a first exchange: puts off adding to the fields for a response made from an error.
   * PERF: most requests end without one, and `Headers` cost 2 us of 33 for each middleware (`node bench/requests.js`,
   * R4).
   */
  addLate(add: FieldsAdder): void {
    // A middleware may go on forever.
    const ties = tiesOf(this);
    if (ties.late === null) ties.late = [add];
    else if (ties.late.push(add) > mostKept) this.errorHeaders();
  }

  /** Keeps the result at an index, to which another run has come, and lets the oldest go. */
  keep(at: number): void {
    this.earlier = [...this.earlier, { at, answer: this.answers[at] }].slice(-mostKept);
  }
}

/**
 * So many earlier results are known, and functions are put off. A middleware may go on forever, and an input may be
 * reused forever.
 */
const mostKept = 64;

/** The relations of an exchange to others, and the fields of its error. */
export interface ExchangeTies {
  /** All exchanges that its input is in, this one included, the latest last. Null if it is in no other. */
  siblings: Exchange[] | null;
  /** In a first exchange: the exchanges of replacements, the latest last. */
  replacements: readonly Exchange[];
  /**
   * In a first exchange: whether the same input came in to the same application again, so that answers may be of
   * either.
   */
  isShared: boolean;
  /** In a first exchange: header fields for a response made from an error, once middleware has asked for them. */
  fields: Headers | null;
  /**
   * In a first exchange: functions that add to these fields, in the order in which they were put off. Null if there are
   * none.
   */
  late: FieldsAdder[] | null;
}

/** Adds to the fields of a response that is made from an error. It does the same each time. */
export type FieldsAdder = (fields: HeadersOrList) => void;

function addedBy<Fields extends HeadersOrList>(adders: readonly FieldsAdder[], fields: Fields): Fields {
  for (const add of adders) {
    try {
      add(fields);
    } catch (fault) {
      // The response to the error goes out without them.
      print(fault);
    }
  }
  return fields;
}

export function tiesOf(exchange: Exchange): ExchangeTies {
  return (exchange.ties ??= { siblings: null, replacements: none, isShared: false, fields: null, late: null });
}

/** The reasons and statuses by which a path without a match is refused. */
export const refusals: Readonly<
  Record<PathProblem["problem"], { readonly status: StatusPair; readonly reason: string }>
> = {
  unmatched: { status: notFound, reason: "No pattern matches the path" },
  absent: { status: notFound, reason: "The URL has no path: it is neither absolute nor begins with a slash" },
  unparseable: { status: badRequest, reason: "The URL cannot be parsed" },
  "too long": { status: uriTooLong, reason: "The path is longer than 8,192 characters" },
};
