import { essenceOf } from "../../fields/media-type.ts";
import { trimmed } from "../../fields/list.ts";
import { isToken } from "../../fields/token.ts";
import { utf8Text } from "../../http/message/utf8-text.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { formParametersOf } from "./form-parameters.ts";
import { malformed } from "./multipart-reader.ts";

/** The name, the file name and the type of a part of a form (RFC 7578 §4). */
export interface PartHead {
  /** The name of the member. */
  readonly name: string;
  /** The name that the client gave the file, without a path; undefined if the part is not a file. */
  readonly fileName: string | undefined;
  /** The media type that the client claims, in lower case. Default: `text/plain`. */
  readonly claimedType: string;
}

/**
 * Reads the fields of a part, with the rest of the line of the delimiter before them. Clients write names in quotes or
 * without. They escape by a backslash, as browsers do, or by RFC 8187 or RFC 2047. All are read.
 * @throws {HTTPError} 400 when they cannot be read.
 */
export function parsePartHead(head: Uint8Array): PartHead {
  const [padding, ...lines] = textOf(head)
    .slice(0, -4)
    // RFC 5322 §2.2.3: a line that begins with whitespace goes on with the one before. Not the first: it is the
    // delimiter's.
    .split(/\r\n(?![ \t])/);
  if (trimmed(padding!) !== "") throw malformed();
  const fields = new Map<string, string>();
  for (const folded of lines) {
    const line = folded.replaceAll("\r\n", "");
    const colon = line.indexOf(":");
    const name = trimmed(line.slice(0, Math.max(0, colon))).toLowerCase();
    // What stands twice would be read as one by us, and as the other by somebody else.
    if (!isToken(name) || fields.has(name) || !/^[\t\x20-\x7e\x80-\uffff]*$/.test(line)) throw malformed();
    fields.set(name, trimmed(line.slice(colon + 1)));
  }
  const encoding = fields.get("content-transfer-encoding")?.toLowerCase() || "binary";
  if (!["7bit", "8bit", "binary"].includes(encoding)) {
    throw new HTTPError(Status.BadRequest, "Content-Transfer-Encoding is not accepted");
  }
  const parameters = formParametersOf(fields.get("content-disposition") ?? "", "form-data");
  const name = parameters && valueOf(parameters, "name");
  if (name === null) throw new HTTPError(Status.BadRequest, "A part of the form has no name");
  return {
    name,
    // RFC 7578 §4.2: what clients add of their folders is of no use, and dangerous.
    fileName: valueOf(parameters!, "filename")?.replace(/^.*[/\\]/s, ""),
    claimedType: claimedTypeOf(fields.get("content-type")),
  };
}

/**
 * Reads the type that a client claims. A label that is not a media type would be compared as one by us, and read as
 * another by the browser that gets the file later.
 */
function claimedTypeOf(value: string | undefined): string {
  if (!value) return "text/plain";
  const essence = essenceOf(value);
  if (essence !== null && !essence.includes("*")) return value.toLowerCase();
  throw new HTTPError(Status.BadRequest, "A part of the form has a content type that is not a media type");
}

/** Returns the value of a parameter, by the way of writing that says most; null if there is none. */
function valueOf(parameters: ReadonlyMap<string, string>, name: string): string | null {
  const extended = parameters.get(`${name}*`);
  const value = parameters.get(name);
  if (extended !== undefined) {
    const text = extendedText(extended);
    if (text !== null) return text;
    if (value === undefined) throw malformed();
  }
  if (value === undefined) return null;
  const encoded = /^=\?utf-8\?b\?([a-z\d+/=]*)\?=$/i.exec(value);
  if (encoded !== null) return base64Text(encoded[1]!);
  // How browsers escape (HTML §4.10.22.8). Others do not, and have no such names.
  return value.replaceAll(/%(?:22|0d|0a)/gi, decodeURIComponent);
}

/** Reads the value of a parameter whose name ends in `*` (RFC 8187 §3.2.1). Null if it cannot be read. */
function extendedText(value: string): string | null {
  const [charset, , text, more] = value.split("'");
  if (text === undefined || more !== undefined) return null;
  try {
    if (charset!.toLowerCase() === "utf-8") return decodeURIComponent(text);
  } catch {
    // The name is not UTF-8.
  }
  return null;
}

/** Reads what .NET writes for what is not ASCII (RFC 2047 §4.1). */
function base64Text(text: string): string {
  let characters: string;
  try {
    characters = atob(text);
  } catch (cause) {
    throw malformed(cause);
  }
  return textOf(Uint8Array.from(characters, (character) => character.charCodeAt(0)));
}

/** RFC 7578 says nothing of byte order marks: they are content, as they are for browsers. */
export function textOf(bytes: Uint8Array): string {
  return utf8Text(bytes, "The form");
}
