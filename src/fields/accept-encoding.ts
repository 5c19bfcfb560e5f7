import { mostPreferred } from "./accept.ts";
import { remembered } from "./remembered.ts";
import { isToken } from "./token.ts";
import { parseWeighted } from "./weighted.ts";

/** Reads the value of `Accept-Encoding` (RFC 9110 §12.5.3): content codings in lower case, and their qualities. */
const parseAcceptEncoding = /* @__PURE__ */ remembered((value): ReadonlyMap<string, number> => {
  const codings = new Map<string, number>();
  for (const { value: coding, parameters, quality } of parseWeighted(value)) {
    const name = contentCoding(coding);
    if (parameters.length === 0 && isToken(coding) && !codings.has(name)) codings.set(name, quality);
  }
  return codings;
});

/**
 * Chooses, of the content codings that a server offers, the one that the client prefers; of equal ones, the first.
 * `identity`, which means no coding, is acceptable unless the client refuses it, but comes after all that it names.
 * Without the field every coding is acceptable: the first one offered is chosen.
 * @returns null when none is acceptable.
 */
export function preferredCoding<Offered extends string>(
  acceptEncoding: string | null,
  offered: readonly Offered[],
): Offered | null {
  if (acceptEncoding === null) return offered.at(0) ?? null;
  const codings = parseAcceptEncoding(acceptEncoding);
  const rest = codings.get("*");
  return mostPreferred(offered, (offer) => {
    const coding = contentCoding(offer);
    return codings.get(coding) ?? rest ?? (coding === "identity" ? leastQuality : 0);
  });
}

// Below any quality that can be written: three digits are the limit.
const leastQuality = 0.0001;

/** The one name of a content coding: in lower case, and without the prefix of old (RFC 9110 §8.4.1). */
export function contentCoding(text: string): string {
  const name = text.toLowerCase();
  return name === "x-gzip" || name === "x-compress" ? name.slice(2) : name;
}
