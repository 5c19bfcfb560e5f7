import { mergedAttributes, type CookieAttributes } from "../../fields/cookie-attributes.ts";
import { formatSetCookie } from "../../fields/set-cookie.ts";
import { described } from "../../http/javascript/described.ts";
import type { Fields } from "./fields.ts";

/** The default attributes of a cookie. */
export const safe: CookieAttributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" };

export const expired: CookieAttributes = { expires: new Date(0), maxAgeSeconds: 0 };

/** Signs and verifies values for a jar. */
interface Signer {
  sign(name: string, value: string): Promise<string>;
  verify(name: string, signed: string): Promise<string | null>;
}

/** The cookies of a request, and the cookies that its response sets. */
export interface CookieJar {
  /** Returns the value of a cookie of the request, as it was sent. */
  get(name: string): string | undefined;
  /**
   * Returns the value of a signed cookie of the request. Of several with one name, returns the first that verifies, or
   * null when none does.
   */
  getSigned(name: string): Promise<string | null>;
  /**
   * Sets a cookie. Of several with one name, domain and path the last one is sent. @throws {TypeError} when a browser
   * would ignore it or read something else.
   */
  set(name: string, value: string, attributes?: CookieAttributes): void;
  /** Sets a cookie with a signature. @throws {TypeError} when a browser would ignore it or read something else. */
  setSigned(name: string, value: string, attributes?: CookieAttributes): Promise<void>;
  /**
   * Deletes a cookie that has these attributes. @throws {TypeError} when a browser would ignore it or read something
   * else.
   */
  delete(name: string, attributes?: CookieAttributes): void;
}

/** A jar that `cookies()` passes to handlers. */
export class OpenCookieJar implements CookieJar {
  readonly #sent: ReadonlyMap<string, readonly string[]>;
  readonly #signer: Signer | null;
  readonly #attributes: CookieAttributes;
  readonly #kept: Pick<Fields, "add">;
  readonly #lines = new Map<string, string>();
  #isClosed = false;

  /**
   * @param sent the cookies of the request, with all values of each name.
   * @param kept receives cookies as they are set, because an error may end the call at any time.
   */
  constructor(
    sent: ReadonlyMap<string, readonly string[]>,
    signer: Signer | null,
    attributes: CookieAttributes,
    kept: Pick<Fields, "add">,
  ) {
    this.#sent = sent;
    this.#signer = signer;
    this.#attributes = attributes;
    this.#kept = kept;
  }

  get(name: string): string | undefined {
    return this.#sent.get(name)?.[0];
  }

  async getSigned(name: string): Promise<string | null> {
    const signer = this.#signing();
    // RFC 6265 §5.4, §8.6: a cookie of another host of the site can come first. A repeated value costs nothing more, so
    // the work is linear in the length of the field.
    for (const signed of new Set(this.#sent.get(name))) {
      const value = await signer.verify(name, signed);
      if (value !== null) return value;
    }
    return null;
  }

  set(name: string, value: string, attributes: CookieAttributes = {}): void {
    const all = mergedAttributes(safe, this.#attributes, attributes);
    this.#put(name, all, formatSetCookie(name, value, all));
  }

  async setSigned(name: string, value: string, attributes?: CookieAttributes): Promise<void> {
    this.set(name, await this.#signing().sign(name, value), attributes);
  }

  delete(name: string, attributes: CookieAttributes = {}): void {
    this.set(name, "", { ...attributes, ...expired });
  }

  get lines(): readonly string[] {
    return [...this.#lines.values()];
  }

  /** Refuses any later cookie. */
  close(): void {
    this.#isClosed = true;
  }

  // draft-ietf-httpbis-rfc6265bis-22 §5.7: name, domain and path identify a cookie.
  #put(name: string, { domain = "", path = "/" }: CookieAttributes, line: string): void {
    if (this.#isClosed) throw new TypeError(`Cannot set cookie ${described(name)}: the response is there already`);
    this.#lines.set(`${name};${domain.toLowerCase()};${path}`, line);
    this.#kept.add("Set-Cookie", ...this.lines);
  }

  #signing(): Signer {
    if (this.#signer !== null) return this.#signer;
    throw new TypeError('Cannot sign cookies: give cookies() the option "secrets"');
  }
}
