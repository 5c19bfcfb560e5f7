import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from "jose";
import { discard } from "../../http/message/discarded-content.ts";

/**
 * Finds keys at the place where an issuer publishes them (RFC 7517 §5).
 *
 * `jose` keeps them, and asks for a missing key at most once in half a minute. If the issuer's endpoint fails, `jose`
 * would ask again for every token that anyone makes up.
 */
export function publishedKeys(uri: URL): JWTVerifyGetKey {
  return createRemoteJWKSet(uri, { [customFetch]: fetchedSeldom() });
}

/**
 * Returns whether keys from a URL can be trusted to be the issuer's. A channel that others can write to cannot, except
 * on your own machine. A URL with credentials cannot be fetched, and the error about it shows them.
 */
export function isTrustworthy(uri: string | URL): boolean {
  if (!URL.canParse(String(uri))) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

// Short: if a failure was temporary, valid tokens are refused for this long.
const pauseMs = 2000;

/** Fetches, and returns the same answer to calls soon after. */
function fetchedSeldom(): FetchImplementation {
  let until = -Infinity;
  let again: () => Promise<Response>;
  return async (uri, init) => {
    if (performance.now() < until) return again();
    try {
      const response = await fetch(uri, init);
      const text = response.status === 200 ? await response.text() : null;
      // Unread, it would keep its connection until garbage collection.
      if (text === null) discard(response);
      again = async () => (text === null ? Response.error() : new Response(text));
    } catch (error) {
      again = () => Promise.reject(error);
    }
    until = performance.now() + pauseMs;
    return again();
  };
}
