import { decisionsOf, isProblem, type DecisionRow } from "./decision.ts";

const because = (what: string, section = "15.5.1"): string => `${what} (RFC 9110 §${section})`;
const asText = { "content-type": "text/plain;charset=utf-8" };

const fits = (search: string, what: string): DecisionRow => ({
  ask: `/query${search}`,
  is: 200,
  fields: asText,
  because: because(what, "15.3.1"),
});
const refused = (search: string, what: string): DecisionRow => ({
  ask: `/query${search}`,
  is: 400,
  fields: isProblem,
  because: because(what),
});

/** `n`, an integer from 1 to 99, and optional: `ratio`, `on`, `lang` and `tags`. */
const query: readonly DecisionRow[] = [
  fits("?n=5", "a number is read by the grammar of JSON"),
  fits("?n=5.0", "JSON writes an integer with a fraction of zero, too"),
  fits("?n=1e1", "JSON writes an integer with an exponent, too"),
  fits("?n=%35", "an escape is the character that it stands for"),
  fits("?n=5&x=y", "a name that is not declared is left to the strictness of the schema"),
  fits("?n=5&on=true&lang=de&ratio=0.5", "each member is read as the type that its schema names"),
  fits("?n=5&tags=a&tags=b", "a list collects repeats"),
  fits("?n=5&tags=a,b", "a comma does not split"),
  fits("?n=5&on=", "empty text is no value of an optional member that is not text"),
  fits("?&n=5&", "empty parts of a query name nothing"),
  refused("", "a required member is missing"),
  refused("?n=", "empty text is no number"),
  refused("?n=0x10", "JSON has no hexadecimal numbers"),
  refused("?n=%205", "a space is no part of a number"),
  refused("?n=+5", "a plus sign is a space, which is no part of a number"),
  refused("?n=5&n=6", "a repeated scalar is a list"),
  refused("?n=0", "the number is below the least"),
  refused("?n=100", "the number is beyond the greatest"),
  refused("?n=9007199254740993", "an integer that a double cannot hold is not read"),
  refused("?n=5&ratio=1e999", "a number that is not finite is not read"),
  refused("?n=5&on=yes", "a boolean is true or false"),
  refused("?n=5&on=TRUE", "the case of a boolean counts"),
  refused("?n=5&lang=fr", "the text is none of the enumerated"),
  refused("?n=%ff", "bytes that are not UTF-8 are no number"),
  refused("?N=5", "the case of a name counts"),
];

const sent = (fields: Readonly<Record<string, string>>, is: number, what: string): DecisionRow => ({
  ask: "/fields",
  sent: fields,
  is,
  fields: is === 200 ? asText : isProblem,
  because: because(what, is === 200 ? "5.1" : "15.5.1"),
});

/** `x-count`, an integer; `sid`, a cookie of three characters at least; optional: `x-tag`, and `size`, an integer. */
const fields: readonly DecisionRow[] = [
  sent({ "x-count": "5", cookie: "sid=abc" }, 200, "fields and cookies are read as they are declared"),
  sent({ "X-COUNT": "5", cookie: "sid=abc" }, 200, "the case of a field's name does not count"),
  sent({ "x-count": "5", "x-tag": "a, b", cookie: "sid=abc" }, 200, "a comma does not split"),
  sent({ "x-count": "5", "x-other": "1", cookie: "sid=abc; other=1" }, 200, "others are not looked at"),
  sent({ "x-count": "5", cookie: "sid=abc; size=7" }, 200, "a cookie is read as the type that its schema names"),
  sent({ cookie: "sid=abc" }, 400, "a required field is missing"),
  sent({ "x-count": "five", cookie: "sid=abc" }, 400, "the field is no number"),
  sent({ "x-count": "5, 6", cookie: "sid=abc" }, 400, "a repeated field is no number"),
  sent({ "x-count": "5" }, 400, "a required cookie is missing"),
  sent({ "x-count": "5", cookie: "sid=a" }, 400, "the cookie is too short"),
  sent({ "x-count": "5", cookie: "SID=abc" }, 400, "the case of a cookie's name counts"),
  sent({ "x-count": "5", cookie: "sid=abc; size=x" }, 400, "the cookie is no number"),
  sent({}, 400, "all that is missing is told at once"),
];

export const decisionsByRequest = [...decisionsOf("query", query), ...decisionsOf("fields", fields)];
