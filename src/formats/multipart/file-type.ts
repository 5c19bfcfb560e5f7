import { essenceOf, isActiveType } from "../../fields/media-type.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";

/**
 * Detects the media type of a file by its first bytes. The client's claim counts only where bytes cannot say it: for
 * kinds of text, and within ZIP or OLE containers.
 *
 * @param first the first bytes: 512 are enough.
 * @param isAll whether the file has no more.
 * @param claimed the media type that the client claims. It counts for nothing where it is not a media type.
 * @returns `application/octet-stream` for what is not known.
 */
export function fileTypeOf(first: Uint8Array, isAll: boolean, claimed: string): string {
  const essence = essenceOf(claimed) ?? "";
  const characters = Array.from(first.subarray(0, 512), (byte) => String.fromCharCode(byte)).join("");
  for (const [type, ...marks] of distinct)
    if (isMarked(characters, marks)) return containedIn(type, characters, essence);
  const text = textOf(first, isAll);
  if (text !== null) return textTypeOf(text, essence);
  for (const [type, ...marks] of likeText) if (isMarked(characters, marks)) return type;
  return "application/octet-stream";
}

/** Returns whether a type is one of text, so that all of its bytes must be UTF-8 without NUL. */
export function isTextType(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml)$/.test(type);
}

/**
 * Returns whether a type is among the accepted ones, which may be ranges such as `image/*`. Active types must be named.
 */
export function isAccepted(type: string, accepted: readonly string[] | undefined): boolean {
  if (accepted?.includes(type) === true) return true;
  const range = `${type.slice(0, type.indexOf("/"))}/*`;
  return !isActiveType(type) && (accepted === undefined || accepted.includes(range));
}

/** Refuses types of which no file is ever found to be. @throws {TypeError} which names the option. */
export function checkTypes(check: OptionCheck<{ readonly types?: readonly string[] | undefined }>): void {
  const expected = 'media types that files are found to have, such as "image/png" or "image/*"';
  check.list("types", isFound, expected);
  check.require(check.options.types?.length !== 0, "types", `an array of ${expected}`);
}

function isFound(type: unknown): boolean {
  if (typeof type !== "string" || essenceOf(type) !== type || type === "*/*") return false;
  if (type.endsWith("/*")) return true;
  return found.has(type) || isTextType(type) || [namedInZip, inZip, inOle].some((names) => names.test(type));
}

type Mark = readonly [at: number, text: string];
type Signature = readonly [type: string, ...marks: readonly Mark[]];

const start = (type: string, text: string): Signature => [type, [0, text]];
const riff = (type: string, form: string): Signature => [type, [0, "RIFF"], [8, form]];
const media = (type: string, brand: string): Signature => [type, [4, `ftyp${brand}`]];

/** What no text begins with, or nobody writes by chance. */
const distinct: readonly Signature[] = [
  start("image/png", "\x89PNG\r\n\x1a\n"),
  start("image/jpeg", "\xff\xd8\xff"),
  start("image/gif", "GIF87a"),
  start("image/gif", "GIF89a"),
  riff("image/webp", "WEBP"),
  riff("audio/wav", "WAVE"),
  riff("video/x-msvideo", "AVI "),
  media("image/avif", "avi"),
  media("image/heic", "hei"),
  media("image/heic", "mif1"),
  media("audio/mp4", "M4A"),
  media("video/quicktime", "qt"),
  media("video/3gpp", "3gp"),
  media("video/mp4", ""),
  start("image/tiff", "II*\0"),
  start("image/tiff", "MM\0*"),
  start("image/vnd.microsoft.icon", "\0\0\x01\0"),
  start("image/jxl", "\xff\x0a"),
  start("image/jxl", "\0\0\0\x0cJXL "),
  start("application/pdf", "%PDF-"),
  start("application/zip", "PK\x03\x04"),
  start("application/zip", "PK\x05\x06"),
  start("application/x-ole-storage", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
  start("application/gzip", "\x1f\x8b"),
  start("application/x-bzip2", "BZh91AY&SY"),
  start("application/x-xz", "\xfd7zXZ\0"),
  start("application/zstd", "\x28\xb5\x2f\xfd"),
  start("application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"),
  start("application/vnd.rar", "Rar!\x1a\x07"),
  start("application/wasm", "\0asm"),
  start("application/x-elf", "\x7fELF"),
  start("font/woff2", "wOF2"),
  start("font/woff", "wOFF"),
  start("font/otf", "OTTO"),
  start("font/ttf", "\0\x01\0\0"),
  start("audio/flac", "fLaC"),
  start("audio/ogg", "OggS"),
  start("audio/mpeg", "\xff\xfb"),
  start("audio/mpeg", "\xff\xf3"),
  start("audio/mpeg", "\xff\xf2"),
  start("audio/aac", "\xff\xf1"),
  start("audio/aac", "\xff\xf9"),
  start("video/webm", "\x1a\x45\xdf\xa3"),
];

/** What a text may begin with. */
const likeText: readonly Signature[] = [
  start("image/bmp", "BM"),
  start("audio/mpeg", "ID3"),
  start("application/vnd.microsoft.portable-executable", "MZ"),
];

const found: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...[...distinct, ...likeText].map(([type]) => type),
  "application/octet-stream",
  "audio/webm",
  "video/matroska",
  "video/ogg",
]);

function isMarked(characters: string, marks: readonly Mark[]): boolean {
  return marks.every(([at, text]) => characters.startsWith(text, at));
}

/** What a container holds is told by names in it, or by the client, if it can be in such a container. */
function containedIn(type: string, characters: string, claimed: string): string {
  if (type === "application/zip") {
    // OpenDocument §3.3, EPUB §4.2.2: the first file is not compressed, and says the type.
    const size = characters.charCodeAt(18) + 256 * characters.charCodeAt(19);
    const named = characters.startsWith("mimetype", 30) ? characters.slice(38, 38 + size) : "";
    return namedInZip.test(named) ? named : inZip.test(claimed) ? claimed : type;
  }
  if (type === "application/x-ole-storage") return inOle.test(claimed) ? claimed : type;
  if (type === "video/webm") return characters.includes("webm") ? claimedOf("audio/webm") : "video/matroska";
  if (type === "audio/ogg") return claimedOf("video/ogg");
  return type;

  function claimedOf(other: string): string {
    return claimed === other ? other : type;
  }
}

/** The file names itself, so the names are a closed list. */
const namedInZip =
  /^application\/(?:epub\+zip|vnd\.oasis\.opendocument\.(?:database|base|text-master|text-web|(?:chart|formula|graphics|image|presentation|spreadsheet|text)(?:-template)?))$/;
const inZip =
  /^application\/(?:vnd\.openxmlformats-officedocument\.[-.\w]+|vnd\.ms-[-.\w]+|java-archive|vnd\.android\.package-archive|[-.\w]+\+zip)$/;
const inOle = /^application\/(?:msword|vnd\.ms-[-.\w]+|vnd\.visio)$/;

function textTypeOf(text: string, claimed: string): string {
  const beginning = text.trimStart().toLowerCase();
  if (/^<[^]*<svg[\s>]|^<svg[\s>]/.test(beginning)) return "image/svg+xml";
  if (/^<(?:!doctype html|html|head|title|body|script|style|iframe)(?:[\s>/]|$)/.test(beginning)) return "text/html";
  if (/^<(?:\?xml|!doctype)\b/.test(beginning))
    return claimed === "application/xhtml+xml" ? claimed : "application/xml";
  return isTextType(claimed) ? claimed : "text/plain";
}

/** Returns null for what is not UTF-8, or has a NUL. */
function textOf(first: Uint8Array, isAll: boolean): string | null {
  if (first.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(first, { stream: !isAll });
  } catch {
    return null;
  }
}
