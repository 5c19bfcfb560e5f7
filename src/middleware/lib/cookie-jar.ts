import { mergedAttributes, type CookieAttributes } from "../../fields/cookie-attributes.ts";
import { formatSetCookie } from "../../fields/set-cookie.ts";
import { described } from "../../http/described.ts";
import type { Fields } from "./fields.ts";

/** The attributes of a cookie unless it is told otherwise. */
export const safe: CookieAttributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" };

/** Those of one that is to be deleted. */
export const expired: CookieAttributes = { expires: new Date(0), maxAgeSeconds: 0 };

/** What signs and verifies values for a jar. */
interface Signer {
  sign(name: string, value: string): Promise<string>;
  verify(name: string, signed: string): Promise<string | null>;
}

/** The cookies of a request, and those that its response sets. */
export interface CookieJar {
  /** The value of a cookie of the request, as it was sent. */
  get(name: string): string | undefined;
  /** The value of a signed cookie of the request: of several with one name, the first that verifies; null when none does. */
  getSigned(name: string): Promise<string | null>;
  /** Sets a cookie. Of several with one name, domain and path the last goes out. @throws {TypeError} when a browser would ignore it or read something else. */
  set(name: string, value: string, attributes?: CookieAttributes): void;
  /** Sets a cookie with a signature. @throws {TypeError} when a browser would ignore it or read something else. */
  setSigned(name: string, value: string, attributes?: CookieAttributes): Promise<void>;
  /** Deletes a cookie that has these attributes. @throws {TypeError} when a browser would ignore it or read something else. */
  delete(name: string, attributes?: CookieAttributes): void;
}

/** A jar that `cookies()` gives to handlers. */
export class OpenCookieJar implements CookieJar {
  readonly #sent: ReadonlyMap<string, readonly string[]>;
  readonly #signer: Signer | null;
  readonly #attributes: CookieAttributes;
  readonly #kept: Pick<Fields, "add">;
  readonly #lines = new Map<string, string>();
  #isClosed = false;

  /**
   * @param sent the cookies of the request, with all values of each name.
   * @param kept where cookies are put as they are set, as nobody can tell what else will end the call.
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
    // RFC 6265 §5.4, §8.6: a cookie of another host of the site can come first. A value that is sent again costs nothing
    // more, so that the work is in proportion to the length of the field.
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

  /** The values of `Set-Cookie`. */
  get lines(): readonly string[] {
    return [...this.#lines.values()];
  }

  /** Takes no more. */
  close(): void {
    this.#isClosed = true;
  }

  // draft-ietf-httpbis-rfc6265bis-22 §5.7: name, domain and path make a cookie what it is.
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
