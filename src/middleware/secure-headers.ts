import { routedBy } from "../dispatch/input-exchange.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { isFieldValue } from "../fields/token.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isEncrypted } from "../fields/request-fields.ts";
import { answerWithFields } from "./lib/response-fields.ts";

/** Each option is the value of the field of that name; `false` leaves the field out. */
export interface SecureHeadersOptions<Input extends object = ReceivedRequest> {
  /** Content Security Policy Level 3. Default: none. */
  readonly contentSecurityPolicy?: string | false | undefined;
  /** The same, but only reported. Default: none. */
  readonly contentSecurityPolicyReportOnly?: string | false | undefined;
  /** HTML. Default: none. */
  readonly crossOriginEmbedderPolicy?: string | false | undefined;
  /** HTML. Default: `same-origin`. */
  readonly crossOriginOpenerPolicy?: string | false | undefined;
  /** Fetch. Default: `same-origin`. */
  readonly crossOriginResourcePolicy?: string | false | undefined;
  /** HTML. Default: `?1`. */
  readonly originAgentCluster?: string | false | undefined;
  /** Permissions Policy. Default: none. */
  readonly permissionsPolicy?: string | false | undefined;
  /** Referrer Policy. Default: `same-origin`. */
  readonly referrerPolicy?: string | false | undefined;
  /** RFC 6797, on secure transport only. Default: `max-age=31536000; includeSubDomains`. */
  readonly strictTransportSecurity?: string | false | undefined;
  /** Fetch. Default: `nosniff`. */
  readonly xContentTypeOptions?: string | false | undefined;
  /** HTML. Default: `SAMEORIGIN`. */
  readonly xFrameOptions?: string | false | undefined;
  /**
   * Decides whether a request came by secure transport. Default: by the scheme of a `Request`, and by Node's socket.
   * Set it behind a proxy that ends TLS.
   */
  readonly https?: ((input: Input) => boolean) | undefined;
}

const fieldOptions = {
  contentSecurityPolicy: ["Content-Security-Policy", false],
  contentSecurityPolicyReportOnly: ["Content-Security-Policy-Report-Only", false],
  crossOriginEmbedderPolicy: ["Cross-Origin-Embedder-Policy", false],
  crossOriginOpenerPolicy: ["Cross-Origin-Opener-Policy", "same-origin"],
  crossOriginResourcePolicy: ["Cross-Origin-Resource-Policy", "same-origin"],
  originAgentCluster: ["Origin-Agent-Cluster", "?1"],
  permissionsPolicy: ["Permissions-Policy", false],
  // Not "no-referrer", which makes the Origin of a site's own forms "null" (Fetch §3.2).
  referrerPolicy: ["Referrer-Policy", "same-origin"],
  strictTransportSecurity: ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"],
  xContentTypeOptions: ["X-Content-Type-Options", "nosniff"],
  xFrameOptions: ["X-Frame-Options", "SAMEORIGIN"],
} as const;

type Option = keyof typeof fieldOptions;

/**
 * Makes middleware that adds the fields by which browsers guard a site, also to responses made from errors. A field
 * that a handler sets itself stays.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(secureHeaders()).build();
 * const { headers } = await app.request("/");
 * console.log(headers.get("X-Frame-Options")); // SAMEORIGIN
 * ```
 */
export function secureHeaders<Input extends object = ReceivedRequest>(
  options: SecureHeadersOptions<Input> = {},
): MiddlewareClass {
  const check = new OptionCheck("secureHeaders", options, [...(Object.keys(fieldOptions) as Option[]), "https"]);
  check.function("https");
  const added: [name: string, value: string][] = [];
  for (const [option, [name, standard]] of Object.entries(fieldOptions)) {
    const { [option as Option]: value = standard } = check.options;
    check.require(value === false || (value !== "" && isFieldValue(value)), option, "a field value or false", value);
    if (value !== false) added.push([name, value]);
  }
  const { https = (input: object) => isEncrypted(input) ?? routedBy(input).url.startsWith("https:") } = check.options;
  const insecure = added.filter(([name]) => name !== "Strict-Transport-Security");

  return class SecureHeaders extends Middleware {
    static {
      passing(this);
    }

    ALL(input: Input): unknown {
      // RFC 6797 §7.2: never over transport that anyone could have written to.
      const chosen = added.length === insecure.length || https(input) === true ? added : insecure;
      return answerWithFields(this, input, (fields) => {
        for (const [name, value] of chosen) fields.offer(name, value);
      });
    }
  };
}
