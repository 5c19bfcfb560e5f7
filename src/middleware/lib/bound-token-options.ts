import type { OptionCheck } from "../../http/javascript/option-check.ts";
import type { StoreTimeout } from "../../http/protocol/store-timeout.ts";
import { areSecrets } from "../../http/javascript/text-signer.ts";
import { signingAlgorithms } from "./signing-algorithms.ts";
import type { TokenOptions } from "./token-options.ts";

/** Remembers proofs, as every store of records can: `memoryRecords()`, `redisRecords()`, `postgresRecords()`. */
export interface ProofStore {
  /** Begins to remember a name. Returns an object that has `fence` if the name was not known, else another one. */
  begin(name: string, fingerprint: string, leaseMs: number, ttlMs: number): object | Promise<object>;
}

/** The options of a guard whose tokens can be bound to a key of the client (RFC 9449). */
export interface BoundTokenOptions extends StoreTimeout {
  /**
   * Whether each request must prove that it comes from the client of the token. `"accepted"` also accepts bearer tokens
   * that are bound to no key. Default: bearer tokens only.
   */
  readonly dpop?: "required" | "accepted" | undefined;
  /** Remembers proofs, so that each counts once; shared by all processes. `memoryRecords()` is for one. */
  readonly proofStore?: ProofStore | undefined;
  /** The algorithms of proofs. Default: ES256, Ed25519, EdDSA, PS256 and RS256. */
  readonly proofAlgorithms?: readonly string[] | undefined;
  /**
   * Secrets of at least 32 bytes that all processes share, the newest first. Proofs must then have a nonce of this
   * server, at most ten minutes old. Default: no nonces.
   */
  readonly nonceSecrets?: readonly string[] | undefined;
  /**
   * The URL of the application as clients see it, such as `https://api.example`, where a proxy changes it. Default: the
   * URL of the request.
   */
  readonly baseURL?: string | undefined;
}

export const boundTokenOptions: readonly (keyof BoundTokenOptions)[] = [
  ...(["dpop", "proofStore", "proofAlgorithms", "nonceSecrets", "baseURL", "storeTimeoutMs"] as const),
];

/** Refuses each of these options that is wrong, or that has no meaning. */
export function checkBoundTokens(check: OptionCheck<BoundTokenOptions & TokenOptions<never>>): void {
  const { dpop, proofStore, nonceSecrets, baseURL, token, scheme } = check.options;
  if (dpop === undefined) {
    for (const option of boundTokenOptions)
      check.requireSecret(check.options[option] === undefined, option, 'absent without "dpop"');
    return;
  }
  check.require(dpop === "required" || dpop === "accepted", "dpop", '"required" or "accepted"');
  check.requireSecret(token === undefined, "token", 'absent with "dpop", which reads Authorization');
  check.require(scheme === undefined, "scheme", 'absent with "dpop", whose scheme is DPoP');
  const isStore = typeof (proofStore as Partial<ProofStore> | null | undefined)?.begin === "function";
  check.require(isStore, "proofStore", "a store such as memoryRecords()");
  const names = Object.keys(signingAlgorithms).filter((name) => signingAlgorithms[name]!.kty !== "oct");
  check.list("proofAlgorithms", (name) => names.includes(name as string), `algorithms of public keys, such as ES256`);
  check.requireSecret(
    nonceSecrets === undefined || areSecrets(nonceSecrets),
    "nonceSecrets",
    "an array of strings of at least 32 bytes",
  );
  const isBase = baseURL === undefined || (/^https?:\/\/[^?#@]*$/.test(baseURL) && URL.canParse(baseURL));
  check.requireSecret(isBase, "baseURL", "a URL such as https://api.example, without query and user name");
}
