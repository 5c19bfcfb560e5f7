import { formatChallenge } from "../../fields/www-authenticate.ts";
import { challengeFor, grantingOf, guardsIn, securityOf, setsIdentity, type Granting } from "../../dispatch/guarded.ts";
import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { nameOf } from "../../http/javascript/described.ts";
import type { DeclaredAnswer, Method, Operation, SecurityScheme } from "../declaration/operation.ts";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { answersOf, type AnswerModel } from "./answer-model.ts";

/** The declarations of one guard of an operation, which are static members of its class. */
export interface GuardModel {
  /** The name of the class. */
  readonly name: string;
  readonly answers: ReadonlyMap<number, AnswerModel>;
  /** The ways to authenticate, any of which will do; null without. */
  readonly security: SecuritySchemes | null;
  /** Whether a request without credentials passes. */
  readonly isOptional: boolean;
  /** The scopes that it requires itself. */
  readonly scopes: readonly string[];
  /** The scopes that the guard grants to whom it found; null for a guard that grants nothing. */
  readonly granting: Granting | null;
  /** The attribute of users that it sets, besides the one in `granting`. */
  readonly sets: unknown;
  /** Writes the challenge for 401, or for 403 with the scopes that are needed; null where there is none. */
  readonly challengeOf: (input: object, scopes?: readonly string[]) => string | null;
}

/** Ways to authenticate, by name. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/** Static members of a middleware class. */
interface Guard {
  readonly scopes?: readonly string[] | undefined;
  readonly [setsIdentity]?: object | undefined;
  [challengeFor]?(input: object, scopes?: readonly string[]): string | null;
  readonly isSecurityOptional?: boolean | undefined;
  readonly answers?: Answers | ((method: string, resource: object) => Answers) | undefined;
}

type Answers = Readonly<Record<number, DeclaredAnswer>>;

/**
 * Reads what the middleware around an operation declares, outermost first.
 * @param methods those for which it runs: others, if the operation is made of them.
 */
export function guardsOf(
  { chain, resource }: Pick<MountedResource, "chain" | "resource">,
  method: Method,
  methods: readonly string[],
): GuardModel[] {
  return guardsIn(chain, ...methods).map((guard) => {
    const { answers = {}, isSecurityOptional: isOptional = false, scopes = [], [setsIdentity]: sets } = guard as Guard;
    const security = securityOf(guard) ?? null;
    return {
      name: nameOf(guard as () => void),
      get answers() {
        return answersOf(typeof answers === "function" ? answers(method, resource) : answers, conversions);
      },
      security,
      isOptional,
      scopes,
      granting: grantingOf(guard),
      sets,
      challengeOf: (input, needed) =>
        (guard as Guard)[challengeFor] === undefined
          ? challengeOfSchemes(security ?? {}, needed)
          : (guard as Required<Guard>)[challengeFor](input, needed),
    };
  });
}

/** Conversions of schemas by which nothing is read or written. */
const conversions = new Conversions();

/**
 * Names what asks for credentials: the first guard that declares `security`, `grants` or 401, or the operation
 * itself. Null where nothing does.
 */
export function authenticatorOf(guards: readonly GuardModel[], { security }: Operation, method: string): string | null {
  const guard = guards.find(authenticates);
  if (guard !== undefined) return guard.name;
  return security !== undefined && Object.keys(security).length > 0 ? `security of static ${method}` : null;
}

/** Returns whether a middleware asks who sends a request. */
export function authenticates({ security, granting, answers }: GuardModel): boolean {
  return security !== null || granting !== null || answers.has(401);
}

/** The schema of a credential in descriptions: a literal, an enum or a default of its own may be the secret. */
export const credential = { type: "string" } as const;

/** Returns whether a way to authenticate names a field or a cookie as the place of its key. */
export function isCredential(
  { guards, declaration }: { readonly guards: readonly GuardModel[]; readonly declaration: Operation },
  place: string,
  name: string,
): boolean {
  return schemesOf(guards, declaration.security).some(
    ([, scheme]) => scheme["in"] === place && String(scheme["name"]).toLowerCase() === name.toLowerCase(),
  );
}

/** The challenges of the ways to authenticate. Cookies, keys and TLS have none (RFC 9110 §11.3). */
export function challengesOf(guards: readonly GuardModel[], { security }: Operation): string[] {
  return [...new Set(schemesOf(guards, security).flatMap(([name, scheme]) => challengeOf(name, scheme)))];
}

function schemesOf(
  guards: readonly GuardModel[],
  security: Operation["security"],
): [string, SecuritySchemes[string]][] {
  return [...guards.map((guard) => guard.security), security].flatMap((schemes) => Object.entries(schemes ?? {}));
}

function challengeOf(name: string, { type, scheme }: Readonly<Record<string, unknown>>): string | [] {
  if (type === "oauth2" || type === "openIdConnect") return "Bearer";
  if (type !== "http") return [];
  const word = `${String(scheme)[0]!.toUpperCase()}${String(scheme).slice(1)}`;
  // RFC 7617 §2 requires a realm.
  return word === "Basic" ? formatChallenge(word, { realm: name }) : word;
}

/** The challenge of a guard of users, by its schemes. For a scope that lacks, only Bearer has one (RFC 6750 §3.1). */
function challengeOfSchemes(schemes: SecuritySchemes, scopes: readonly string[] | undefined): string | null {
  const [challenge = null] = Object.entries(schemes).flatMap(([name, scheme]) => challengeOf(name, scheme));
  if (scopes === undefined || challenge === null) return challenge;
  return challenge === "Bearer"
    ? formatChallenge(challenge, { error: "insufficient_scope", scope: scopes.join(" ") })
    : null;
}

/**
 * The fields of a request by which guards tell its users apart (RFC 9110 §12.5.5).
 * @param isAsked whether `may` decides.
 */
export function fieldsReadBy(guards: readonly GuardModel[], { security }: Operation, isAsked: boolean): string[] {
  const ofSchemes = schemesOf(guards, security).flatMap(([, scheme]) => fieldOf(scheme));
  // What asks to sign in, or decides, and does not say by what reads one of both.
  const isUnsaid =
    (isAsked && ofSchemes.length === 0) ||
    guards.some((guard) => guard.security === null && (guard.granting !== null || guard.answers.has(401)));
  return isUnsaid ? [...ofSchemes, "Authorization", "Cookie"] : ofSchemes;
}

/** The field that has the credentials of a scheme of OpenAPI. A query is part of the URL, and TLS has no field. */
function fieldOf({ type, in: place, name }: Readonly<Record<string, unknown>>): string | [] {
  if (type !== "apiKey") return type === "mutualTLS" ? [] : "Authorization";
  if (place === "cookie") return "Cookie";
  return place === "header" ? String(name) : [];
}
