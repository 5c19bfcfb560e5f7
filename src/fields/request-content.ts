import { isStream } from "../http/javascript/any-realm.ts";
import { propertiesOf } from "../http/javascript/property.ts";
import { requestField } from "./request-fields.ts";

/** Returns whether a request has content, by what its host and its fields say: nothing is read. */
export function hasContent(input: object): boolean {
  const { body, request } = propertiesOf(input as { body?: unknown; request?: NodeMessage }, ["body", "request"]);
  const {
    body: carried,
    httpVersionMajor,
    stream,
  } = propertiesOf<NodeMessage>(request ?? {}, ["body", "httpVersionMajor", "stream"]);
  const length = requestField(input, "content-length");
  const isFramed = requestField(input, "transfer-encoding") !== null;
  // Deno has a stream for every POST.
  if (!isFramed && length !== null && /^0+$/.test(length)) return false;
  if (body !== undefined) return body !== null;
  // A `Request` carries a stream or null. A parser leaves other values in a message of Node, even where there is no
  // content.
  if (carried === null || isStream(carried)) return carried !== null;
  if (isFramed || length !== null) return true;
  // RFC 9113 §8.1: no field announces it.
  if (stream !== undefined) return stream.endAfterHeaders !== true;
  // RFC 9112 §6.3: without those fields there is none. Of other hosts nobody knows but by the type.
  return httpVersionMajor !== 1 && requestField(input, "content-type") !== null;
}

/** The members that are used of a `Request` or of Node's messages. The contexts of the polyfill chain carry them. */
interface NodeMessage {
  readonly body?: unknown;
  readonly httpVersionMajor?: unknown;
  readonly stream?: { readonly endAfterHeaders?: boolean };
}
