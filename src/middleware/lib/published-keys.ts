import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from "jose";
import { discard } from "./discard.ts";

/**
 * Finds keys where an issuer publishes them (RFC 7517 §5).
 *
 * `jose` keeps them, and asks for one that it does not have at most once in half a minute. An issuer that fails it would ask again
 * for every token that anyone makes up.
 */
export function publishedKeys(uri: URL): JWTVerifyGetKey {
  return createRemoteJWKSet(uri, { [customFetch]: fetchedSeldom() });
}

/**
 * Whether keys that come from there are those of the issuer: what others can write to is no channel for them, but for that to
 * one's own machine. With credentials nothing can be fetched, and the error that says so shows them.
 */
export function isTrustworthy(uri: string | URL): boolean {
  if (!URL.canParse(String(uri))) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

// Short, as tokens that are right are refused for so long where the failure was a passing one.
const pauseMs = 2000;

/** Fetches, and gives the same answer to whoever asks soon after. */
function fetchedSeldom(): FetchImplementation {
  let until = -Infinity;
  let again: () => Promise<Response>;
  return async (uri, init) => {
    if (performance.now() < until) return again();
    try {
      const response = await fetch(uri, init);
      const text = response.status === 200 ? await response.text() : null;
      // Unread, it would keep its connection until it is collected as garbage.
      if (text === null) discard(response);
      again = async () => (text === null ? Response.error() : new Response(text));
    } catch (error) {
      again = () => Promise.reject(error);
    }
    until = performance.now() + pauseMs;
    return again();
  };
}
