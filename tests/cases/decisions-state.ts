import { but, decisionsOf, isProblem, others, reads, writes, type DecisionRow, type Fields } from "./decision.ts";

const modified = "Sat, 31 Jan 2026 12:00:00 GMT";
const before = "Sat, 31 Jan 2026 11:59:59 GMT";
const after = "Sun, 01 Feb 2026 00:00:00 GMT";
const obsolete = "Saturday, 31-Jan-26 12:00:00 GMT";
const ofCurrent: Fields = { etag: '"7"', "last-modified": modified };
const without: Fields = { etag: null, "last-modified": null };

type Sent = Readonly<Record<string, string>>;

/** A row for reads, one for writes, and one for the methods that no precondition is for (RFC 9110 §13.2.1). */
function conditional(state: string, sent: Sent, ofReads: number, ofWrites: number, because: string): DecisionRow[] {
  const ask = `/conditional/${state}`;
  const validators = state === "current" ? ofCurrent : {};
  return [
    {
      ask,
      by: reads,
      sent,
      is: ofReads,
      fields: ofReads < 400 ? validators304(ofReads, validators) : isProblem,
      because,
    },
    { ask, by: writes, sent, is: ofWrites, fields: ofWrites === 200 ? without : isProblem, because },
    {
      ask,
      by: others,
      sent,
      is: 200,
      fields: without,
      because: `${because}; this method is not conditional (§13.2.1)`,
    },
  ];
}

/** 304 has the tag, and leaves out what a cache has with it (RFC 9110 §15.4.5). */
function validators304(status: number, validators: Fields): Fields {
  if (status !== 304) return validators;
  return { ...("etag" in validators ? { ...validators, "last-modified": null } : {}), "content-type": null };
}

const conditionals: readonly DecisionRow[] = [
  conditional("current", {}, 200, 200, "validators of a representation that was read (RFC 9110 §8.8)"),
  conditional("current", { "if-match": '"7"' }, 200, 200, "the tag matches (RFC 9110 §13.1.1)"),
  conditional("current", { "if-match": '"6", "7"' }, 200, 200, "a tag of the list matches (RFC 9110 §13.1.1)"),
  conditional("current", { "if-match": "*" }, 200, 200, "there is a representation (RFC 9110 §13.1.1)"),
  conditional("current", { "if-match": '"6"' }, 412, 412, "no tag matches (RFC 9110 §15.5.13)"),
  conditional("current", { "if-match": 'W/"7"' }, 412, 412, "If-Match compares strongly (RFC 9110 §8.8.3.2)"),
  conditional("current", { "if-match": "7" }, 412, 412, "what is no tag matches none (RFC 9110 §8.8.3)"),
  conditional("current", { "if-none-match": '"7"' }, 304, 412, "the tag is the current one (RFC 9110 §13.1.2)"),
  conditional("current", { "if-none-match": 'W/"7"' }, 304, 412, "it compares weakly (RFC 9110 §8.8.3.2)"),
  conditional("current", { "if-none-match": "*" }, 304, 412, "there is a representation (RFC 9110 §13.1.2)"),
  conditional("current", { "if-none-match": '"6"' }, 200, 200, "no tag matches (RFC 9110 §13.1.2)"),
  conditional("current", { "if-modified-since": modified }, 304, 200, "not modified since (RFC 9110 §13.1.3)"),
  conditional("current", { "if-modified-since": obsolete }, 304, 200, "an obsolete date (RFC 9110 §5.6.7)"),
  conditional("current", { "if-modified-since": before }, 200, 200, "modified since (RFC 9110 §13.1.3)"),
  conditional("current", { "if-modified-since": "never" }, 200, 200, "no date is ignored (RFC 9110 §13.1.3)"),
  conditional("current", { "if-unmodified-since": modified }, 200, 200, "not modified since (RFC 9110 §13.1.4)"),
  conditional("current", { "if-unmodified-since": after }, 200, 200, "not modified since (RFC 9110 §13.1.4)"),
  conditional("current", { "if-unmodified-since": before }, 412, 412, "modified since (RFC 9110 §13.1.4)"),
  conditional("current", { "if-unmodified-since": "never" }, 200, 200, "no date is ignored (RFC 9110 §13.1.4)"),
  conditional(
    "current",
    { "if-match": '"7"', "if-unmodified-since": before },
    200,
    200,
    "If-Match goes before If-Unmodified-Since (RFC 9110 §13.2.2)",
  ),
  conditional(
    "current",
    { "if-none-match": '"6"', "if-modified-since": modified },
    200,
    200,
    "If-None-Match goes before If-Modified-Since (RFC 9110 §13.2.2)",
  ),
  conditional(
    "current",
    { "if-match": '"6"', "if-none-match": '"7"' },
    412,
    412,
    "If-Match is the first step (RFC 9110 §13.2.2)",
  ),
  conditional("weak", { "if-match": 'W/"7"' }, 412, 412, "a weak tag matches none strongly (RFC 9110 §8.8.3.2)"),
  conditional("weak", { "if-none-match": '"7"' }, 304, 412, "it compares weakly (RFC 9110 §8.8.3.2)"),
  conditional("dated", { "if-match": '"7"' }, 412, 412, "there is no tag to match (RFC 9110 §13.1.1)"),
  conditional("dated", { "if-match": "*" }, 200, 200, "there is a representation (RFC 9110 §13.1.1)"),
  conditional("none", { "if-match": "*" }, 412, 412, "there is no representation (RFC 9110 §13.1.1)"),
  conditional("none", { "if-none-match": "*" }, 200, 200, "there is no representation (RFC 9110 §13.1.2)"),
  conditional("none", { "if-modified-since": modified }, 200, 200, "there is no date (RFC 9110 §13.1.3)"),
  conditional("none", { "if-unmodified-since": before }, 200, 200, "there is no date (RFC 9110 §13.1.4)"),
  conditional("unknown", { "if-match": '"6"' }, 200, 200, "nothing is known of the state (RFC 9110 §13.1)"),
].flat();

const strict: Fields = { "cache-control": "no-store", ...isProblem };
const requiring = [...reads, ...writes];

const required: readonly DecisionRow[] = [
  {
    ask: "/required/current",
    by: requiring,
    is: 428,
    fields: strict,
    because: "a change has to name its basis (RFC 6585 §3)",
  },
  {
    ask: "/required/current",
    by: requiring,
    sent: { "if-unmodified-since": "never" },
    is: 428,
    fields: strict,
    because: "what is no date is no precondition (RFC 6585 §3, RFC 9110 §13.1.4)",
  },
  { ask: "/required/current", by: requiring, sent: { "if-match": '"7"' }, is: 200, because: "it does (RFC 6585 §3)" },
  {
    ask: "/required/current",
    by: requiring,
    sent: { "if-match": '"6"' },
    is: 412,
    because: "its basis has changed (RFC 9110 §15.5.13)",
  },
  { ask: "/required/none", by: requiring, is: 200, because: "there is nothing to be lost (RFC 6585 §3)" },
  {
    ask: "/required/current",
    by: others,
    is: 200,
    because: "a method that is not conditional needs no precondition (RFC 9110 §13.2.1)",
  },
];

const isCached: Fields = {
  "cache-control": "max-age=60",
  deprecation: "@1769817600",
  sunset: "Sun, 31 Jan 2027 00:00:00 GMT",
  link: '<https://example.com/end>; rel="deprecation"',
};
const isNotCached: Fields = { "cache-control": null, deprecation: null, sunset: null, link: null };

const cache: readonly DecisionRow[] = [
  { ask: "/cache/current", is: 200, fields: isCached, because: "answers say how they are cached (RFC 9111 §5.2)" },
  { ask: "/cache/none", is: 200, fields: isCached, because: "deprecation is announced in fields (RFC 9745 §2)" },
  {
    ask: "/cache/current",
    by: reads,
    sent: { "if-none-match": '"7"' },
    is: 304,
    fields: { ...isCached, etag: '"7"', "content-type": null },
    because: "304 has the fields that 200 would have (RFC 9110 §15.4.5)",
  },
  {
    ask: "/cache/current",
    by: writes,
    sent: { "if-none-match": '"7"' },
    is: 412,
    fields: isNotCached,
    because: "what is declared is of answers below 400 (RFC 9111 §5.2)",
  },
  {
    ask: "/cache/current?n=x",
    is: 400,
    fields: isNotCached,
    because: "what is declared is of answers below 400 (RFC 9111 §5.2)",
  },
  {
    ask: "/cache/current",
    sent: { accept: "image/png" },
    is: 406,
    fields: { ...isNotCached, vary: "Accept" },
    because: "a refusal that depends on Accept says so (RFC 9110 §12.5.5)",
  },
  {
    ask: "/tagged",
    by: reads,
    is: 200,
    fields: { etag: '"IBktkvG9sJYGQVN8WYikNw"', "cache-control": "no-cache" },
    because: "a tag of the content is computed where it is declared (RFC 9110 §8.8.3)",
  },
  {
    ask: "/tagged",
    by: but(...reads),
    is: 200,
    fields: { etag: null, "cache-control": "no-cache" },
    because: "what answers a change has no tag: it is no representation that was selected (RFC 9110 §8.8.3)",
  },
  {
    ask: "/tagged",
    by: reads,
    sent: { "if-none-match": '"IBktkvG9sJYGQVN8WYikNw"' },
    is: 304,
    fields: { "cache-control": "no-cache", "content-type": null },
    because: "the client has got this content (RFC 9110 §15.4.5)",
  },
  {
    ask: "/tagged",
    by: reads,
    sent: { "if-match": '"6"' },
    is: 412,
    fields: { "cache-control": null },
    because: "the content is another one (RFC 9110 §15.5.13)",
  },
  {
    ask: "/tagged",
    by: but(...reads),
    sent: { "if-match": '"6"' },
    is: 200,
    because: "the tag of the content is of reads only (RFC 9110 §13.1)",
  },
];

const asWhole: Fields = { "content-type": "image/png", "content-range": null };
const notGet = but("GET");

/** Ten bytes with the validators of `current`. */
function ranges(range: string, is: number, contentRange: string | null, because: string, more: Sent = {}): DecisionRow {
  const fields = { "content-range": contentRange, ...(is === 416 ? isProblem : { "accept-ranges": "bytes" }) };
  return { ask: "/ranges", by: ["GET"], sent: { range, ...more }, is, fields, because };
}

const parts: readonly DecisionRow[] = [
  {
    ask: "/ranges",
    by: ["GET"],
    is: 200,
    fields: { ...asWhole, "accept-ranges": "bytes", "content-length": "10" },
    because: "bytes can be asked for in part (RFC 9110 §14.3)",
  },
  {
    ask: "/ranges/read",
    by: ["GET", "HEAD"],
    is: 200,
    fields: { ...asWhole, "accept-ranges": "bytes", "content-length": "10" },
    because: "HEAD has the fields of GET (RFC 9110 §9.3.2)",
  },
  ranges("bytes=2-4", 206, "bytes 2-4/10", "a part of it (RFC 9110 §15.3.7)"),
  ranges("bytes=0-0", 206, "bytes 0-0/10", "the first byte (RFC 9110 §14.1.2)"),
  ranges("bytes=5-", 206, "bytes 5-9/10", "from there to the end (RFC 9110 §14.1.2)"),
  ranges("bytes=-3", 206, "bytes 7-9/10", "the last bytes (RFC 9110 §14.1.2)"),
  ranges("bytes=-99", 206, "bytes 0-9/10", "no more than there are (RFC 9110 §14.1.2)"),
  ranges("bytes=8-99", 206, "bytes 8-9/10", "no further than the end (RFC 9110 §14.1.2)"),
  ranges("Bytes=0-1", 206, "bytes 0-1/10", "the case of a unit does not count (RFC 9110 §14.1)"),
  ranges("bytes=0-1,20-30", 206, "bytes 0-1/10", "the part that there is (RFC 9110 §14.2)"),
  ranges("bytes=10-", 416, "bytes */10", "beyond the end (RFC 9110 §15.5.17)"),
  ranges("bytes=-0", 416, "bytes */10", "the last zero bytes (RFC 9110 §14.1.2)"),
  ranges("bytes=0-1,4-5", 200, null, "several parts may be answered by the whole (RFC 9110 §14.2)"),
  ranges("bytes=4-2", 200, null, "what is no range is ignored (RFC 9110 §14.1.1)"),
  ranges("bytes=a-b", 200, null, "what is no range is ignored (RFC 9110 §14.2)"),
  ranges("bytes=", 200, null, "what is no range is ignored (RFC 9110 §14.1.1)"),
  ranges("lines=0-1", 200, null, "another unit is ignored (RFC 9110 §14.2)"),
  ranges("bytes=2-4", 206, "bytes 2-4/10", "the tag is the current one (RFC 9110 §13.1.5)", { "if-range": '"7"' }),
  ranges("bytes=2-4", 200, null, "the tag is an old one (RFC 9110 §13.1.5)", { "if-range": '"6"' }),
  ranges("bytes=20-", 200, null, "an old tag wants the whole, and no 416 (RFC 9110 §13.1.5)", { "if-range": '"6"' }),
  ranges("bytes=2-4", 200, null, "If-Range compares strongly (RFC 9110 §13.1.5)", { "if-range": 'W/"7"' }),
  ranges("bytes=2-4", 206, "bytes 2-4/10", "the date is the same (RFC 9110 §13.1.5)", { "if-range": modified }),
  ranges("bytes=2-4", 200, null, "a later date is another one (RFC 9110 §13.1.5)", { "if-range": after }),
  {
    ask: "/ranges",
    by: ["GET"],
    sent: { range: "bytes=2-4", "if-none-match": '"7"' },
    is: 304,
    fields: { etag: '"7"', "content-range": null },
    because: "preconditions go before ranges (RFC 9110 §13.2.2)",
  },
  {
    ask: "/ranges",
    by: ["GET"],
    sent: { range: "bytes=2-4", "if-match": '"6"' },
    is: 412,
    fields: { "content-range": null },
    because: "preconditions go before ranges (RFC 9110 §13.2.2)",
  },
  ...["bytes=2-4", "bytes=20-", "bytes=0-1,4-5"].map((range) => ({
    ask: "/ranges",
    by: notGet,
    sent: { range },
    is: 200,
    fields: asWhole,
    because: "Range is defined for GET alone (RFC 9110 §14.2)",
  })),
  {
    ask: "/ranges/text",
    sent: { range: "bytes=2-4" },
    is: 200,
    fields: { "accept-ranges": null, "content-range": null },
    because: "what is written anew for each answer is sent as a whole (RFC 9110 §14.2)",
  },
];

export const decisionsByState = [
  ...decisionsOf("conditional", [...conditionals, ...required]),
  ...decisionsOf("cache", cache),
  ...decisionsOf("ranges", parts),
];
