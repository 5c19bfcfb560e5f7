import { ownOf } from "../../http/javascript/property.ts";
import { contentOf, hasContent } from "./content.ts";
import type { NodeRequest, NodeResponse } from "./client-leave.ts";

/** What a request has besides its content. */
type RequestParts = Pick<Request, "url" | "method" | "headers"> & { readonly signal?: AbortSignal | null };

/** Makes a `Request` of a class that makes whole ones: Node's, or a replacement of it. */
export function wholeRequest(
  Whole: typeof Request,
  message: NodeRequest,
  response: NodeResponse,
  { url, method, headers, signal = null }: RequestParts,
): Request {
  const body = hasContent(message, response) ? contentOf(message, response) : null;
  // `duplex` is required with a stream, and unknown to the DOM's types.
  return new Whole(url, ownOf<object>({ method, headers, signal, body, duplex: "half" }));
}

/** The header fields of a message, as they were sent. */
export function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // RFC 9113 §8.3: pseudo fields are not fields.
    if (!name.startsWith(":")) headers.append(name, rawHeaders[i + 1] as string);
  }
  return headers;
}
