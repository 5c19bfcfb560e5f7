import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

/** Content that means harm, as data: for `app.fetch` and for sockets. */
export interface HostileContent {
  /** The last part of the path of the application in `hostile-content-application.ts`. */
  readonly to: "json" | "text" | "bytes" | "form" | "coded";
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly because: string;
}

/** What is in content wherever text can be, and must not come back. */
export const secret = "s3cret-of-the-client";

const encoder = new TextEncoder();
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const parts = { "content-type": "multipart/form-data; boundary=b" };
const text = { "content-type": "text/plain" };
const mebibyte = 1_048_576;

type Row = readonly [
  to: HostileContent["to"],
  headers: HostileContent["headers"],
  content: string | Uint8Array<ArrayBuffer>,
  status: number,
  because: string,
];

const bytesOf = (...codes: readonly number[]): Uint8Array<ArrayBuffer> => new Uint8Array(codes);
const utf16 = (value: string, isLittle: boolean): Uint8Array<ArrayBuffer> =>
  bytesOf(
    ...(isLittle ? [0xff, 0xfe] : [0xfe, 0xff]),
    ...[...value].flatMap((letter) => (isLittle ? [letter.charCodeAt(0), 0] : [0, letter.charCodeAt(0)])),
  );
const field = (name: string, value: string, more = ""): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const filled = (length: number): string => `{"text":"${"x".repeat(length - 11)}"}`;

const coded = (coding: string): HostileContent["headers"] => ({ ...json, "content-encoding": coding });
const zeros = new Uint8Array(50 * mebibyte);
const bomb = gzipSync(zeros);
const whole = gzipSync(`{"text":"${secret}"}`);
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const rows: readonly Row[] = [
  ["coded", coded("gzip"), own(bomb), 413, "a bomb of gzip"],
  ["coded", coded("deflate"), own(deflateSync(zeros)), 413, "a bomb of deflate"],
  ["coded", coded("br"), own(brotliCompressSync(zeros)), 413, "a bomb of br"],
  ["coded", coded("gzip, gzip"), own(gzipSync(bomb)), 413, "a bomb in a bomb"],
  ["coded", coded("gzip, gzip, gzip"), own(gzipSync(gzipSync(bomb))), 415, "three codings"],
  ["coded", coded("gzip"), own(gzipSync(filled(mebibyte + 1))), 413, "one byte more than the bound, which comes out"],
  ["coded", coded("gzip"), own(Buffer.concat(Array(30_000).fill(gzipSync("")))), 400, "members of which nothing comes"],
  ["coded", coded("gzip"), own(whole.subarray(0, -1)), 400, "gzip that is cut"],
  ["coded", coded("gzip"), own(Buffer.concat([whole, Buffer.from(secret)])), 400, "gzip that goes on after its end"],
  ["coded", coded("gzip"), own(Buffer.concat([whole, Buffer.alloc(9)])), 400, "gzip with padding"],
  ["coded", coded("gzip"), `{"text":"${secret}"}`, 400, "what is no gzip"],
  ["coded", coded("gzip"), "", 400, "gzip of no byte"],
  ["coded", coded("gzip"), own(gzipSync('{"text":5,"text":"a"}')), 400, "two members with one name, coded"],
  ["coded", coded("br"), own(whole), 400, "gzip that is said to be br"],
  ["coded", coded("gzip;q=1"), own(whole), 415, "a coding with a parameter"],
  ["coded", coded("*"), own(whole), 415, "any coding"],
  ["json", json, "[".repeat(513), 400, "lists nested deeper than any validator goes"],
  ["json", json, "[".repeat(100_000) + "]".repeat(100_000), 400, "lists that would exhaust the stack"],
  ["json", json, '{"a":'.repeat(5000) + "1" + "}".repeat(5000), 400, "objects that would exhaust the stack"],
  ["json", json, '{"text":'.repeat(200_000), 413, "more of them than the bound"],
  ["json", json, `${"[".repeat(512)}${"]".repeat(512)}`, 422, "depth that is allowed, and does not fit"],
  ["json", json, `{"text":["${"[".repeat(2000)}"]}`, 422, "brackets in a string are no depth"],
  [
    "json",
    json,
    `{"text":"a","text":5,"more":"${secret}"}`,
    400,
    "two members with one name: parsers disagree (RFC 8259 §4)",
  ],
  ["json", json, `{"text":5,"te\\u0078t":"a"}`, 400, "of which one is written by an escape"],
  ["json", json, `{"__proto__":{"text":"${secret}"}}`, 400, "a prototype in place of members"],
  ["json", json, `{"text":"a","\\u005f_proto__":{"admin":true}}`, 400, "the same, by an escape"],
  ["json", json, `{"text":"a","tags":[{"__proto__":null}]}`, 400, "the same, further inside"],
  ["json", json, `{"text":"a","constructor":{"prototype":{"admin":true}}}`, 400, "a prototype by its constructor"],
  ["json", json, '{"text":"\\ud800"}', 400, "half of a surrogate pair, by an escape"],
  ["json", json, '{"text":"\\udc00\\ud800"}', 400, "halves in the wrong order"],
  ["json", json, '{"\\udfff":1,"text":"a"}', 400, "half of a surrogate pair in a name"],
  ["json", json, bytesOf(...encoder.encode('{"text":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d), 400, "half of one in bytes"],
  ["json", json, bytesOf(0x22, 0xc0, 0xaf, 0x22), 400, "an overlong form of UTF-8"],
  ["json", json, bytesOf(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22), 400, "a character beyond Unicode"],
  ["json", json, bytesOf(0x22, 0xe2, 0x82, 0x22), 400, "a character that is cut"],
  ["json", json, `\uFEFF{"text":"${secret}"}`, 400, "a byte order mark"],
  ["json", json, `\uFEFF\uFEFF{"text":"${secret}"}`, 400, "two byte order marks"],
  ["json", json, utf16('{"text":"a"}', false), 400, "UTF-16 with its byte order mark"],
  ["json", json, utf16('{"text":"a"}', true), 400, "UTF-16 in little-endian order"],
  ["json", json, "", 400, "no content at all"],
  ["json", json, " ", 400, "whitespace alone"],
  ["json", json, `{"text":"${secret}"`, 400, "JSON that is cut"],
  ["json", json, `{"text":"a"}{"text":"${secret}"}`, 400, "two values"],
  ["json", json, "{'text':'a'}", 400, "JavaScript in place of JSON"],
  ["json", json, `{"text":"a",/* ${secret} */}`, 400, "a comment"],
  ["json", json, '{"text":NaN}', 400, "a number that JSON does not have"],
  ["json", json, '{"text":"a\u0000"}', 400, "a control character as it is"],
  ["json", json, `{"text":["${secret}"]}`, 422, "a value of another type"],
  ["json", json, '{"text":"a","stars":1e999}', 400, "a number that is not finite"],
  ["json", json, '{"text":"a","stars":9007199254740993}', 400, "an integer that a double cannot hold"],
  ["json", json, '{"text":"a","stars":-0.5}', 422, "a fraction where an integer is wanted"],
  ["json", json, filled(mebibyte + 1), 413, "one byte more than the bound"],
  ["json", json, " ".repeat(mebibyte + 1), 413, "whitespace beyond the bound"],
  ["text", text, "x".repeat(mebibyte + 1), 413, "text of one byte more than the bound"],
  ["text", text, bytesOf(0xff), 400, "text that is not UTF-8"],
  ["bytes", { "content-type": "image/png" }, "123456789", 413, "one byte more than is declared"],
  ["json", { "content-type": "application/json;charset=iso-8859-1" }, '{"text":"a"}', 415, "another charset"],
  ["json", { "content-type": "application/json;charset=utf-16le" }, '{"text":"a"}', 415, "UTF-16 by name"],
  ["json", { "content-type": 'application/json;charset="utf-7"' }, '{"text":"a"}', 415, "UTF-7 in quotes"],
  ["json", { "content-type": "application/json;charset=utf-8;charset=utf-16" }, "{}", 415, "two charsets"],
  ["json", { "content-type": "application/json, text/plain" }, '{"text":"a"}', 415, "two types"],
  ["json", { "content-type": "text/plain, application/json" }, '{"text":"a"}', 415, "two types, the other first"],
  ["json", { "content-type": "application/json/x" }, '{"text":"a"}', 415, "what is no media type"],
  ["json", { "content-type": "text/plain;x=application/json" }, '{"text":"a"}', 415, "a type in a parameter"],
  ["json", { "content-type": "application/jsonp" }, '{"text":"a"}', 415, "a type that begins like one"],
  ["json", { ...json, "content-encoding": "gzip" }, bytesOf(0x1f, 0x8b, 8, 0), 415, "content that is compressed"],
  ["json", { ...json, "content-encoding": "br" }, '{"text":"a"}', 415, "content that is said to be compressed"],
  ["json", { ...json, "content-encoding": "identity, gzip" }, '{"text":"a"}', 415, "a coding behind none"],
  ["bytes", { "content-type": "image/png", "content-encoding": "gzip" }, bytesOf(0x1f), 415, "bytes of a coding"],
  ["form", { ...form, "content-encoding": "deflate" }, "n=5", 415, "a form that is compressed"],
  ["form", form, `n=${secret}`, 422, "a form with text for a number"],
  ["form", form, "n=5&n=6", 422, "a name that comes twice"],
  ["form", form, "__proto__=5", 422, "a prototype in place of a member"],
  ["form", form, "n=5&constructor=5&n", 422, "a name without a value behind one with it"],
  ["form", form, "%6e=%zz", 422, "a broken escape"],
  ["form", form, bytesOf(0x6e, 0x3d, 0xff), 400, "a form that is not UTF-8"],
  ["form", form, `n=5&${"a=b&".repeat(mebibyte / 4)}`, 413, "more names than the bound"],
  ["form", parts, "n=5", 400, "no parts"],
  ["form", parts, "", 400, "no content"],
  ["form", parts, field("n", "5"), 400, "no end"],
  ["form", parts, `--b\r\n\r\n5\r\n--b--\r\n`, 400, "a part without a name"],
  ["form", parts, `${field("n", secret)}--b--\r\n`, 422, "a part with text for a number"],
  ["form", parts, `${field("n", "5")}${field("n", "6")}--b--\r\n`, 422, "a part that comes twice"],
  ["form", parts, `${field("n", "5", '; filename="a"')}--b--\r\n`, 422, "a file for a number"],
  ["form", parts, `${field("__proto__", "5")}--b--\r\n`, 422, "a prototype in place of a part"],
  ["form", { "content-type": "multipart/form-data" }, field("n", "5"), 400, "no boundary"],
  ["form", { "content-type": `multipart/form-data; boundary=${"b".repeat(5000)}` }, "x", 400, "a boundary without end"],
];

export const hostileContents: readonly HostileContent[] = rows.map(([to, headers, content, status, because]) => ({
  to,
  headers,
  content: typeof content === "string" ? encoder.encode(content) : content,
  status,
  because,
}));
