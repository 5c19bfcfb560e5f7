import type { JWTPayload } from "jose";
import { pathIn } from "../../dispatch/input.ts";
import { routedBy } from "../../dispatch/input-exchange.ts";
import { sentBy, sharedUrlForm } from "../../dispatch/sent-input.ts";
import { isEncrypted, requestField } from "../../fields/request-fields.ts";
import { sha256 } from "../../http/javascript/digest.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { ownOf, propertyOf } from "../../http/javascript/property.ts";
import { askedStore } from "../../http/protocol/asked-store.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { limitedStore } from "../../http/protocol/limited-store.ts";
import { storeTimeoutOf } from "../../http/protocol/store-timeout.ts";
import { parsedURL } from "../../http/protocol/host.ts";
import { Status } from "../../http/protocol/status.ts";
import { DpopNonces } from "./dpop-nonces.ts";
import type { BoundTokenOptions, ProofStore } from "./bound-token-options.ts";
import { clockSeconds, proofSeconds, readProof } from "./dpop-proof.ts";
import { hostOf } from "./meant-host.ts";
import { challengeBy, credentialsOf, schemeIn, tokenIn, type Credentials, type Refuse } from "./token-credentials.ts";
import type { TokenOptions } from "./token-options.ts";

/** Asks for tokens that are bound to a key of the client, and for a proof in each request (RFC 9449). */
export class BoundTokens<Input extends object> {
  readonly credentials: Credentials<Input>;
  readonly #isRequired: boolean;
  readonly #algorithms: readonly string[];
  readonly #clockTolerance: number;
  readonly #base: string | null;
  readonly #nonces: DpopNonces | null;
  readonly #store: ProofStore;
  readonly #firstUses: FirstUses;
  /** The nonce that the client should use from now on, by a request that passes. */
  readonly #renewed = new WeakMap<object, string>();

  constructor(check: OptionCheck<BoundTokenOptions & TokenOptions<Input>>, clockTolerance: number) {
    const { options } = check;
    this.#isRequired = options.dpop === "required";
    this.#algorithms = [...(options.proofAlgorithms ?? ["ES256", "Ed25519", "EdDSA", "PS256", "RS256"])];
    this.#clockTolerance = clockTolerance;
    this.#base = options.baseURL?.replace(/\/$/, "") ?? null;
    this.#nonces = options.nonceSecrets === undefined ? null : new DpopNonces(options.nonceSecrets);
    this.#store = limitedStore(options.proofStore!, ["begin"], storeTimeoutOf(check));
    this.#firstUses = firstUsesOf(options.proofStore!);
    this.credentials = this.#credentialsBy(options);
  }

  /**
   * Returns whether a token may be shown as it was. A token that is bound to a key is not a bearer token, because a
   * thief would need no key.
   * @throws {HTTPError} 401 when the proof does not fit, 503 when the store fails.
   */
  async isProven(claims: JWTPayload, token: string, input: Input): Promise<boolean> {
    const key = boundKeyOf(claims);
    if (!this.#isShown(input)) return key === null;
    if (key === null) return false;
    const sent = sentBy(input);
    const { method, url } = routedBy(sent);
    const target = { method, url: sharedUrlForm((this.#base ?? originOf(sent)) + pathIn(url)), token };
    const proof = await readProof(requestField(sent, "dpop"), target, this.#algorithms, this.#clockTolerance);
    if (typeof proof === "string") throw this.#refused(input, "invalid_dpop_proof", proof);
    if (proof.key !== key)
      throw this.#refused(input, "invalid_token", "The token is bound to another key than the proof's");
    if (this.#nonces !== null) await this.#checkNonce(this.#nonces, proof.nonce, input);
    if (await this.#isFirst(sent, await sha256(JSON.stringify([key, proof.id])))) return true;
    throw this.#refused(input, "invalid_dpop_proof", "The proof was used before");
  }

  #refused(input: Input, error: string, description: string): HTTPError {
    return this.credentials.refuse(input, Status.Unauthorized, error, undefined, description);
  }

  async #checkNonce(nonces: DpopNonces, nonce: unknown, input: Input): Promise<void> {
    const [age, current] = await Promise.all([nonces.ageOf(nonce), nonces.current()]);
    if (age === null) {
      const refused = this.#refused(input, "use_dpop_nonce", "The proof needs the nonce in DPoP-Nonce");
      refused.headers.set("DPoP-Nonce", current);
      throw refused;
    }
    // What another process made a little ahead of time is as good as the current one.
    else if (age > 0) this.#renewed.set(input, current);
  }

  /** Several guards may ask for the proof of one request, or one guard for each tool of a list. */
  #isFirst(sent: object, digest: string): Promise<boolean> {
    const known = this.#firstUses.get(sent);
    if (known?.digest === digest) return known.isFirst;
    const isFirst = this.#begun(`dpop-${digest}`);
    this.#firstUses.set(sent, { digest, isFirst });
    return isFirst;
  }

  async #begun(name: string): Promise<boolean> {
    // A proof counts from so long before its time to so long after it.
    const ms = (proofSeconds + 2 * (clockSeconds + this.#clockTolerance) + 1) * 1000;
    return "fence" in (await askedStore(() => this.#store.begin(name, "dpop", ms, ms)));
  }

  #isShown(input: Input): boolean {
    return this.#isRequired || schemeIn(requestField(input, "authorization") ?? "") === "dpop";
  }

  #credentialsBy(options: TokenOptions<Input>): Credentials<Input> {
    const algs = this.#algorithms.join(" ");
    const challenge = (input: Input) => ({ ...options.challenge?.(input), algs });
    const dpop = challengeBy(ownOf({ ...options, scheme: "DPoP", challenge }));
    const bearer = challengeBy(options);
    const refuse: Refuse<Input> = (input, status, ...said) => {
      const isShown = this.#isShown(input);
      const own = (isShown ? dpop : bearer)(input, status, ...said);
      // RFC 9449 §7.2: a client that may show either is told of both, and of the error of what it has shown.
      const hasBoth = !this.#isRequired && status === Status.Unauthorized;
      const all = !hasBoth ? [own] : isShown ? [bearer(input, status), own] : [own, dpop(input, status)];
      return refusal(status, undefined, { "www-authenticate": all.join(", ") });
    };
    return {
      security: {
        ...(this.#isRequired ? {} : credentialsOf(options).security),
        dpop: { type: "http", scheme: "dpop" },
      },
      field: null,
      refuse,
      read: (input) => tokenIn(input, this.#isShown(input) ? "dpop" : "bearer", refuse),
      adderOf: (input) => {
        const nonce = this.#renewed.get(input);
        // RFC 9449 §8.2: what has a nonce is for one client, at one time.
        return nonce === undefined
          ? undefined
          : (fields) => {
              fields.set("DPoP-Nonce", nonce);
              fields.offer("cache-control", "no-store");
            };
      },
    };
  }
}

/** Whether a proof was used first by a request, by the input that came in. */
type FirstUses = WeakMap<object, { readonly digest: string; readonly isFirst: Promise<boolean> }>;

const firstUses = new WeakMap<ProofStore, FirstUses>();

function firstUsesOf(store: ProofStore): FirstUses {
  const known = firstUses.get(store) ?? new WeakMap();
  firstUses.set(store, known);
  return known;
}

/** RFC 9449 §6.1: the thumbprint of the key that a token is bound to. */
function boundKeyOf(claims: JWTPayload): string | null {
  const { cnf } = claims as { readonly cnf?: unknown };
  const key =
    typeof cnf === "object" && cnf !== null ? propertyOf(cnf as { readonly jkt?: unknown }, "jkt") : undefined;
  return key === undefined ? null : String(key);
}

function originOf(input: object): string {
  const parsed = parsedURL(routedBy(input).url);
  return parsed?.origin ?? `${isEncrypted(input) === true ? "https" : "http"}://${hostOf(input)}`;
}
