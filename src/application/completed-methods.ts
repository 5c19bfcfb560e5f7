import { isResponseLike } from "../dispatch/fetch-response.ts";
import type { Handler, MountedResource } from "../dispatch/mounted-resource.ts";
import { discard } from "../http/message/discarded-content.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { unimplemented } from "./application-model.ts";

/** By resource: the methods that it allows. It may be completed several times, each time for other methods. */
const allowing = new WeakMap<MountedResource, Set<string>>();

/** Answers of methods that a resource does not implement, and that are not 405. */
export interface AddedAnswers {
  HEAD(GET: Handler): Handler;
  /** Answers OPTIONS. `allow` is the value of `Allow`. */
  OPTIONS(input: object, allow: string): unknown;
}

/**
 * Adds handlers to a resource for methods that it does not implement (RFC 9110 §9.1): 405, but for HEAD and OPTIONS.
 * They run where its own would: after all middleware.
 */
export function completeMethods(mounted: MountedResource, added: readonly string[], answers: AddedAnswers): void {
  const names = allowing.get(mounted) ?? begun(mounted);
  const handlers = Object.setPrototypeOf({ ...mounted.handlers }, null) as Record<string, Handler | null>;
  const GET = names.has("GET") ? handlers["GET"]! : null;
  for (const method of added) {
    if (names.has(method)) continue;
    const answer = method === "HEAD" ? GET && answers.HEAD(GET) : method === "OPTIONS" ? list : null;
    if (answer !== null) names.add(method);
    handlers[method] = answer ?? refuse;
  }
  mounted.handlers = handlers;

  function refuse(): never {
    throw refusal(Status.MethodNotAllowed, undefined, { allow: listOf(names) });
  }

  function list(input: unknown): unknown {
    return answers.OPTIONS(input as object, listOf(names));
  }
}

/** Removes the content of an answer to HEAD. Returns what is not a response as it is. */
export function withoutContent(result: unknown): unknown {
  if (!isResponseLike(result) || result.body === null) return result;
  const { status, statusText, headers } = result;
  discard(result);
  return new Response(null, { status, statusText, headers });
}

/** Begins to complete a resource: it allows the methods that its class implements. */
function begun(mounted: MountedResource): Set<string> {
  const { name, methods: own } = mounted;
  const names = new Set(own);
  allowing.set(mounted, names);
  // Tools list the methods that the class implements.
  Object.defineProperty(mounted, "methods", { value: own, configurable: true });
  mounted.refusalOf ??= (method) => {
    if (names.has(method)) return null;
    if (!mounted.handlers[method]) return unimplemented(name, method);
    return { status: Status.MethodNotAllowed, reason: `${name} allows ${listOf(names)}` };
  };
  return names;
}

function listOf(names: ReadonlySet<string>): string {
  return [...names].toSorted().join(", ");
}
