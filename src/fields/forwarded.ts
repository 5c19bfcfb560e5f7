import { parseParts, trimmed } from "./list.ts";
import { parseParameter } from "./field-parameters.ts";

/**
 * Reads for whom each proxy forwarded a request, from the value of `Forwarded` (RFC 7239 §4). Returns the parameter
 * `for` of each element. The nearest proxy wrote the last one. Ports and brackets are dropped (§6). A malformed
 * element, or one without the parameter, is null.
 */
export function parseForwarded(value: string): (string | null)[] {
  return elementsOf(value).map((element) => {
    const values = parseParts(element)
      .map(parseParameter)
      .filter((parameter) => parameter?.[0] === "for");
    return values.length === 1 ? nodeOf(values[0]![1]) : null;
  });
}

/**
 * Splits at the commas outside of quoted strings, from the right. The nearest proxies wrote the elements there, and a
 * quote that a client opens and does not close must not swallow them. Drops empty elements.
 */
function elementsOf(value: string): string[] {
  const elements: string[] = [];
  let to = value.length;
  let isQuoted = false;
  for (let at = value.length - 1; at >= -1; at--) {
    if (value.charAt(at) === '"' && !(isQuoted && isEscaped(value, at))) isQuoted = !isQuoted;
    if (at >= 0 && (isQuoted || value[at] !== ",")) continue;
    const element = trimmed(value.slice(at + 1, to));
    if (element !== "") elements.push(element);
    to = at;
  }
  return elements.toReversed();
}

/** RFC 9110 §5.6.4: by an odd number of backslashes before it. */
function isEscaped(value: string, at: number): boolean {
  let from = at;
  while (value.charAt(from - 1) === "\\") from--;
  return (at - from) % 2 === 1;
}

/** Reads the same from `X-Forwarded-For`, which is not in any RFC: addresses, some with a port, joined by commas. */
export function parseXForwardedFor(value: string): string[] {
  // Not by parseList(): quotes are not part of the syntax, and must not make one element of two.
  return value.split(",").map((element) => nodeOf(trimmed(element)));
}

/** RFC 7239 §6: a name, optionally followed by a port. */
function nodeOf(text: string): string {
  const bracket = text.indexOf("]");
  if (text.startsWith("[") && bracket !== -1) return text.slice(1, bracket);
  const colon = text.indexOf(":");
  return colon !== -1 && colon === text.lastIndexOf(":") ? text.slice(0, colon) : text;
}
