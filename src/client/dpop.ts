import type { Layer } from "./around.ts";
import { formatBase64url } from "../http/javascript/base64url.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { sha256Base64url } from "../http/javascript/web-digest.ts";

/** A key of Web Crypto. */
type Key = Parameters<typeof crypto.subtle.sign>[1];

/** Options of `dpop()`. */
export interface DpopOptions {
  /** The keys that the token is bound to: ECDSA with P-256. The private key need not be extractable. */
  readonly keys: { readonly privateKey: Key; readonly publicKey: Key };
  /** Returns the access token. It runs for each request, and may be async. */
  readonly token: () => string | Promise<string>;
}

/**
 * Sends a token that is bound to keys, with a proof of the keys in each request (RFC 9449). Put it into `around()`,
 * after `retries()`.
 *
 * It signs the method, the URL and the token with ES256. A request is sent again, once, where the server asks for a
 * nonce of its own. The newest nonce of an origin goes into each further proof.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
 * const proven = dpop({ keys, token: () => "the token that the issuer has bound to the keys" });
 * const show = async (request: Request) => {
 *   console.log(request.headers.get("Authorization")!.split(" ")[0]); // DPoP
 *   return new Response();
 * };
 * await around(proven, show)(new Request("https://api.example/orders"));
 * ```
 */
export function dpop(options: DpopOptions): Layer {
  const check = new OptionCheck("dpop", options, ["keys", "token"]);
  const { keys, token } = check.options;
  const { name, namedCurve } = (keys?.privateKey?.algorithm ?? {}) as Partial<Record<"name" | "namedCurve", unknown>>;
  const isPair = name === "ECDSA" && namedCurve === "P-256" && keys.publicKey?.type === "public";
  check.requireSecret(isPair, "keys", 'a pair of keys of { name: "ECDSA", namedCurve: "P-256" }');
  check.requireSecret(typeof token === "function", "token", "a function that returns the token");
  const nonces = new Map<string, string>();
  let head: Promise<string> | null = null;

  async function proofOf({ method, url }: Request, shown: string, nonce: string | undefined): Promise<string> {
    const claims = {
      htm: method,
      htu: url.replace(/[?#].*$/s, ""),
      iat: Math.floor(Date.now() / 1000),
      jti: crypto.randomUUID(),
      ath: await sha256Base64url(shown),
      nonce,
    };
    const text = `${await (head ??= headBy(keys.publicKey))}.${encoded(claims)}`;
    const bytes = new TextEncoder().encode(text);
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, bytes);
    return `${text}.${formatBase64url(new Uint8Array(signature))}`;
  }

  return async (request, next) => {
    const { origin } = new URL(request.url);
    for (let tried = 0; ; tried++) {
      const sent = tried === 0 ? request.clone() : request;
      const nonce = nonces.get(origin);
      const shown = await token();
      sent.headers.set("authorization", `DPoP ${shown}`);
      sent.headers.set("dpop", await proofOf(sent, shown, nonce));
      const response = await next(sent);
      const given = response.headers.get("dpop-nonce") ?? nonce;
      if (given !== undefined) nonces.set(origin, given);
      // RFC 9449 §9: a nonce beside 401 is what lacked.
      if (tried > 0 || response.status !== 401 || given === nonce) return response;
      await response.body?.cancel();
    }
  };
}

async function headBy(key: Key): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key);
  return encoded({ typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } });
}

function encoded(value: object): string {
  return formatBase64url(new TextEncoder().encode(JSON.stringify(value)));
}
