import type { Attribute } from "../application/attribute.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { endWith } from "../dispatch/followed-end.ts";
import { routedBy } from "../dispatch/input-exchange.ts";
import { parseCookieValues } from "../fields/cookie.ts";
import { requestField } from "../fields/request-fields.ts";
import { isToken } from "../fields/token.ts";
import { sha256 } from "../http/javascript/digest.ts";
import { described } from "../http/javascript/described.ts";
import { after, isThenable } from "../http/javascript/thenable.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { limitedStore } from "../http/protocol/limited-store.ts";
import { storeTimeoutOf, type StoreTimeout } from "../http/protocol/store-timeout.ts";
import { isProcessFeed, type ProcessFeed } from "../http/message/process-feed.ts";
import { isSchema, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import { NodeFields } from "../middleware/lib/fields.ts";
import { hostOf } from "../middleware/lib/meant-host.ts";
import { addToErrors, nodeResponseOf, withFields } from "../middleware/lib/response-fields.ts";
import { areSecrets } from "../http/javascript/text-signer.ts";
import { OpenedCookie } from "./sessions/opened-cookie.ts";
import { OpenedSession } from "./sessions/opened-session.ts";
import { SealedCookie } from "./sessions/sealed-cookie.ts";
import { Followers } from "./sessions/followers.ts";
import { cookieNames } from "./sessions/cookie-names.ts";
import { SessionData } from "./sessions/session-data.ts";
import { SessionFields, type DeclaredCache, type SessionCookie } from "./sessions/session-fields.ts";
import type { SessionEntry, SessionStore } from "./sessions/session-store.ts";
import type { SealedSession, Session, SessionsOfOwners } from "./sessions/session.ts";
import { askedStore } from "../http/protocol/asked-store.ts";

export { signedIn } from "./sessions/signed-in.ts";
export type { SignedInOptions } from "./sessions/signed-in.ts";
export type { NewSession, SessionEntry, SessionStore, StoredSession } from "./sessions/session-store.ts";
export type { ProcessFeed } from "../http/message/process-feed.ts";
export type { SealedSession, Session, SessionsOfOwners, StartOptions } from "./sessions/session.ts";

/** What sessions of both kinds take. */
export interface SessionsOptions<Data> {
  /**
   * Reads the data, and says what of it is kept: it must take what JSON has made of what it returns. A session whose
   * data does not fit is none.
   */
  readonly schema: StandardSchema<unknown, Data>;
  /** The name of the cookie, to which `__Host-` is added. Default: `session`. */
  readonly cookie?: string | undefined;
  /** Keeps the cookie after the browser closes, for `absoluteMs`. Default: false. */
  readonly persistent?: boolean | undefined;
  /** Lifetime of an unused session in milliseconds. Default: 30 minutes. */
  readonly idleMs?: number | undefined;
  /** Maximum lifetime of a session in milliseconds. Default: 12 hours. */
  readonly absoluteMs?: number | undefined;
  /**
   * Whether the cookie has `Secure` and `__Host-`. `false` is for development without TLS: requests to another host
   * than this machine then fail. Default: true.
   */
  readonly secure?: boolean | undefined;
}

/** What sessions in a store take. */
export interface StoredSessionsOptions<Data> extends SessionsOptions<Data>, StoreTimeout {
  /** Attribute for the session of each request. */
  readonly session: Pick<Attribute<Session<Data>>, "set">;
  /** Store of the sessions, which all processes share. */
  readonly store: SessionStore;
  /** Says whose session it is, for `list()`, `revoke()` and `revokeAll()` of the class that is returned. */
  readonly ownerOf?: ((data: Data) => string) | undefined;
  /**
   * Connects processes: all of them end the WebSockets and events of a session that ends in one. It is what
   * `redisFeed()` of the page on events returns, with a key of its own. Default: this process alone.
   */
  readonly feed?: ProcessFeed | undefined;
}

/** What sessions in a sealed cookie take. */
export interface SealedSessionsOptions<Data> extends SessionsOptions<Data> {
  /** Attribute for the session of each request. */
  readonly session: Pick<Attribute<SealedSession<Data>>, "set">;
  /** Secrets of at least 32 bytes each. The first seals, and all of them open. */
  readonly secrets: readonly string[];
}

/** The options of both kinds, as they are checked. */
interface AnyOptions<Data> extends SessionsOptions<Data>, StoreTimeout {
  readonly session: Pick<Attribute<never>, "set">;
  readonly store?: SessionStore | undefined;
  readonly ownerOf?: ((data: Data) => string) | undefined;
  readonly feed?: ProcessFeed | undefined;
  readonly secrets?: readonly string[] | undefined;
}

const known: readonly (keyof AnyOptions<unknown>)[] = [
  ...(["session", "schema", "store", "secrets", "ownerOf", "feed", "cookie", "persistent"] as const),
  ...(["idleMs", "absoluteMs", "storeTimeoutMs", "secure"] as const),
];

// `seen` is written at most so often, and often enough for short sessions.
const mostEveryMs = 60_000;

/**
 * Makes middleware that adds a session to each request: `session.get(input)` with `data`, `start()`, `update()` and
 * `end()`.
 *
 * The cookie is `__Host-session` with `HttpOnly`, `Secure`, `SameSite=Lax` and `Path=/`. With a store it holds a random
 * secret, which the store knows by its SHA-256 only. Responses whose session was read have `Vary: Cookie` and
 * `Cache-Control: no-store`, unless the operation declares `cache`. It is for all modules.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const session = new Attribute<Session<{ user: string }>>("session");
 *
 * class SignIn extends Resource {
 *   paths = ["/session"];
 *
 *   async POST(request: Request): Promise<Response> {
 *     await session.get(request).start({ user: "ada" });
 *     return new Response(null, { status: 204 });
 *   }
 * }
 * const store = memorySessions();
 * const schema = z.object({ user: z.string() });
 * const app = Application.builder().resources(SignIn).middleware(sessions({ session, schema, store })).build();
 * const { headers } = await app.request("/session", { method: "POST" });
 * console.log(headers.get("Set-Cookie")?.split("=")[0]); // __Host-session
 * ```
 */
export function sessions<Data>(
  options: StoredSessionsOptions<Data> & { readonly ownerOf: (data: Data) => string },
): MiddlewareClass & SessionsOfOwners;
/**
 * Makes middleware by which each request has a session in a store.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function sessions<Data>(options: StoredSessionsOptions<Data>): MiddlewareClass;
/**
 * Makes middleware by which each request has a session in a cookie, sealed by JWE (`dir`, A256GCM). It needs the
 * package `jose`.
 *
 * There is no store: two requests at once can lose a change, so that there is no `update()`. `end()` deletes the
 * cookie, and cannot revoke a copy of it. A cookie holds 3,800 bytes.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function sessions<Data>(options: SealedSessionsOptions<Data>): MiddlewareClass;
export function sessions<Data>(options: AnyOptions<Data>): MiddlewareClass {
  const { session, store, ownerOf, feed, secrets, cookie: name, secure, ...rules } = checked(options);
  const { data, idleMs, absoluteMs } = rules;
  const maxAgeSeconds = rules.persistent ? Math.floor(absoluteMs / 1000) : undefined;
  const cookie: SessionCookie = {
    name,
    attributes: { path: "/", secure, httpOnly: true, sameSite: "Lax", maxAgeSeconds },
  };
  const everyMs = Math.min(mostEveryMs, idleMs / 2);
  const times = { data, idleMs, absoluteMs, everyMs };
  const sealed = secrets === undefined ? null : { ...times, cookie: new SealedCookie(name, secrets) };
  const digest = (text: string): string | Promise<string> => sha256(`${name}=${text}`);
  const followers = new Followers(feed);
  const stored = store === undefined ? null : { ...times, store, ownerOf, digest, followers };
  cookieNames.set(session, name);

  function opened(
    fields: SessionFields,
    sent: string | null,
  ): [OpenedSession<Data> | OpenedCookie<Data>, void | Promise<void>] {
    if (sealed === null) {
      const handle = new OpenedSession(stored!, fields);
      // 32 bytes in Base64.
      return [handle, sent !== null && /^[\w-]{43}$/.test(sent) ? handle.open(sent) : undefined];
    }
    const handle = new OpenedCookie(sealed, fields);
    return [handle, sent === null ? undefined : handle.open(sent)];
  }

  return class Sessions extends Middleware {
    static readonly identity = session;

    static async list(owner: string): Promise<SessionEntry[]> {
      const key = await digest(owner);
      return askedStore(() =>
        after(store!.list(key), (entries) =>
          entries.map((entry) => ({ ...entry, label: String(JSON.parse(entry.label)) })),
        ),
      );
    }

    static async revoke(owner: string, id: string): Promise<void> {
      const entries = await this.list(owner);
      if (!entries.some((entry) => entry.id === id)) return;
      await askedStore(() => store!.delete(id));
      await askedStore(() => followers.end(id));
    }

    static async revokeAll(
      owner: string,
      { except = null }: { readonly except?: string | null | undefined } = {},
    ): Promise<void> {
      const entries = await this.list(owner);
      const others = entries.filter(({ id }) => id !== except);
      await Promise.all(others.map(async ({ id }) => askedStore(() => store!.delete(id))));
      // Followers end, too, if another process has ended their sessions.
      const key = await digest(owner);
      await askedStore(() => followers.endOwner(key, except));
    }

    ALL(input: object): unknown {
      if (!secure) refuseForeignHost(input);
      const response = nodeResponseOf(input);
      const fields = new SessionFields(cookie, response === null ? null : new NodeFields(response, this), () =>
        declaredOf(this.resourceOf(input), routedBy(input).method),
      );
      if (response === null) addToErrors(this, input, (errors) => fields.addTo(errors));
      const answered = (result: unknown): unknown => {
        fields.close();
        return response === null && fields.isRead ? withFields(result, (sent) => fields.addTo(sent)) : result;
      };
      const failed = (error: unknown): never => {
        fields.close();
        throw error;
      };
      const [handle, opening] = opened(fields, sentIn(input, name));
      // PERF: where the store answers at once, nothing waits: 2 of 5 us (`node bench/middleware.js --only="session in
      // memory"`).
      return after(opening, () => {
        session.set(input, handle as never);
        endWith(input, (end, at) => handle.follow(end, at));
        let result: unknown;
        try {
          result = this.next(input);
        } catch (error) {
          return failed(error);
        }
        return isThenable(result) ? Promise.resolve(result).then(answered, failed) : answered(result);
      });
    }
  };
}

function checked<Data>(options: AnyOptions<Data>) {
  const check = new OptionCheck<AnyOptions<Data>>("sessions", options, known);
  const { session, schema, store, secrets, ownerOf, feed, storeTimeoutMs, cookie = "session" } = check.options;
  const { persistent = false, idleMs = 1_800_000, absoluteMs = 43_200_000, secure = true } = check.options;
  check.require(session !== undefined, "session", "an Attribute");
  check.attribute("session");
  check.require(isSchema(schema), "schema", "a schema, such as z.object({ user: z.string() })");
  check.either("store", "secrets");
  check.require(store === undefined || isStore(store), "store", "a store such as memorySessions()");
  check.requireSecret(
    secrets === undefined || areSecrets(secrets),
    "secrets",
    "an array of secrets of at least 32 bytes",
  );
  check.function("ownerOf");
  check.require(ownerOf === undefined || store !== undefined, "ownerOf", 'absent without "store"');
  const isFed = feed === undefined || (store !== undefined && isProcessFeed(feed));
  check.require(isFed, "feed", 'an object with "inbox" and "send", beside "store"');
  const isName = isToken(cookie) && !/^__(?:host|secure|http)/i.test(cookie);
  check.require(isName, "cookie", "a token without the prefix, which is added");
  check.boolean("persistent", "secure");
  check.positive("idleMs", "absoluteMs");
  check.require(absoluteMs >= idleMs, "absoluteMs", 'at least "idleMs"', absoluteMs);
  const hasStore = store !== undefined || storeTimeoutMs === undefined;
  check.require(hasStore, "storeTimeoutMs", 'absent without "store"');
  const name = secure ? `__Host-${cookie}` : cookie;
  const data = new SessionData(schema);
  const timeoutMs = storeTimeoutOf(check);
  return {
    session,
    data,
    secrets,
    ownerOf,
    cookie: name,
    persistent,
    idleMs,
    absoluteMs,
    secure,
    // Nobody has the id of a session that begins late.
    store: store && limitedStore(store, questions, timeoutMs, { begin: (_, key) => store.delete(key) }),
    feed: feed && { inbox: feed.inbox, ...limitedStore(feed, ["send"], timeoutMs) },
  };
}

const questions = ["find", "begin", "replace", "delete", "list"] as const;

function isStore(store: unknown): boolean {
  const given = (store ?? {}) as Partial<Record<keyof SessionStore, unknown>>;
  return questions.every((name) => typeof given[name] === "function");
}

/** Returns the value of the cookie. Of several, one would be somebody else's: none counts then. */
function sentIn(input: object, name: string): string | null {
  const value = requestField(input, "cookie");
  if (value === null || !value.includes(name)) return null;
  const values = parseCookieValues(value).get(name) ?? [];
  return values.length === 1 ? values[0]! : null;
}

/** @throws {TypeError} where a cookie without `Secure` would go over the network. */
function refuseForeignHost(input: object): void {
  const host = hostOf(input);
  if (/^(?:(?:[^:]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(String(host))) return;
  throw new TypeError(
    "Cannot have a session: sessions({ secure: false }) is for this machine, and the request is for " +
      `${described(host)}; leave it out`,
  );
}

/** Returns what the operation of a resource declares of caches, as those of the semantics module can. */
function declaredOf(resource: object | null, method: string): DeclaredCache {
  const { constructor } = Object(resource) as object;
  const operations = constructor as unknown as Readonly<Record<string, DeclaredCache | undefined>>;
  return operations[method === "HEAD" ? "GET" : method] ?? {};
}
