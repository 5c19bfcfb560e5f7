import type { MiddlewareClass } from "../application/middleware.ts";
import { Resource, type RequestOf } from "../application/native.ts";
import { original } from "../dispatch/input-exchange.ts";
import { replacedInput } from "../dispatch/replaced-input.ts";
import { isMountable, refuseAt } from "../dispatch/mounted-resource.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { described } from "../http/javascript/described.ts";
import { ownOf } from "../http/javascript/property.ts";
import { methods } from "../http/protocol/method.ts";
import { markOwn } from "../dispatch/own-handler.ts";

/** What answers requests in another framework, such as `app.fetch` of Hono. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Options of `mount()`. */
export interface MountOptions {
  /**
   * Passes the path without the prefix: `/trpc/books` comes as `/books`. The prefix is everything before the rest
   * param, prefixes of groups included. A path that is not valid percent-encoded UTF-8 gets 400. Default: false, so
   * that the handler gets the request as it came.
   */
  readonly stripPrefix?: boolean | undefined;
  /** Middleware around the resource, outermost first, such as a guard. Default: none. */
  readonly middleware?: readonly MiddlewareClass[] | undefined;
}

/**
 * Makes a resource class of a function that answers requests, such as the `fetch` of another framework.
 *
 * The function gets all nine methods, HEAD and OPTIONS included, and its response is the answer. Groups and middleware
 * wrap the class like any other. Extend it to give it a name for logs, or `static middleware`.
 *
 * An error of the function goes to `onError()`, and gets 500 unless it is an `HTTPError`.
 *
 * @throws {TypeError} when the second argument is not a function, or when the prefix is stripped and a path has no rest
 * param such as `:path*`.
 * @example
 * ```ts
 * import { mount } from "fingerpost/mount";
 *
 * const legacy = (request: Request): Response => new Response(`${request.method} ${new URL(request.url).pathname}`);
 *
 * class Legacy extends mount(["/legacy/:path*"], legacy, { stripPrefix: true }) {}
 *
 * const app = Application.builder().resources(Legacy).build();
 * console.log(await (await app.request("/legacy/books/7")).text()); // GET /books/7
 * ```
 */
export function mount(paths: readonly string[], fetch: FetchHandler, options: MountOptions = {}): typeof Resource {
  const check = new OptionCheck<MountOptions>("mount", options, ["stripPrefix", "middleware"]);
  const { stripPrefix: isStripped = false, middleware = [] } = check.options;
  check.boolean("stripPrefix");
  check.list("middleware", isMountable, "middleware classes");
  if (typeof fetch !== "function") {
    throw new TypeError(`Cannot mount the handler: expected a function, such as app.fetch, got ${described(fetch)}`);
  }
  if (isStripped) for (const path of paths) restIn(path, "mount()");

  class Mounted extends Resource {
    static readonly middleware: readonly MiddlewareClass[] = middleware;
    override paths = paths;

    /** Refuses other paths that a subclass has. */
    [refuseAt](name: string, patterns: readonly string[]): void {
      if (isStripped) for (const pattern of patterns) restIn(pattern, name);
    }
  }
  const answer = (request: RequestOf): Response | Promise<Response> =>
    fetch(isStripped ? withoutPrefix(request) : request);
  markOwn(answer);
  for (const method of methods) Mounted.prototype[method] = answer as (input: unknown) => Response | Promise<Response>;
  return Mounted;
}

function restIn(pattern: string, name: string): string {
  const [, rest] = /\/:(\w+)[*+]$/.exec(pattern) ?? [];
  if (rest !== undefined) return rest;
  throw new TypeError(
    `Cannot strip the prefix of a path of ${name}: expected a pattern that ends in "/:path*" or "/:path+", got ` +
      `${described(pattern)}`,
  );
}

function withoutPrefix(request: RequestOf): Request {
  const { params } = request;
  const url = new URL(request.url);
  // Made of the matched params, not cut from the URL, whose parser leaves dot segments on some runtimes. A handler that
  // resolves them would see another path in `/open/.a/x/../admin` than the guards did.
  url.pathname = `/${params.segments(restIn(params.pattern, "mount()"), "any").map(encoded).join("/")}`;
  const stripped = replacedInput(request, { url: url.href }) as Request;
  // What is known of the request that came in, such as attributes and the signal of a stopping server, is known of this
  // one.
  return Object.defineProperty(stripped, original, ownOf({ value: request }));
}

/** A segment with escapes where one is needed only: commas and colons mean something to some handlers. */
function encoded(segment: string): string {
  return encodeURI(segment).replace(/[/?#]/g, encodeURIComponent);
}
