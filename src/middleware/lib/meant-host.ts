import { routedBy } from "../../dispatch/input-exchange.ts";
import { requestField } from "../../fields/request-fields.ts";
import { isHost, parsedURL } from "../../http/protocol/host.ts";

/** The host and port that the client meant. The scheme is left out: a proxy that ends TLS changes it. */
export function hostOf(input: object): string | null {
  const url = parsedURL(routedBy(input).url);
  if (url !== null) return url.host;
  // RFC 9113 §8.3.1: HTTP/2 has a pseudo field in its place, which counts where both are there.
  const host = requestField(input, ":authority") ?? requestField(input, "host") ?? "";
  return isHost(host) ? new URL(`http://${host}`).host : null;
}
