import { givenOf } from "../http/given.ts";
import { requestField } from "./request-fields.ts";

/** Returns whether a request has content, by what its host and its fields say: nothing is read. */
export function hasContent(input: object): boolean {
  const { body, request } = givenOf(input as { body?: unknown; request?: NodeMessage }, ["body", "request"]);
  const { httpVersionMajor, stream } = givenOf(request ?? {}, ["httpVersionMajor", "stream"]);
  const length = requestField(input, "content-length");
  const isFramed = requestField(input, "transfer-encoding") !== null;
  // Deno has a stream for every POST.
  if (!isFramed && length !== null && /^0+$/.test(length)) return false;
  if (body !== undefined) return body !== null;
  if (isFramed || length !== null) return true;
  // RFC 9113 §8.1: no field announces it.
  if (stream !== undefined) return stream.endAfterHeaders !== true;
  // RFC 9112 §6.3: without those fields there is none. Of other hosts nobody knows but by the type.
  return httpVersionMajor !== 1 && requestField(input, "content-type") !== null;
}

/** The members of Node's messages that are used. The contexts of the polyfill chain carry them. */
interface NodeMessage {
  readonly httpVersionMajor?: unknown;
  readonly stream?: { readonly endAfterHeaders?: boolean };
}
