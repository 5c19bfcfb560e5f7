import { alreadyRead, discard, type Answer } from "./answer.ts";

const isTaken: unique symbol = Symbol("isTaken");

/** A light `Response` of srvx: it gives what it is made of without making a whole one, but gives it once. */
interface LightResponse {
  [isTaken]?: true;
  _toNodeResponse(): Omit<Answer, "fields" | "body"> & {
    readonly headers: Answer["fields"];
    readonly body?: Answer["body"];
  };
}

export function isLight(response: Response | LightResponse): response is LightResponse {
  return "_toNodeResponse" in response;
}

/**
 * Takes what there is to send, and refuses what the constructor of a whole `Response` would.
 *
 * @throws {TypeError} when it was taken before, or cannot be sent.
 */
export function taken(light: LightResponse): Answer {
  if (light[isTaken] === true) throw alreadyRead();
  light[isTaken] = true;
  const { status, statusText, headers, body = null } = light._toNodeResponse();
  if (body !== null && (status === 204 || status === 205 || status === 304)) {
    discard({ body, fields: headers });
    throw new TypeError(`Cannot send the response: a response with status ${status} has no content`);
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) {
    throw new TypeError("Cannot send the response: its statusText holds characters that a reason phrase cannot");
  }
  return { status, statusText, fields: headers, body };
}
