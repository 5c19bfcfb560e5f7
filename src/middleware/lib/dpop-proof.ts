import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { sharedUrlForm } from "../../dispatch/sent-input.ts";
import { sha256Base64url } from "../../http/javascript/web-digest.ts";

/** The request that a proof must be for (RFC 9449 §4.3). */
export interface ProofTarget {
  readonly method: string;
  /** In the form that all its spellings share. Null where the request has none: no proof fits. */
  readonly url: string | null;
  readonly token: string;
}

export interface Proof {
  readonly id: string;
  readonly nonce: unknown;
  /** The thumbprint of the key that it is signed by (RFC 7638). */
  readonly key: string;
}

/** How many seconds a proof counts after it was made. */
export const proofSeconds = 60;

/** How much the clock of a client may differ, in seconds. */
export const clockSeconds = 10;

/** Proofs by RSA of 4,096 bits for a path of 4,000 characters fit in. */
const longest = 8192;

/** Reads a proof. Returns what is wrong with it, if it does not fit. */
export async function readProof(
  text: string | null,
  { method, url, token }: ProofTarget,
  algorithms: readonly string[],
  clockTolerance: number,
): Promise<Proof | string> {
  if (text === null) return "The header DPoP is missing";
  if (text.length > longest) return `The header DPoP is longer than ${longest} characters`;
  // Several fields are joined by commas. RFC 7515 §2: no padding.
  if (!/^[-\w.]+$/.test(text)) return "The header DPoP must be one JSON Web Token";
  const verified = await verifiedBy(text, algorithms, clockTolerance);
  if (typeof verified === "string") return verified;
  const { htm, htu, ath, jti, nonce } = verified.claims;
  if (htm !== method) return "The proof is for another method (htm)";
  if (url === null || typeof htu !== "string" || sharedUrlForm(htu) !== url)
    return "The proof is for another URL (htu)";
  if (ath !== (await sha256Base64url(token))) return "The proof is for another token (ath)";
  if (typeof jti !== "string" || jti === "") return "The proof has no id (jti)";
  return { id: jti, nonce, key: verified.key };
}

interface Verified {
  readonly claims: JWTPayload;
  readonly key: string;
}

async function verifiedBy(
  text: string,
  algorithms: readonly string[],
  clockTolerance: number,
): Promise<Verified | string> {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, keyInside, {
      algorithms: [...algorithms],
      typ: "dpop+jwt",
      maxTokenAge: proofSeconds,
      clockTolerance: clockSeconds + clockTolerance,
    });
    return { claims: payload, key: await calculateJwkThumbprint(protectedHeader.jwk!) };
  } catch (error) {
    // All that decides is in the proof: what Web Crypto throws about its key is the client's fault as well.
    const isOfTime = (error as { readonly claim?: unknown }).claim === "iat";
    if (isOfTime) return "The proof is more than a minute old, or from the future (iat)";
    return "The proof cannot be verified with its typ, alg, jwk and signature";
  }
}

/** RFC 7518 §6: what only private and symmetric keys have. */
const secretMembers: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]);

const keyInside: JWTVerifyGetKey = async (header, token) => {
  const members = Object.keys(Object(header.jwk));
  if (members.some((member) => secretMembers.has(member))) throw new errors.JWKInvalid();
  return EmbeddedJWK(header, token);
};
