import { parseCookies } from "../fields/cookie.ts";
import { formatSetCookie, type CookieAttributes } from "../fields/set-cookie.ts";
import { described } from "../http/described.ts";
import { requestField } from "./request-fields.ts";

/** What a browser is told about a cookie. */
export type CookieOptions = CookieAttributes;

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

const safe: CookieAttributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" };

/**
 * Writes a value for the field `Set-Cookie`: `Path=/`, `Secure`, `HttpOnly` and `SameSite=Lax` unless the attributes say
 * otherwise. It is to be appended: `headers.append("Set-Cookie", cookie("id", "7"))`.
 *
 * @throws {TypeError} when a browser would ignore the cookie or read something else.
 * @example
 * ```ts
 * console.log(cookie("theme", "dark")); // theme=dark; Path=/; HttpOnly; Secure; SameSite=Lax
 * ```
 */
export function cookie(name: string, value: string, attributes: CookieOptions = {}): string {
  return formatSetCookie(name, value, { ...safe, ...attributes });
}

/**
 * Writes a value for the field `Set-Cookie` that deletes a cookie. It must have the domain and path of the one that it is to
 * delete (RFC 6265 §4.1.2).
 *
 * @throws {TypeError} when a browser would ignore it.
 * @example
 * ```ts
 * const response = new Response();
 * response.headers.append("Set-Cookie", expiredCookie("theme"));
 * ```
 */
export function expiredCookie(name: string, attributes: CookieOptions = {}): string {
  return cookie(name, "", { ...attributes, expires: new Date(0), maxAgeSeconds: 0 });
}

const algorithm = { name: "HMAC", hash: "SHA-256" };

/**
 * Signs values of cookies, so that only who has the secret can make one (HMAC with SHA-256). Anyone can still read them,
 * and send one again that was signed once.
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
  readonly #secrets: readonly Uint8Array<ArrayBuffer>[];
  #keys: Promise<readonly CryptoKey[]> | null = null;

  /**
   * The first secret signs; all verify, so that secrets can be replaced one by one.
   *
   * @throws {TypeError} when there is none, or one has fewer than 32 bytes.
   */
  constructor(...secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets.map((secret) => new TextEncoder().encode(String(secret)));
    if (secrets.length > 0 && this.#secrets.every(({ byteLength }) => byteLength >= 32)) return;
    throw new TypeError("Cannot sign cookies: expected secrets of at least 32 bytes");
  }

  /**
   * Gives the value and its signature, to be the value of the cookie of that name, and of no other.
   *
   * @throws {TypeError} when the value is not a string.
   */
  async sign(name: string, value: string): Promise<string> {
    if (typeof value !== "string")
      throw new TypeError(`Cannot sign a cookie: expected a string, got ${described(value)}`);
    const [key] = await this.#imported();
    const signature = await crypto.subtle.sign(algorithm, key!, bytesOf(name, value));
    return `${value}.${base64urlOf(new Uint8Array(signature))}`;
  }

  /** Gives the value that was signed; null when the signature is not one of ours, or for another name. */
  async verify(name: string, signed: string | undefined): Promise<string | null> {
    const dot = signed?.lastIndexOf(".") ?? -1;
    if (signed === undefined || dot === -1) return null;
    const value = signed.slice(0, dot);
    const signature = bytesOfBase64url(signed.slice(dot + 1));
    if (signature === null) return null;
    for (const key of await this.#imported()) {
      if (await crypto.subtle.verify(algorithm, key, signature, bytesOf(name, value))) return value;
    }
    return null;
  }

  #imported(): Promise<readonly CryptoKey[]> {
    return (this.#keys ??= Promise.all(
      this.#secrets.map((secret) => crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"])),
    ));
  }
}

// A name has no equals sign, so that no two pairs look alike.
function bytesOf(name: string, value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${name}=${value}`);
}

function base64urlOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The 32 bytes of a signature, written in the one way that we write it. */
function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[-\w]{43}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  return base64urlOf(bytes) === text ? bytes : null;
}
