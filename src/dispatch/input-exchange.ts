import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import { Exchange, none, tiesOf } from "./exchange.ts";
import { methodOf, inputURLOf } from "./input.ts";
import type { MountedMiddleware, MountedPattern } from "./mounted-resource.ts";
import { Params } from "./params.ts";

/**
 * Decides about a request, and links its input to the decision: its `params` lead to the exchange.
 *
 * @param url the URL that was matched.
 * @param around the middleware that also sees requests without a handler.
 * @param first the exchange of the input that came in, if the input of this one is a replacement.
 * @param shared the params of the exchange around it, if its input is a replacement around a resource.
 * @param chain the middleware to go through, if it is not all of what is around the resource.
 */
export function exchangeFor(
  input: object,
  method: string,
  found: PathMatch<MountedPattern> | PathProblem,
  url: string,
  around: readonly MountedMiddleware[],
  first: Exchange | null,
  shared?: Params,
  chain?: readonly MountedMiddleware[],
): Exchange {
  const before = knownOf(input);
  const exchange = new Exchange(input, url, method, found, around, first, (first ?? before)?.origin ?? input, chain);
  // Without middleware nothing calls next(). The params lead to the exchange of an application further out.
  const hasMiddleware = exchange.chain.length > 0;
  const known = hasMiddleware ? exchange.first : (first ?? before ?? null);
  exchange.params = shared ?? (found instanceof PathMatch ? new Params(found, url, known) : undefined);
  // Without params nothing matched. Such an exchange has middleware, or an input that another application knows.
  if (exchange.params === undefined) unmatched.set(input, known as Exchange);
  if (first !== null) addReplacement(first, exchange);
  if (before !== undefined && hasMiddleware) joinSiblings(exchange, before);
  if (hasMiddleware) exchange.chain[0]!.dispatcher.prepare?.(input, method, found);
  return exchange;
}

/** Middleware sets it when it is mounted: programs without middleware do not contain it. */
export const exchanging: { begin: typeof exchangeFor | null } = { begin: null };

/** Adds the exchange of a replacement to the first of the request. One of the same replacement is followed by it. */
function addReplacement(first: Exchange, exchange: Exchange): void {
  const { input, chain } = exchange;
  const ties = tiesOf(first);
  const others = ties.replacements.filter((one) => one.input !== input || one.chain !== chain);
  ties.replacements = [...others, exchange];
}

/**
 * Adds an exchange to those that its input is in. There are several if one application passes the input to another. Of
 * those with the same chain only the latest stays, so that an input that is reused forever does not grow.
 */
function joinSiblings(exchange: Exchange, known: Exchange): void {
  const siblings = (tiesOf(known).siblings ??= [known]);
  for (const { around, first } of siblings) {
    if (around !== exchange.around || first === exchange.first) continue;
    tiesOf(first).isShared = true;
    tiesOf(exchange.first).isShared = true;
  }
  const same = siblings.findIndex(({ chain }) => chain === exchange.chain);
  if (same !== -1) {
    const [{ reached, earlier, answers }] = siblings.splice(same, 1) as [Exchange];
    // What was given the input there goes on here. Indexes that were not reached have no answer.
    exchange.reached = reached;
    exchange.earlier = [...earlier, ...answers.flatMap((answer, at) => ({ at, answer }))];
  }
  siblings.push(exchange);
  tiesOf(exchange).siblings = siblings;
}

/** Inputs without params, because no path pattern matched. */
const unmatched = new WeakMap<object, Exchange>();

/** Returns an exchange that an input is in. The others, if there are any, are its siblings. */
function knownOf(input: unknown): Exchange | undefined {
  const { params } = (input ?? {}) as { params?: unknown };
  const known = (Params.carriedBy(params) as Exchange | null) ?? unmatched.get(input as object);
  // Replacements share the params of what came in, which lead to its exchange.
  return known?.input === input ? known : known?.ties?.replacements.findLast((one) => one.input === input);
}

export function exchangesOf(input: unknown): readonly Exchange[] {
  const known = knownOf(input);
  return known === undefined ? none : (known.ties?.siblings ?? [known]);
}

/**
 * Returns the method token and the URL by which an input was routed. A getter of the input could return something else
 * now, so that a guard judges another request than the one that is answered.
 */
export function routedBy(input: object): { readonly method: string; readonly url: string } {
  return latestOf(input) ?? { method: methodOf(input), url: inputURLOf(input) };
}

export function latestOf(input: object): Exchange | undefined {
  const known = knownOf(input);
  return known?.ties?.siblings?.at(-1) ?? known;
}

export function exchangeAt(from: MountedMiddleware, input: unknown): Exchange | undefined {
  const known = knownOf(input);
  // No list is made for one exchange, which most inputs are in.
  const siblings = known?.ties?.siblings ?? null;
  for (let left = siblings?.length ?? 1; left > 0; left--) {
    const exchange = siblings === null ? known : siblings[left - 1];
    if (exchange?.chain[from.at] === from && from.at <= exchange.reached) return exchange;
  }
  return undefined;
}

/**
 * Returns whether an input belongs to another request than an exchange. It came in by itself then, be it through an
 * application without middleware: that leaves params without an exchange. A copy has the params of what it was made
 * from.
 */
export function isOfAnotherRequest(input: object, { origin }: Exchange): boolean {
  const { params } = input as { params?: unknown };
  const known = (Params.carriedBy(params) as Exchange | null) ?? knownOf(input);
  return known === undefined ? params instanceof Params : known.origin !== origin;
}

/**
 * Returns the input that came in, for a replacement or for the replacement of one. Returns any other input itself. A
 * mounted application has exchanges of its own, around which the request was made from another one.
 */
export function originalOf(input: object): object {
  // A call has no params to be known by, and says what it is made from.
  const isMade = (input as { [original]?: object })[original] !== undefined;
  const origin = isMade ? input : (knownOf(input)?.origin ?? input);
  const { [original]: source } = origin as { [original]?: object };
  return source === undefined ? origin : originalOf(source);
}

/** The inputs that hosts gave, for requests that were made within the answers to them. */
const hosted = new WeakMap<object, object>();

/** Makes what a host has set for one input known for a request that is made within its answer. */
export function shareHost(around: object, request: object): void {
  hosted.set(request, originalOf(around));
}

/** Returns the input within whose answer a request was made; `undefined` where a host made it. */
export function hostedBy(input: object): object | undefined {
  return hosted.get(input);
}

/** Returns whether no application has had an input yet: what is set for it comes from its host. */
export function isNew(input: object): boolean {
  return !((input as { readonly params?: unknown }).params instanceof Params);
}

/** Names the input that an object is made from, such as a call of the semantics module. */
export const original: unique symbol = Symbol("original");
