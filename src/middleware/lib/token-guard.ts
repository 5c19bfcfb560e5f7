import { Attribute } from "../../application/attribute.ts";
import { Middleware, passing, type MiddlewareClass } from "../../application/middleware.ts";
import { challengeFor, setsIdentity, type DeclaredSecurity } from "../../dispatch/guarded.ts";
import { described } from "../../http/javascript/described.ts";
import { after } from "../../http/javascript/thenable.ts";
import { Status } from "../../http/protocol/status.ts";
import { answerWithFields, nextOf } from "./response-fields.ts";
import type { Credentials } from "./token-credentials.ts";
import type { TokenOptions } from "./token-options.ts";

/** The options of a guard by tokens that identify somebody. */
interface GuardOptions<Identity, Input extends object> extends TokenOptions<Input> {
  readonly identity?: Pick<Attribute<Identity>, "set"> | undefined;
  readonly scopesOf?: ((identity: Identity) => readonly string[]) | undefined;
}

export type Found<Identity> = Identity | null | undefined | false;

/** Makes a guard by tokens. @param identify returns whom a token identifies. */
export function tokenGuard<Identity, Input extends object>(
  options: GuardOptions<Identity, Input>,
  identify: (token: string, input: Input) => Found<Identity> | Promise<Found<Identity>>,
  credentials: Credentials<Input>,
): MiddlewareClass {
  const { identity, scopes: needed, scopesOf, optional = false, token } = options;
  const { field } = credentials;
  // Users may give one attribute to several guards: what this guard grants is for whom it found itself.
  const found = scopesOf && new Attribute<Identity>("identity");

  return class Bearer extends Middleware {
    static {
      passing(this);
    }

    static readonly security: DeclaredSecurity = credentials.security;
    static readonly isSecurityOptional: boolean = optional;
    static readonly identity = found;
    static readonly [setsIdentity] = identity;
    static readonly grants = scopesOf;
    static readonly scopes = needed;
    static readonly answers = {
      ...(token === undefined && { 400: "The token cannot be read" }),
      401: "A valid token is needed",
      ...(needed !== undefined && { 403: `The token lacks a scope: ${needed.join(", ")} is needed` }),
    };

    static [challengeFor](input: Input, scopes?: readonly string[]): string | null {
      const refused =
        scopes === undefined
          ? credentials.refuse(input, Status.Unauthorized)
          : credentials.refuse(input, Status.Forbidden, "insufficient_scope", scopes);
      return refused.headers.get("www-authenticate");
    }

    ALL(input: Input): unknown {
      const shown = credentials.read(input);
      if (shown === null && optional) return this.#pass(input);
      // RFC 6750 §3.1: who shows no credentials is told of no error.
      if (shown === null) throw credentials.refuse(input, Status.Unauthorized);
      const given = shown === "" ? null : identify(shown, input);
      return after(given, (identified) => this.#goOn(input, identified));
    }

    #goOn(input: Input, given: Found<Identity>): unknown {
      // RFC 6750 §3.1.
      if (given === null || given === undefined || given === false)
        throw credentials.refuse(input, Status.Unauthorized, "invalid_token");
      if (!hasScope(scopesOf?.(given) ?? [], needed))
        throw credentials.refuse(input, Status.Forbidden, "insufficient_scope");
      identity?.set(input, given);
      found?.set(input, given);
      return this.#pass(input);
    }

    /** Passes an input on. Of itself, a shared cache leaves out only answers to `Authorization` (RFC 9111 §3.5). */
    #pass(input: Input): unknown {
      const resource = this.resourceOf(input);
      const add = credentials.adderOf(input);
      // Declared operations have these fields by what they and their guards declare.
      const isLeft = field === null || resource === null || "QUERY" in resource;
      if (isLeft && add === undefined) return nextOf(this, input);
      return answerWithFields(this, input, (fields) => {
        add?.(fields);
        if (isLeft) return;
        fields.vary(field);
        fields.offer("cache-control", "private");
      });
    }
  };
}

function hasScope(scopes: unknown, needed: readonly string[] = []): boolean {
  // A string has includes(), too: "readonly" must not pass for "read".
  if (Array.isArray(scopes)) return needed.every((scope) => scopes.includes(scope));
  throw new TypeError(
    `Cannot check the scope: expected scopesOf() of bearer() to return an array of scopes, got ${described(scopes)}`,
  );
}
