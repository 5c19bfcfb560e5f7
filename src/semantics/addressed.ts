import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { isAsked } from "../dispatch/guarded.ts";
import { errorResponse, print } from "../dispatch/error-response.ts";
import { exchangesOf } from "../dispatch/input-exchange.ts";
import { isUnshared, unshared } from "../fields/cache-control.ts";
import { addVary } from "../fields/vary.ts";
import { changedResponse, fieldsOf } from "../http/message/copied-response.ts";
import type { PathMatch } from "../routing/index/path-match.ts";
import type { Audience } from "./line/audience.ts";
import { reads } from "./operation/operation-model.ts";
import { audienceAt } from "./line-resource.ts";

/**
 * Says in the fields of a response for whom it is. An error, middleware or a native handler has made it, or middleware
 * has passed it on. Fields that it has stay, unless shared caches would keep what is for one user.
 *
 * @param isOfError whether an error has ended the request.
 */
export function addressed(dispatcher: Dispatcher, response: Response, request: Request, isOfError: boolean): Response {
  // What middleware makes of a write may be made of reads.
  if (!reads.has(request.method)) return response;
  const known = exchangesOf(request);
  // Without middleware, nobody guards what a native handler answers, but for `may`. A handshake hangs on its request.
  if ((known.length === 0 && !isOfError && !isAsked(request)) || response.status < 200) return response;
  // Nothing matched: there are no params.
  // PERF: to match again takes 0.2 us of 1.9 on Bun (`node bench/requests.js`, R6 404).
  if (known.length === 0 && (request as { readonly params?: unknown }).params === undefined) return response;
  // Middleware may have gone on with another request.
  const exchanges = known.flatMap((one) => [one, ...(one.ties?.replacements ?? [])]);
  const all = known.length > 0 ? exchanges : [{ found: dispatcher.match(request), method: request.method }];
  const audiences = all.flatMap(({ found, method }): Addressee | [] => {
    const audience = audienceAt(found, method);
    if (audience === null || audience.lines.length === 0) return [];
    // All users that guards let through to the handler get the same: those that they refuse do not. A request that
    // middleware replaced was matched again.
    const { value } = found as PathMatch<unknown>;
    const isOfHandler = exchanges.some(
      (one) => one.reached === one.chain.length && (one.found as PathMatch<unknown>).value === value,
    );
    return { ...audience, isGood: isOfHandler && !isOfError && response.status < 400 };
  });
  if (audiences.length === 0) return response;
  try {
    return withFields(response, audiences);
  } catch (fault) {
    // An error of middleware's response is answered. A light response of an observer may be no response at all.
    if (!isOfError) throw fault;
    print(fault);
    return withFields(errorResponse(fault, null, request, dispatcher.errorFieldsOf(request)), audiences);
  }
}

interface Addressee extends Audience {
  readonly isGood: boolean;
}

function withFields(response: Response, audiences: readonly Addressee[]): Response {
  const given = fieldsOf(response);
  const fields = new Map<string, string>();
  for (const name of ["cache-control", "vary"]) if (given.has(name)) fields.set(name, given.get(name)!);
  for (const { lines, shared, mayShare, isGood } of audiences) {
    const isShared = mayShare(fields.get("cache-control") ?? "");
    for (const [name, value] of isShared && isGood ? shared : lines) {
      const before = fields.get(name);
      // A cache replaces the fields that a 304 has, and keeps the others of what it stored (RFC 9111 §3.2).
      if (before === undefined && response.status === 304) continue;
      if (name === "vary") addVary(fields, ...value.split(", "));
      else if (before === undefined) fields.set(name, value);
      else if (!isShared && !isUnshared(before)) fields.set(name, unshared(before));
    }
  }
  const changed = [...fields].filter(([name, value]) => given.get(name) !== value);
  if (changed.length === 0) return response;
  return changedResponse(response, (own) => {
    for (const [name, value] of changed) own.set(name, value);
  });
}
