import { Attribute } from "../application/attribute.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { setsIdentity } from "../dispatch/guarded.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import {
  hasControls,
  parseBasicCredentials,
  parseCredentials,
  type BasicCredentials,
} from "../fields/authorization.ts";
import { formatChallenge } from "../fields/www-authenticate.ts";
import { described } from "../http/javascript/described.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status } from "../http/protocol/status.ts";
import { nextOf } from "./lib/response-fields.ts";
import { requestField } from "../fields/request-fields.ts";
import { Secrets } from "./lib/secrets.ts";

/** Options of `basic()`. */
export interface BasicOptions<Input extends object = ReceivedRequest> {
  /** Names what is protected, for the person who is asked for a password. Printable ASCII. Default: `default`. */
  readonly realm?: string | undefined;
  /** Passwords by the name of their user. */
  readonly users?: Readonly<Record<string, string>> | undefined;
  /** Decides whether a user has a password, instead of `users`. */
  readonly verify?: ((user: string, password: string, input: Input) => boolean | Promise<boolean>) | undefined;
  /** Is set to the name of the user: as `users` has it, or as `verify` was asked about it. */
  readonly identity?: Pick<Attribute<string>, "set"> | undefined;
  /** Returns the scopes of a user, for operations that require some. Default: the guard grants none. */
  readonly scopesOf?: ((user: string) => readonly string[]) | undefined;
}

/**
 * Makes a guard that asks for a user's name and password by the scheme Basic (RFC 7617), and answers 401 until they are
 * right.
 *
 * Passwords of `users` are kept and compared as SHA-256 digests, all of them and each to its end.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const guard = basic({ realm: "library", users: { ada: "analytical engine" } });
 * const group = ResourceGroup.builder().middleware(guard).build();
 * ```
 */
export function basic<Input extends object = ReceivedRequest>(options: BasicOptions<Input>): MiddlewareClass {
  const check = new OptionCheck("basic", options, ["realm", "users", "verify", "identity", "scopesOf"]);
  const nameOf = verifierOf(check);
  const { realm = "default", identity, scopesOf } = check.options;
  check.function("scopesOf");
  const found = scopesOf && new Attribute<string>("identity");
  const challenge = formatChallenge("Basic", { realm, charset: "UTF-8" });

  return class Basic extends Middleware {
    static {
      passing(this);
    }

    static readonly security = { basic: { type: "http", scheme: "basic" } };
    static readonly answers = { 401: "A user name and a password are needed" };
    static readonly identity = found;
    static readonly [setsIdentity] = identity;
    static readonly grants = scopesOf;

    async ALL(input: Input): Promise<unknown> {
      const credentials = credentialsIn(requestField(input, "authorization"));
      const name = credentials === null ? null : await nameOf(credentials, input);
      if (name === null) {
        throw refusal(Status.Unauthorized, undefined, { "www-authenticate": challenge });
      }
      identity?.set(input, name);
      found?.set(input, name);
      return nextOf(this, input);
    }
  };
}

function credentialsIn(value: string | null): BasicCredentials | null {
  const credentials = value === null ? null : parseCredentials(value);
  if (credentials?.scheme !== "basic" || credentials.token68 === null) return null;
  const parsed = parseBasicCredentials(credentials.token68);
  return parsed !== null && isBounded(parsed) ? parsed : null;
}

// Normalizing takes steps by the square of the length, and a client chooses the length.
const mostOctets = 4096;

/** Returns whether a name, a colon and a password are short enough to be normalized, by their octets in UTF-8. */
function isBounded({ user, password }: BasicCredentials): boolean {
  return new TextEncoder().encode(`${user}:${password}`).byteLength <= mostOctets;
}

/** The name of the user whose credentials these are, or null. */
type NameOf<Input> = (credentials: BasicCredentials, input: Input) => Promise<string | null>;

function verifierOf<Input extends object>(check: OptionCheck<BasicOptions<Input>>): NameOf<Input> {
  const { users = {}, verify } = check.options;
  check.printable("realm");
  check.attribute("identity");
  check.function("verify");
  check.either("users", "verify");
  // Only what is true lets in, whatever a verifier without types returns.
  if (verify !== undefined)
    return async ({ user: name, password }, input) => ((await verify(name, password, input)) === true ? name : null);

  const example = 'such as { ada: "a long random password" }';
  check.secrets("users", `a plain object of passwords by name, one at least, ${example}`);
  const entries = Object.entries(users);
  for (const [name, password] of entries) {
    // The message does not name it: a password may follow the colon.
    check.requireSecret(isParseable(name, ""), "users", "names without a colon and control characters", name);
    const isPassword = typeof password === "string" && password !== "" && isParseable("", password);
    check.requireSecret(
      isPassword,
      "users",
      `passwords without control characters, none of them empty, also for ${described(name)}`,
      password,
    );
    check.requireSecret(
      isBounded({ user: name, password }),
      "users",
      `names and passwords of 4,096 octets at most, also for ${described(name)}`,
      password,
    );
  }
  const secrets = new Secrets(entries.map(([name, password]) => [secretOf({ user: name, password }), name] as const));
  return async (credentials) => (await secrets.find(secretOf(credentials)))?.value ?? null;
}

/** RFC 7617 §2: what cannot be told apart, or must not be sent. */
function isParseable(user: string, password: string): boolean {
  return !user.includes(":") && !hasControls(user + password);
}

// RFC 7617 §2.1: the same characters may come composed or not.
function secretOf({ user, password }: BasicCredentials): string {
  return `${user}:${password}`.normalize("NFC");
}
