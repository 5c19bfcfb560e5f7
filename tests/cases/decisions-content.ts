import { carriers, decisionsOf, isProblem, reads, writes, type DecisionRow, type Fields } from "./decision.ts";

const json = { "content-type": "application/json" };
const type = (value: string): Readonly<Record<string, string>> => ({ "content-type": value });
const asText = { "content-type": "text/plain;charset=utf-8" };

/** Rows of all methods whose requests have content. */
function sent(
  ask: string,
  headers: Readonly<Record<string, string>>,
  content: string,
  is: number,
  because: string,
  fields: DecisionRow["fields"] = is === 200 ? asText : isProblem,
): DecisionRow {
  return { ask, by: carriers, sent: headers, content, is, fields, because };
}

const jsonTypes = { accept: "application/json" };

const content: readonly DecisionRow[] = [
  sent("/content/json", json, '{"text":"a"}', 200, "content of the declared type is read (RFC 9110 §8.3)"),
  sent("/content/json", type("Application/JSON"), '{"text":"a"}', 200, "case does not count (RFC 9110 §8.3.1)"),
  sent("/content/json", type("application/json; charset=utf-8"), '{"text":"a"}', 200, "JSON is UTF-8 (RFC 8259 §8.1)"),
  sent("/content/json", type("application/json;charset=UTF-8"), '{"text":"a"}', 200, "so is this (RFC 9110 §8.3.2)"),
  sent("/content/json", json, '\uFEFF{"text":"a"}', 400, "nobody may send a byte order mark (RFC 8259 §8.1)"),
  sent("/content/json", json, '{"text":"a","more":1}', 200, "the strictness of the schema decides (RFC 8259 §4)"),
  sent("/content/json", json, "", 400, "no content is no JSON (RFC 9110 §15.5.1)"),
  sent("/content/json", json, "{text:1}", 400, "content that cannot be read (RFC 9110 §15.5.1)"),
  sent("/content/json", json, '{"__proto__":{}}', 400, "a name that could reach a prototype (RFC 9110 §15.5.1)"),
  sent("/content/json", json, '{"text":"\\ud800"}', 400, "half of a surrogate pair (RFC 7493 §2.1)"),
  sent("/content/json", json, '{"text":1}', 422, "content that does not fit (RFC 9110 §15.5.21)"),
  sent("/content/json", json, '{"text":"a","stars":"5"}', 422, "JSON is not converted (RFC 9110 §15.5.21)"),
  sent("/content/json", json, "null", 422, "content that does not fit (RFC 9110 §15.5.21)"),
  sent("/content/json", type("text/plain"), "{}", 415, "another type is not taken (RFC 9110 §15.5.16)", jsonTypes),
  sent("/content/json", type("application/ld+json"), "{}", 415, "JSON's type is not of all (RFC 6839 §3.1)", jsonTypes),
  sent("/content/json", type("application/*"), "{}", 415, "a range is no type (RFC 9110 §8.3.1)", jsonTypes),
  sent("/content/json", type("json"), "{}", 415, "what is no media type (RFC 9110 §8.3.1)", jsonTypes),
  sent("/content/json", type("application/json;charset=latin1"), "{}", 415, "another charset (RFC 9110 §8.3.2)"),
  {
    ask: "/content/json",
    by: ["PATCH"],
    sent: type("text/plain"),
    content: "x",
    is: 415,
    fields: { ...jsonTypes, "accept-patch": "application/json" },
    because: "Accept-Patch says what is taken (RFC 5789 §2.2)",
  },
  {
    ask: "/content/json",
    by: ["QUERY"],
    sent: type("text/plain"),
    content: "x",
    is: 415,
    fields: { ...jsonTypes, "accept-query": "application/json" },
    because: "Accept-Query says what is taken (RFC 10008 §3)",
  },
  {
    ask: "/content/json",
    by: carriers.filter((method) => method !== "QUERY"),
    is: 415,
    fields: { ...jsonTypes, ...isProblem },
    because: "content is required, and there is none of the type (RFC 9110 §15.5.16)",
  },
  {
    ask: "/content/json",
    by: ["QUERY"],
    is: 400,
    fields: { "accept-query": "application/json", ...isProblem },
    because: "a QUERY without a content type is refused (RFC 10008 §2)",
  },
  {
    ask: "/content/json",
    by: carriers.filter((method) => method !== "QUERY"),
    sent: { accept: "image/png" },
    is: 415,
    because: "the type of the request is asked for before the type of the answer (RFC 9110 §15.5.16)",
  },
  sent("/content/json", { ...json, accept: "image/png" }, "{", 406, "406 comes before content (RFC 9110 §15.5.7)"),
  {
    ask: "/content/json",
    by: ["CONNECT", "GET", "HEAD", "TRACE"],
    sent: json,
    content: '{"text":"a"}',
    is: 200,
    because: "content of such a request has no meaning, and is not read (RFC 9110 §9.3.1)",
  },
  sent("/content/patch", type("application/merge-patch+json"), '{"text":"a"}', 200, "+json is JSON (RFC 6839 §3.1)"),
  sent("/content/patch", json, "{}", 415, "the declared type is another (RFC 9110 §15.5.16)", {
    accept: "application/merge-patch+json",
  }),
  sent("/content/text", type("text/plain"), "12345678", 200, "text within the bound (RFC 9110 §8.6)"),
  sent("/content/text", type("text/plain"), "ääää", 200, "a bound is of bytes (RFC 9110 §8.6)"),
  sent("/content/text", type("text/plain;charset=utf-8"), "a", 200, "text is UTF-8 (RFC 9110 §8.3.2)"),
  sent("/content/text", type("text/plain"), "", 200, "text may be empty (RFC 9110 §6.4)"),
  sent("/content/text", type("text/plain"), "123456789", 413, "more than the bound (RFC 9110 §15.5.14)"),
  sent("/content/text", type("text/plain"), "äääää", 413, "a bound is of bytes (RFC 9110 §15.5.14)"),
  sent("/content/text", type("text/plain;charset=utf-16"), "a", 415, "another charset (RFC 9110 §8.3.2)"),
  sent("/content/text", type("text/html"), "a", 415, "another type (RFC 9110 §15.5.16)", { accept: "text/plain" }),
  sent("/content/bytes", type("image/png"), "12345678", 200, "bytes within the bound (RFC 9110 §8.6)"),
  sent("/content/bytes", type("image/png"), "123456789", 413, "more than the bound (RFC 9110 §15.5.14)"),
  sent("/content/bytes", type("image/gif"), "1", 415, "another type (RFC 9110 §15.5.16)", { accept: "image/png" }),
  sent("/content/any", type("image/gif"), "12345678", 200, "any type is of the range (RFC 9110 §12.5.1)"),
  sent("/content/any", type("text/plain;charset=utf-16"), "1", 200, "bytes are not read as text (RFC 9110 §8.3.2)"),
  sent("/content/any", type("image/*"), "1", 415, "a range is no type (RFC 9110 §8.3.1)", { accept: "*/*" }),
  sent("/content/any", type("image/gif"), "123456789", 413, "more than the bound (RFC 9110 §15.5.14)"),
  {
    ...sent("/content/any", {}, "1", 200, "content without a type may be taken for bytes (RFC 9110 §8.3)"),
    by: carriers.filter((method) => method !== "QUERY"),
  },
  sent("/content/streamed", type("image/gif"), "12345678", 200, "a stream within the bound (RFC 9110 §8.6)"),
  sent("/content/streamed", type("image/gif"), "", 200, "a stream may be empty (RFC 9110 §6.4)"),
  sent("/content/streamed", type("image/gif"), "123456789", 413, "more than the bound (RFC 9110 §15.5.14)"),
  sent("/content/streamed", type("text/css"), "1", 415, "another type (RFC 9110 §15.5.16)", { accept: "image/*" }),
  sent("/content/stored", type("image/png"), "12345678", 200, "a file within the bound (RFC 9110 §8.6)"),
  sent("/content/stored", type("image/png"), "123456789", 413, "more than the bound (RFC 9110 §15.5.14)"),
  sent("/content/json", { ...json, "content-encoding": "gzip" }, "x", 415, "a coding (RFC 9110 §12.5.3)", {
    "accept-encoding": "identity",
    accept: null,
  }),
  sent("/content/json", { ...json, "content-encoding": "Identity" }, '{"text":"a"}', 200, "none (RFC 9110 §8.4.1)"),
  sent("/content/form", type("application/x-www-form-urlencoded"), "n=5", 200, "a form is read (RFC 9110 §8.3)"),
  sent("/content/form", type("application/x-www-form-urlencoded"), "n=x", 422, "no number (RFC 9110 §15.5.21)"),
  sent("/content/form", type("application/x-www-form-urlencoded"), "", 422, "n is missing (RFC 9110 §15.5.21)"),
  sent(
    "/content/form",
    type("multipart/form-data; boundary=b"),
    '--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n5\r\n--b--\r\n',
    200,
    "a form of parts is read (RFC 7578 §4.1)",
  ),
  sent("/content/form", type("multipart/form-data; boundary=b"), "n=5", 400, "no parts (RFC 9110 §15.5.1)"),
  sent("/content/form", type("multipart/form-data"), "x", 400, "no boundary (RFC 7578 §4.1)"),
  { ask: "/content/optional", is: 200, fields: asText, because: "content may be left out (RFC 9110 §6.4)" },
  sent("/content/optional", json, "", 200, "no bytes are no content, whatever their type is (RFC 9110 §6.4)"),
  sent("/content/optional", type("text/plain"), "", 200, "and so with a type that is not taken (RFC 9110 §6.4)"),
  sent("/content/optional", {}, "", 200, "and without a type (RFC 9110 §6.4)"),
  {
    ...sent("/content/optional", {}, "x", 415, "content that is there has a type (RFC 9110 §15.5.16)", jsonTypes),
    by: carriers.filter((method) => method !== "QUERY"),
  },
  sent("/content/optional", json, '{"text":"a"}', 200, "content that is there is read (RFC 9110 §8.3)"),
  sent("/content/optional", json, '{"text":1}', 422, "content that is there has to fit (RFC 9110 §15.5.21)"),
  sent("/content/optional", type("text/plain"), "x", 415, "and be of the type (RFC 9110 §15.5.16)", jsonTypes),
];

const offered = (accept: string, chosen: string, because: string): DecisionRow => ({
  ask: "/media",
  sent: { accept },
  is: 200,
  fields: { "content-type": chosen, vary: "Accept" },
  because,
});
const unacceptable = (accept: string, because: string): DecisionRow => ({
  ask: "/media",
  sent: { accept },
  is: 406,
  fields: { vary: "Accept", ...isProblem },
  because,
});
const plain = (accept: string, is: number, because: string): DecisionRow => ({
  ask: "/preferred/200",
  sent: { accept },
  is,
  fields: is === 200 ? asText : isProblem,
  because,
});
const refused = (accept: string, chosen: string, because: string): DecisionRow => ({
  ask: "/media/refused",
  sent: { accept },
  is: 409,
  fields: { "content-type": chosen, vary: "Accept" },
  because,
});
const taken = { accept: "application/json, text/plain, image/*" };
const asIs: Fields = { "content-type": "text/plain;charset=utf-8", "preference-applied": null };
const preferring = (prefer: string, because: string, ask = "/preferred/200"): DecisionRow => ({
  ask,
  by: writes,
  sent: { prefer },
  is: Number(ask.slice(-3)),
  fields: asIs,
  because,
});
const minimal = (prefer: string, because: string): DecisionRow => ({
  ...preferring(prefer, because),
  is: 204,
  fields: { "content-type": null, "preference-applied": "return=minimal", vary: "Prefer" },
});

const kept = (target: string, isActive: boolean, because: string, accept = "*/*"): DecisionRow => ({
  ask: `/media/stored/${target}`,
  sent: { accept },
  is: 200,
  fields: {
    "content-type": target,
    "x-content-type-options": "nosniff",
    "content-security-policy": isActive ? "sandbox" : null,
  },
  because,
});

const media: readonly DecisionRow[] = [
  kept("image/png", false, "what was stored has its type (RFC 9110 §8.3)"),
  kept("image/png", false, "and is asked for by that (RFC 9110 §12.5.1)", "image/png"),
  kept("text/html", true, "a stored page runs no script (RFC 9110 §17)"),
  kept("image/svg+xml", true, "nor does a picture (RFC 9110 §17)"),
  {
    ask: "/media/stored/image/png",
    by: reads,
    sent: { accept: "image/gif" },
    is: 406,
    fields: isProblem,
    because: "the client accepts another type only (RFC 9110 §15.5.7)",
  },
  {
    ask: "/media",
    is: 200,
    fields: { "content-type": "application/json", vary: "Accept" },
    because: "without Accept any type will do, and it is the first (RFC 9110 §12.5.1)",
  },
  offered("text/csv", "text/csv", "the type that is asked for (RFC 9110 §12.5.1)"),
  offered("TEXT/CSV", "text/csv", "case does not count (RFC 9110 §8.3.1)"),
  offered("*/*", "application/json", "of equals it is the first (RFC 9110 §12.5.1)"),
  offered("text/*", "text/csv", "a range of types (RFC 9110 §12.5.1)"),
  offered("text/csv;q=0.1, text/html;q=0.9", "text/html", "the higher weight (RFC 9110 §12.4.2)"),
  offered("text/*;q=0.9, text/csv;q=0.2", "text/html", "the more specific range counts (RFC 9110 §12.5.1)"),
  offered("*/*, application/json;q=0", "text/csv", "a weight of 0 is not acceptable (RFC 9110 §12.4.2)"),
  offered("image/png, text/html;q=0.001", "text/html", "what is acceptable at all (RFC 9110 §12.4.2)"),
  offered("", "application/json", "an empty field prefers nothing (RFC 9110 §12.5.1)"),
  offered("text/csv , , text/html", "text/csv", "empty members are ignored (RFC 9110 §5.6.1)"),
  offered("text/html;q=2, text/csv", "text/csv", "a member with no weight that there is (RFC 9110 §12.4.2)"),
  unacceptable("image/png", "none of the types is acceptable (RFC 9110 §15.5.7)"),
  unacceptable("*/*;q=0", "none of the types is acceptable (RFC 9110 §12.4.2)"),
  offered("text/csv;charset=UTF-8", "text/csv", "text is written in UTF-8 (RFC 9110 §12.5.1)"),
  plain("text/plain;charset=utf-8", 200, "the type that is sent (RFC 9110 §12.5.1)"),
  plain("Text/Plain; Charset=UTF-8;q=0.1", 200, "case does not count (RFC 9110 §8.3.2)"),
  plain("text/plain;charset=utf-16", 406, "another charset (RFC 9110 §12.5.1)"),
  refused("application/json", "application/json", "an error has a type that is accepted (RFC 9110 §12.5.1)"),
  refused("application/vnd.note+json", "application/vnd.note+json", "and the other one (RFC 9110 §12.5.1)"),
  refused("image/png", "application/vnd.note+json", "no error becomes another one (RFC 9110 §15.5.7)"),
  offered("text/csv;header=absent", "text/csv", "a parameter that no type has says nothing about it (RFC 6906 §3.1)"),
  {
    ask: "/media",
    sent: { "content-type": "image/png" },
    is: 200,
    because: "content that is not declared is not looked at (RFC 9110 §8.3)",
  },
  sent("/media/taken", json, '{"text":"a"}', 200, "one of the types that are taken (RFC 9110 §8.3)"),
  sent("/media/taken", type("text/plain"), "a", 200, "another of them (RFC 9110 §8.3)"),
  sent("/media/taken", type("image/webp"), "a", 200, "one of a range of types (RFC 9110 §8.3.1)"),
  sent("/media/taken", json, '{"text":1}', 422, "by the schema of its type (RFC 9110 §15.5.21)"),
  sent("/media/taken", type("audio/ogg"), "a", 415, "none of the types (RFC 9110 §15.5.16)", taken),
  minimal("return=minimal", "204 in place of 200 (RFC 7240 §4.2)"),
  minimal('Return = "minimal"; foo', "a quoted value is the same value (RFC 7240 §2)"),
  minimal("respond-async, return=minimal, return=representation", "the first counts (RFC 7240 §2)"),
  preferring("return=minimal", "201 says that there is a new resource (RFC 9110 §15.3.2)", "/preferred/201"),
  preferring("return=minimal", "202 says that nothing is done yet (RFC 9110 §15.3.3)", "/preferred/202"),
  preferring("return=representation, return=minimal", "the first counts (RFC 7240 §2)"),
  preferring('foo="x, return=minimal, y"', "it stands in a quoted string (RFC 7240 §2)"),
  preferring("foo; return=minimal", "it is a parameter of another preference (RFC 7240 §2)"),
  { ...preferring("return=minimal", "what is read is preferred (RFC 7240 §4.2)"), by: reads },
];

export const decisionsByContent = [...decisionsOf("content", content), ...decisionsOf("media", media)];
