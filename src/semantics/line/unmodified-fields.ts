import type { Validators } from "../../fields/preconditions.ts";
import { validatorFields } from "../../fields/representation.ts";
import type { Line } from "./audience.ts";

/** Adds the validators to the fields of an answer, which 304 has, too (RFC 9110 §15.4.5). */
export function fieldsWith(fields: readonly Line[], current: Validators | null | undefined): Line[] {
  const own = validatorFields(current);
  return [...fields.filter(([name]) => name === "vary" || !own.some(([one]) => one === name)), ...own];
}

/**
 * Returns the name of a field of a 200 that its 304 would lack, because that is made before the handler runs.
 * @param known the fields that both have.
 */
export function unknownToUnmodified(headers: object, known: readonly Line[]): string | undefined {
  const valueOf = (name: string): string | undefined => known.find(([one]) => one === name)?.[1];
  if (!(valueOf("etag") ?? valueOf("last-modified"))) return undefined;
  const isUnknown = ([name, value]: [name: string, value: unknown]): boolean =>
    value !== undefined && value !== valueOf(name.toLowerCase()) && ofUnmodified.test(name);
  return Object.entries(headers).find(isUnknown)?.[0];
}

const ofUnmodified = /^(?:cache-control|content-location|expires|vary)$/i;
