import type { CookieAttributes } from "../../fields/cookie-attributes.ts";
import { isUnshared } from "../../fields/cache-control.ts";
import { formatSetCookie } from "../../fields/set-cookie.ts";
import { expired } from "../../middleware/lib/cookie-jar.ts";
import type { Fields } from "../../middleware/lib/fields.ts";

export interface SessionCookie {
  readonly name: string;
  readonly attributes: CookieAttributes;
}

/** Says who may keep the answers of an operation. */
export interface DeclaredCache {
  readonly cache?: unknown;
  readonly shared?: unknown;
}

/** What reading and changing a session does to the fields of the response. */
export class SessionFields {
  readonly #cookie: SessionCookie;
  readonly #sent: Fields | null;
  readonly #declared: () => DeclaredCache;
  #line: string | null = null;
  #isClosed = false;

  /**
   * @param sent the fields of a response that is there before the handler runs: Node's, in a context. Null if the
   * response is made later.
   * @param declared what the operation says of who may keep its answer.
   */
  constructor(cookie: SessionCookie, sent: Fields | null, declared: () => DeclaredCache) {
    this.#cookie = cookie;
    this.#sent = sent;
    this.#declared = declared;
  }

  /** Whether the answer depends on the session. */
  isRead = false;
  /** A cookie that is sent if the session is read. */
  renewed: string | null = null;

  read(): void {
    if (this.isRead || this.#isClosed) return;
    this.isRead = true;
    if (this.renewed !== null) this.#line = this.#lineOf(this.renewed, this.#cookie.attributes);
    this.#send();
  }

  /** Refuses changes after the response. @throws {TypeError} */
  refuseLate(): void {
    if (this.#isClosed) throw new TypeError("Cannot change a session: the response is there already");
  }

  /** Sets the cookie, or deletes it. @throws {TypeError} when the response is there. */
  set(value: string | null): void {
    this.refuseLate();
    const { attributes } = this.#cookie;
    this.isRead = true;
    this.#line = value === null ? this.#lineOf("", { ...attributes, ...expired }) : this.#lineOf(value, attributes);
    this.#send();
  }

  close(): void {
    this.#isClosed = true;
  }

  addTo(fields: Fields): void {
    if (!this.isRead) return;
    fields.vary("Cookie");
    if (this.#line !== null) fields.add("Set-Cookie", this.#line);
    const given = fields.get("cache-control");
    const { cache, shared } = this.#declared();
    const isDeclared = cache !== undefined && (cache === given || shared === true);
    // The line says `private` by itself: a browser would show an answer again after the sign-out. RFC 9111 §7.3: a
    // cache that stores the cookie, or an answer that was made by it, gives it to others.
    if (
      given === null ||
      (given === "private" && cache === undefined) ||
      (!isUnshared(given) && (this.#line !== null || !isDeclared))
    ) {
      fields.set("Cache-Control", "no-store");
    }
  }

  #send(): void {
    if (this.#sent !== null) this.addTo(this.#sent);
  }

  #lineOf(value: string, attributes: CookieAttributes): string {
    return formatSetCookie(this.#cookie.name, value, attributes);
  }
}
