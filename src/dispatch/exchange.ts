import { badRequest, notFound, notImplemented, uriTooLong, type StatusPair } from "../http/protocol/status-constant.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import { print } from "./error-response.ts";
import type { MountedMiddleware, MountedPattern, MountedResource } from "./mounted-resource.ts";
import { Params } from "./params.ts";

/** No exchanges, no results. PERF: one for all, as few requests have any. */
const none: readonly never[] = [];

/**
 * One request on its way to a resource, and the decisions about it: they stay as they were made. The fields from
 * `origin` on note what happens on the way.
 *
 * Middleware that goes on with a replacement makes another exchange of the same request.
 */
export class Exchange {
  // PERF: fields that the constructor assigns are not defined before, nor private: V8 would define them first (`bench/handle`).
  /** The input of handlers and middleware. */
  declare readonly input: object;
  /** The method token, read once. */
  declare readonly method: string;
  /** The pattern that the path matched, or why it matched none. */
  declare readonly found: PathMatch<MountedPattern> | PathProblem;
  /** The resource of the path; null if no path pattern matched. */
  declare readonly mounted: MountedResource | null;
  /** The value of `input.params` during this exchange; `undefined` if no path pattern matched. */
  declare readonly params: Params | undefined;
  /**
   * The status by which it is refused, such as 404, whatever the resource implements. Null if a handler may be called.
   */
  declare readonly refusedBy: StatusPair | null;
  /** The middleware around the application, outermost first. Each application has a list of its own, which identifies it. */
  declare readonly around: readonly MountedMiddleware[];
  /** The middleware to go through, outermost first: the application's, and inside it the resource's. */
  declare readonly chain: readonly MountedMiddleware[];
  /** The exchange of the input that came in: this one, unless its input is a replacement. */
  declare readonly first: Exchange;
  /** The input that came in to the outermost application. */
  declare origin: object;
  /** The place of the innermost middleware that was given the input; the length of the chain for the handler, -1 for none. */
  declare reached: number;
  /**
   * The results of the middlewares of the chain, each in its place, and of the handler: a Promise while one is not done
   * yet. A place that was not reached is empty.
   */
  declare readonly answers: unknown[];
  /** Results that were in `answers` before `next()` was called again further out. */
  declare earlier: readonly { readonly at: number; readonly answer: unknown }[];
  /** All exchanges that its input is in, this one included, the latest last. Null if it is in no other. */
  declare siblings: Exchange[] | null;
  /** In a first exchange: the exchanges of replacements, the latest last. */
  declare replacements: readonly Exchange[];
  /** In a first exchange: whether the same input came in to the same application again, so that answers may be of either. */
  declare isShared: boolean;
  /** In a first exchange: header fields for a response made from an error, once middleware has asked for them. */
  declare fields: Headers | null;
  /** In a first exchange: functions that add to these fields, in the order in which they were put off. Null if there are none. */
  declare late: ((fields: Headers) => void)[] | null;

  /**
   * Decides about a request, and links its input to the decision: its `params` lead to the exchange.
   *
   * @param url the URL that was matched.
   * @param around the middleware that also sees requests without a handler.
   * @param first the exchange of the input that came in, if the input of this one is a replacement.
   * @param shared the params of the exchange around it, if its input is a replacement around a resource.
   */
  constructor(
    input: object,
    method: string,
    found: PathMatch<MountedPattern> | PathProblem,
    url: string,
    around: readonly MountedMiddleware[],
    first: Exchange | null,
    shared?: Params,
  ) {
    const isMatch = found instanceof PathMatch;
    const mounted = isMatch ? found.value.mounted : null;
    const pathRefusal = isMatch ? null : refusals[found.problem].status;
    const before = knownOf(input);
    this.input = input;
    this.method = method;
    this.found = found;
    this.mounted = mounted;
    // C3.3: handlers have an entry for each method, null for the default. Another token is refused, and reaches no
    // middleware of the resource.
    this.refusedBy = mounted?.handlers[method] === undefined ? (pathRefusal ?? notImplemented) : null;
    this.chain = this.refusedBy === null ? mounted!.chain : around;
    this.around = around;
    this.first = first ?? this;
    this.origin = (first ?? before)?.origin ?? input;
    this.reached = -1;
    // PERF: an empty array grows to 17 places at its first answer, 40 ns (`node bench/handle.js --middleware=1`).
    // oxlint-disable-next-line unicorn/no-new-array -- a length
    this.answers = new Array(this.chain.length + 1);
    this.earlier = none;
    this.siblings = null;
    this.replacements = none;
    this.isShared = false;
    this.fields = null;
    this.late = null;
    // Nobody goes on after a chain without middleware: the params lead to whoever may.
    const hasMiddleware = this.chain.length > 0;
    const known = hasMiddleware ? this.first : (first ?? before ?? null);
    this.params = shared ?? (isMatch ? new Params(found, url, known) : undefined);
    // Without params nothing matched. Such an exchange has middleware, or an input that another application knows.
    if (this.params === undefined) unmatched.set(input, known as Exchange);
    first?.replaceBy(this);
    if (before !== undefined && hasMiddleware) this.join(before);
  }

  /** In a first exchange: all results of the request, those for replacements included. */
  get results(): readonly unknown[] {
    const all = [this, ...this.replacements];
    return all.flatMap(({ answers, earlier }) => [...answers, ...earlier.map(({ answer }) => answer)]);
  }

  /** In a first exchange: the header fields for a response made from an error, with all that was put off. Null if there are none. */
  errorFields(): Headers | null {
    const { late } = this;
    if (late === null) return this.fields;
    this.late = null;
    const fields = (this.fields ??= new Headers());
    for (const add of late) {
      try {
        add(fields);
      } catch (fault) {
        // The response to the error goes out without them.
        print(fault);
      }
    }
    return fields;
  }

  /**
   * In a first exchange: puts off adding to the fields for a response made from an error.
   *
   * PERF: most requests end without one, and `Headers` cost 2 us for each middleware (`node bench/requests.js`, R4).
   */
  addLate(add: (fields: Headers) => void): void {
    // A middleware may go on forever.
    if ((this.late ??= []).push(add) > mostKept) this.errorFields();
  }

  /** Keeps the result of a place, to which another run has come, and lets the oldest go. */
  keep(at: number): void {
    this.earlier = [...this.earlier, { at, answer: this.answers[at] }].slice(-mostKept);
  }

  /** In a first exchange: adds the exchange of a replacement. One of the same replacement is followed by it. */
  replaceBy(exchange: Exchange): void {
    const { input, chain } = exchange;
    const others = this.replacements.filter((one) => one.input !== input || one.chain !== chain);
    this.replacements = [...others, exchange];
  }

  /**
   * Joins the exchanges that its input is in. There are several if one application passes the input to another. Of those
   * with the same chain only the latest stays, so that an input that is reused forever does not grow.
   */
  join(known: Exchange): void {
    const siblings = (known.siblings ??= [known]);
    for (const { around, first } of siblings) {
      if (around === this.around && first !== this.first) first.isShared = this.first.isShared = true;
    }
    const same = siblings.findIndex(({ chain }) => chain === this.chain);
    if (same !== -1) {
      const [{ reached, earlier, answers }] = siblings.splice(same, 1) as [Exchange];
      // What was given the input there goes on here. Places that were not reached have no answer.
      this.reached = reached;
      this.earlier = [...earlier, ...answers.flatMap((answer, at) => ({ at, answer }))];
    }
    siblings.push(this);
    this.siblings = siblings;
  }
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

/** So many earlier results are known, and functions are put off. A middleware may go on forever, and an input may be reused forever. */
const mostKept = 64;

/** Inputs without params, because no path pattern matched. */
const unmatched = new WeakMap<object, Exchange>();

/** Returns an exchange that an input is in. The others, if there are any, are its siblings. */
function knownOf(input: unknown): Exchange | undefined {
  const { params } = (input ?? {}) as { params?: unknown };
  const known = (Params.carriedBy(params) as Exchange | null) ?? unmatched.get(input as object);
  // Replacements share the params of what came in, which lead to its exchange.
  return known?.input === input ? known : known?.replacements.findLast((one) => one.input === input);
}

/** Returns the exchanges that an input is in, the latest last. */
export function exchangesOf(input: unknown): readonly Exchange[] {
  const known = knownOf(input);
  return known === undefined ? none : (known.siblings ?? [known]);
}

/** Returns the latest exchange in which an input has come to a middleware. `undefined` if it did not come there. */
export function exchangeAt(from: MountedMiddleware, input: unknown): Exchange | undefined {
  const known = knownOf(input);
  // PERF: no list is made for one exchange, which most inputs are in (`bench/handle`).
  const siblings = known?.siblings ?? null;
  for (let left = siblings?.length ?? 1; left > 0; left--) {
    const exchange = siblings === null ? known : siblings[left - 1];
    if (exchange?.chain[from.at] === from && from.at <= exchange.reached) return exchange;
  }
  return undefined;
}

/**
 * Returns whether an input belongs to another request than an exchange. It came in by itself then, be it through an
 * application without middleware: that leaves params without an exchange. A copy has the params of what it was made from.
 */
export function isOfAnotherRequest(input: object, { origin }: Exchange): boolean {
  const { params } = input as { params?: unknown };
  const known = (Params.carriedBy(params) as Exchange | null) ?? knownOf(input);
  return known === undefined ? params instanceof Params : known.origin !== origin;
}

/**
 * Returns the input that came in, for a replacement or for the replacement of one. Returns any other input itself.
 *
 * A mounted application has exchanges of its own, around which the request was made from another one.
 */
export function originalOf(input: object): object {
  const origin = knownOf(input)?.origin ?? input;
  const { [original]: source } = origin as { [original]?: object };
  return source === undefined ? origin : originalOf(source);
}

/** Names the input that an object is made from, such as a call of the semantics module. */
export const original: unique symbol = Symbol("original");
