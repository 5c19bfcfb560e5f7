import { Attribute } from "../../application/attribute.ts";
import { Middleware, type MiddlewareClass } from "../../application/middleware.ts";
import { setsIdentity } from "../../dispatch/guarded.ts";
import { preferredMediaType } from "../../fields/accept.ts";
import { requestField } from "../../fields/request-fields.ts";
import { isFieldValue } from "../../fields/token.ts";
import { formatChallenge } from "../../fields/www-authenticate.ts";
import { OptionCheck } from "../../http/javascript/option-check.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { answerWith } from "../../middleware/lib/response-fields.ts";
import { cookieNames } from "./cookie-names.ts";

/** Options of `signedIn()`. */
export interface SignedInOptions<Data> {
  /** The attribute that `sessions()` sets. */
  readonly session: Pick<Attribute<{ readonly data: Data | null }>, "get">;
  /** Names the protected area. Printable ASCII. Default: `default`. */
  readonly realm?: string | undefined;
  /** URL of the sign-in page. Browsers that prefer HTML get a 303 to it. Default: they get 401. */
  readonly signInURL?: string | undefined;
  /** Attribute for the data of the session, as the guard found it. */
  readonly identity?: Pick<Attribute<Data>, "set"> | undefined;
  /** Returns the scopes of a session, for operations that require some. Default: the guard grants none. */
  readonly scopesOf?: ((data: Data) => readonly string[]) | undefined;
}

/**
 * Makes a guard that requires a session: without one the client gets 401, or a redirect to `signInURL`. Put it inside
 * of `sessions()`.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const user = new Attribute<{ user: string }>("user");
 * const group = ResourceGroup.builder().middleware(signedIn({ session, identity: user })).build();
 * ```
 */
export function signedIn<Data>(options: SignedInOptions<Data>): MiddlewareClass {
  const check = new OptionCheck("signedIn", options, ["session", "realm", "signInURL", "identity", "scopesOf"]);
  const { session, realm = "default", signInURL, identity, scopesOf } = check.options;
  check.require(session !== undefined, "session", "an Attribute");
  check.attribute("session");
  check.printable("realm");
  const isPlace = signInURL === undefined || (isFieldValue(signInURL) && URL.canParse(signInURL, "https://localhost"));
  check.require(isPlace, "signInURL", "a URL or a path");
  check.attribute("identity");
  check.function("scopesOf");
  const found = scopesOf && new Attribute<Data>("identity");
  const challenge = formatChallenge("Session", { realm });

  return class SignedIn extends Middleware {
    // `sessions()` may be called later.
    static get security(): Readonly<
      Record<string, { readonly type: "apiKey"; readonly in: "cookie"; readonly name: string }>
    > {
      return { session: { type: "apiKey", in: "cookie", name: cookieNames.get(session) ?? "__Host-session" } };
    }
    static readonly answers = {
      401: "A session is needed",
      ...(signInURL !== undefined && { 303: "Browsers that prefer HTML are sent to the sign-in" }),
    };
    static readonly identity = found;
    static readonly [setsIdentity] = identity;
    static readonly grants = scopesOf;

    ALL(input: object): unknown {
      const { data } = session.get(input);
      if (data !== null) {
        identity?.set(input, data);
        found?.set(input, data);
        return this.next(input);
      }
      if (signInURL !== undefined && prefersHtml(input)) {
        return answerWith(this, input, Status.SeeOther, (fields) => {
          fields.set("Location", signInURL);
          fields.vary("Accept");
        });
      }
      const fields = { "www-authenticate": challenge, ...(signInURL !== undefined && { vary: "Accept" }) };
      throw refusal(Status.Unauthorized, undefined, fields);
    }
  };
}

/**
 * Returns whether the client prefers a page. Of equal types the first counts, because a program that accepts anything
 * wants no page.
 */
function prefersHtml(input: object): boolean {
  return (
    preferredMediaType(requestField(input, "accept"), ["application/problem+json", "application/json", "text/html"]) ===
    "text/html"
  );
}
