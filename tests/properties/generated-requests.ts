import fc from "fast-check";
import { tenMethods } from "../cases/decision.ts";
import { decisions } from "../cases/decisions.ts";

/** A request, of which a `Request` need not be able to carry the method. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly content: Uint8Array<ArrayBuffer> | null;
}

const targets = [...new Set(decisions.map(({ target }) => target))];
const paths = [...new Set(targets.map((target) => target.replace(/\?.*/, "")))];
const values = [...new Set(decisions.flatMap(({ headers }) => Object.values(headers)))];
const contents = [...new Set(decisions.flatMap(({ content }) => content ?? []))];
const encoder = new TextEncoder();

/** Text of a field: one that the table has, a part of several, or any that `Headers` takes. */
const fieldValues = fc.oneof(
  fc.constantFrom(...values),
  fc.array(fc.constantFrom(...values), { maxLength: 4 }).map((some) => some.join(", ")),
  fc
    .array(fc.oneof(fc.constantFrom(...'"\\,;=/*-W 0q.'), fc.integer({ min: 0x21, max: 0xff }).map(letter)), {
      maxLength: 12,
    })
    .map((letters) => letters.join("").trim()),
);

const fieldNames = fc.constantFrom(
  ..."accept content-type if-match if-none-match if-modified-since if-unmodified-since range if-range cookie".split(
    " ",
  ),
  ..."prefer x-count x-tag content-length content-encoding transfer-encoding expect accept-encoding origin".split(" "),
);

export const sentFields = fc.array(fc.tuple(fieldNames, fieldValues), { maxLength: 5 });

export const sentTargets = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...targets) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...paths),
        fc.array(
          fc.constantFrom(..."n on tags lang ratio x = & ; % %ff %00 5 1e1 - + true en __proto__ [] . é".split(" ")),
          {
            maxLength: 8,
          },
        ),
      )
      .map(([path, pieces]) => `${path}?${pieces.join("")}`),
  },
  fc.constantFrom("/", "/conditional/__proto__", "/conditional/%ff", "/at/y/%00", "/query/", "//query", "/QUERY"),
);

const sentContent = fc.oneof(
  fc.constantFrom(...contents).map((text) => encoder.encode(text)),
  fc.jsonValue().map((value) => encoder.encode(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
);

export const sentRequests: fc.Arbitrary<Sent> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...tenMethods) },
    fc.constantFrom("PURGE", "get", "__proto__", "constructor", "ALL", "LINK", "X"),
  ),
  target: sentTargets,
  headers: sentFields,
  content: fc.option(sentContent),
});

/** The request; null where no field can have such a value. */
export function inputOf({ method, target, headers: sent, content }: Sent): Request | null {
  const headers = new Headers();
  try {
    for (const [name, value] of sent) headers.append(name, value);
  } catch {
    return null;
  }
  const url = new URL(target, "http://localhost").href;
  // As servers hand over what a `Request` cannot carry: without content.
  const asIs = { url, method, headers, body: null, signal: new AbortController().signal } as unknown as Request;
  if (/^(?:CONNECT|TRACE|GET|HEAD|get)$/.test(method)) return asIs;
  return new Request(url, { method, headers, ...(content === null ? {} : { body: content }) });
}

function letter(code: number): string {
  return String.fromCharCode(code);
}
