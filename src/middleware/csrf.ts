import { routedBy } from "../dispatch/input-exchange.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { isOrigin } from "../fields/origin.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { safeMethods } from "../http/protocol/safe-methods.ts";
import { Status } from "../http/protocol/status.ts";
import { nextOf } from "./lib/response-fields.ts";
import { requestField } from "../fields/request-fields.ts";
import { hostOf } from "./lib/meant-host.ts";

/** Options of `csrf()`. */
export interface CsrfOptions {
  /** Other origins whose pages may send requests that change something. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /** Whether pages of other origins of the same site may, such as subdomains. Default: false. */
  readonly allowSameSite?: boolean | undefined;
  /** Whether to refuse requests with neither field, which do not come from browsers. Default: false. */
  readonly requireOrigin?: boolean | undefined;
}

/**
 * Makes middleware that refuses requests that pages of other sites have a browser send: 403, before anything is done.
 *
 * Fetch Metadata decides (`Sec-Fetch-Site`); where it is not there, `Origin`, compared with the host of the request.
 * Methods that are safe pass: their handlers must not change anything (RFC 9110 §9.2.1).
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(csrf()).build();
 * const init = { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } };
 * console.log((await app.request("/", init)).status); // 403
 * ```
 */
export function csrf(options: CsrfOptions = {}): MiddlewareClass {
  const check = new OptionCheck("csrf", options, ["origins", "allowSameSite", "requireOrigin"]);
  const { origins = [], allowSameSite = false, requireOrigin = false } = check.options;
  check.list("origins", isOrigin, 'origins such as "https://example.com", without a path');
  check.boolean("allowSameSite", "requireOrigin");
  const trusted = new Set(origins);

  function isOwn(input: object): boolean {
    const site = requestField(input, "sec-fetch-site");
    const origin = requestField(input, "origin");
    if (origin !== null && trusted.has(origin)) return true;
    // Fetch Metadata §2.1: "none" is a person at the address bar or a bookmark.
    if (site !== null) return site === "same-origin" || site === "none" || (allowSameSite && site === "same-site");
    return origin === null ? !requireOrigin : isOrigin(origin) && new URL(origin).host === hostOf(input);
  }

  return class Csrf extends Middleware {
    static {
      passing(this);
    }

    static answers(method: string): Readonly<Record<number, string>> {
      return safeMethods.has(method) ? {} : { 403: "The request was sent by a page of another site" };
    }

    ALL(input: object): unknown {
      if (safeMethods.has(routedBy(input).method) || isOwn(input)) return nextOf(this, input);
      throw refusal(Status.Forbidden, "The request was sent by a page of another site");
    }
  };
}
