import { replacedInput } from "../dispatch/replaced-input.ts";
import { CarriedContent } from "../fields/carried-content.ts";
import { RequestFields } from "../fields/request-fields.ts";
import { isStream } from "../http/javascript/any-realm.ts";
import { lightBytes } from "../http/message/light-request.ts";

/** Recognizes a request by its behavior: a server may have light ones, whose content makes them whole. */
export function isRequestLike(input: object): input is Request {
  if (lightBytes in input) return true;
  const { body } = input as { readonly body?: unknown };
  return body === null || isStream(body);
}

/**
 * Reads the content of a request. Returns its bytes, and makes the request that is passed on in its place, which holds
 * them.
 * @throws {HTTPError} 413 when it has more bytes, 400 when it breaks off.
 */
export async function takenContent(
  request: Request,
  maxBytes: number,
): Promise<readonly [content: Uint8Array<ArrayBuffer>, passed: () => object]> {
  const content = await new CarriedContent(request, new RequestFields(request)).bytes(maxBytes);
  const isTaken = content.length > 0 || request.bodyUsed;
  return [content, () => (isTaken ? replacedInput(request, { body: content }) : request)];
}
