import { Attribute } from "../application/attribute.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { mergedAttributes, type CookieAttributes } from "../fields/cookie-attributes.ts";
import { parseCookies, parseCookieValues } from "../fields/cookie.ts";
import { formatSetCookie } from "../fields/set-cookie.ts";
import { isToken } from "../fields/token.ts";
import { described } from "../http/javascript/described.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { expired, OpenCookieJar, safe, type CookieJar } from "./lib/cookie-jar.ts";
import { requestField } from "../fields/request-fields.ts";
import { keptFields, nodeResponseOf, withFields } from "./lib/response-fields.ts";
import { areSecrets, TextSigner } from "../http/javascript/text-signer.ts";

export type { CookieJar } from "./lib/cookie-jar.ts";

/** The attributes of a cookie. */
export type { CookieAttributes } from "../fields/cookie-attributes.ts";

/**
 * The cookies of a request, as they were sent: nothing is decoded. Of several with one name it has the first.
 *
 * @example
 * ```ts
 * const request = new Request("http://localhost/", { headers: { Cookie: "theme=dark" } });
 * console.log(cookiesOf(request).get("theme")); // dark
 * ```
 */
export function cookiesOf(input: object): ReadonlyMap<string, string> {
  return parseCookies(requestField(input, "cookie") ?? "");
}

/**
 * Writes a value for the field `Set-Cookie`: `Path=/`, `Secure`, `HttpOnly` and `SameSite=Lax` unless the attributes
 * say otherwise. It is to be appended: `headers.append("Set-Cookie", cookie("id", "7"))`.
 *
 * @throws {TypeError} when a browser would ignore the cookie or read something else.
 * @example
 * ```ts
 * console.log(cookie("theme", "dark")); // theme=dark; Path=/; HttpOnly; Secure; SameSite=Lax
 * ```
 */
export function cookie(name: string, value: string, attributes: CookieAttributes = {}): string {
  return formatSetCookie(name, value, mergedAttributes(safe, attributes));
}

/**
 * Writes a value for the field `Set-Cookie` that deletes a cookie. It must have the domain and path of the one that it
 * is to delete (RFC 6265 §4.1.2).
 *
 * @throws {TypeError} when a browser would ignore it.
 * @example
 * ```ts
 * const response = new Response();
 * response.headers.append("Set-Cookie", expiredCookie("theme"));
 * ```
 */
export function expiredCookie(name: string, attributes: CookieAttributes = {}): string {
  return cookie(name, "", { ...attributes, ...expired });
}

/**
 * Signs values of cookies, so that only holders of the secret can make one (HMAC with SHA-256). Anyone can still read
 * them, and send one again that was signed once.
 *
 * @example
 * ```ts
 * const signer = new CookieSigner("a secret of at least 32 characters");
 * const signed = await signer.sign("user", "7");
 * await signer.verify("user", signed); // "7"
 * await signer.verify("admin", signed); // null
 * ```
 */
export class CookieSigner {
  readonly #signer: TextSigner;

  /**
   * The first secret signs; all verify, so that secrets can be replaced one by one.
   *
   * @throws {TypeError} when there is none, or one has fewer than 32 bytes.
   */
  constructor(...secrets: readonly [string, ...string[]]) {
    if (!areSecrets(secrets)) {
      throw new TypeError("Cannot sign cookies: expected secrets of at least 32 bytes");
    }
    this.#signer = new TextSigner(secrets);
  }

  /**
   * Returns the value with its signature, for the cookie of this name only.
   *
   * @throws {TypeError} when the name is not a token, or the value is not a string.
   */
  async sign(name: string, value: string): Promise<string> {
    if (!isToken(name)) throw new TypeError(`Cannot sign a cookie: its name must be a token, got ${described(name)}`);
    if (typeof value !== "string")
      throw new TypeError(`Cannot sign a cookie: expected a string, got ${described(value)}`);
    return `${value}.${await this.#signer.sign(pairOf(name, value))}`;
  }

  /** Returns the value that was signed; null when the signature is wrong or for another name. */
  async verify(name: string, text: string | undefined): Promise<string | null> {
    const dot = text?.lastIndexOf(".") ?? -1;
    if (text === undefined || dot === -1) return null;
    const value = text.slice(0, dot);
    return (await this.#signer.verify(pairOf(name, value), text.slice(dot + 1))) ? value : null;
  }
}

// A name has no equals sign, so that no two pairs look alike.
function pairOf(name: string, value: string): string {
  return `${name}=${value}`;
}

/** Options of `cookies()`. */
export interface CookiesOptions {
  /** The first signs, all verify; each has at least 32 bytes. Without them nothing can be signed. */
  readonly secrets?: readonly string[] | undefined;
  /** Attributes of the cookies that are set, where `set()` does not say otherwise. */
  readonly attributes?: CookieAttributes | undefined;
}

const jars = new Attribute<CookieJar>("cookie jar");

/**
 * The cookies of a request and of its response.
 *
 * @throws {Error} when no middleware of `cookies()` is around the handler.
 * @example
 * ```ts
 * class Theme extends Resource {
 *   paths = ["/theme"];
 *
 *   PUT(request: Request): Response {
 *     cookieJarOf(request).set("theme", "dark");
 *     return new Response(null, { status: 204 });
 *   }
 * }
 *
 * const app = Application.builder().resources(Theme).middleware(cookies()).build();
 * ```
 */
export function cookieJarOf(input: object): CookieJar {
  const jar = jars.find(input);
  if (jar !== undefined) return jar;
  throw new Error("Cannot get the cookie jar: this input has none; add cookies() to the middleware around its handler");
}

/**
 * Makes middleware that adds a cookie jar to each input: see `cookieJarOf(input)`. Cookies set in the jar are sent with
 * the response, also with an error response.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const group = ResourceGroup.builder()
 *   .middleware(cookies({ secrets: ["keep this one out of the repository"] }))
 *   .build();
 * ```
 */
export function cookies(options: CookiesOptions = {}): MiddlewareClass {
  const check = new OptionCheck("cookies", options, ["secrets", "attributes"]);
  const { secrets, attributes = {} } = check.options;
  check.requireSecret(
    secrets === undefined || areSecrets(secrets),
    "secrets",
    "an array of secrets of at least 32 bytes",
  );
  check.require(isAttributes(attributes), "attributes", "attributes of a cookie that fit together");
  const signer = secrets === undefined ? null : new CookieSigner(...(secrets as [string, ...string[]]));

  return class Cookies extends Middleware {
    async ALL(input: object): Promise<unknown> {
      const isThere = nodeResponseOf(input) !== null;
      const kept = keptFields(this, input);
      // Cookies that were set before another next() of outer middleware belong to a response that is not sent.
      kept.add("Set-Cookie");
      const outer = jars.find(input);
      const jar = new OpenCookieJar(
        parseCookieValues(requestField(input, "cookie") ?? ""),
        signer,
        { ...attributes },
        kept,
      );
      jars.set(input, jar);
      try {
        const result = await this.next(input);
        const { lines } = jar;
        return isThere || lines.length === 0
          ? result
          : withFields(result, (fields) => fields.add("Set-Cookie", ...lines));
      } finally {
        jar.close();
        // C2.3: the same input may be handled again before this is over, and then has a jar of that call.
        if (outer !== undefined && jars.find(input) === jar) jars.set(input, outer);
      }
    }
  };
}

function isAttributes(attributes: unknown): boolean {
  if (!isPlainObject(attributes)) return false;
  try {
    return cookie("name", "", attributes) !== "";
  } catch {
    return false;
  }
}
