import { parseList, parseParts, trimmed } from "./list.ts";
import { parseParameter } from "./field-parameters.ts";

/** A member of an `Accept` field of any kind: what is preferred, and how much (RFC 9110 §12.4.2). */
export interface Weighted {
  readonly value: string;
  /** Parameters other than the weight, names in lower case. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** From 0, not acceptable, to 1, which it is if not given. */
  readonly quality: number;
}

/** Reads a list of weighted members, in order; one that is malformed is left out. */
export function parseWeighted(field: string): Weighted[] {
  return parseList(field).flatMap((member) => memberOf(member) ?? []);
}

function memberOf(member: string): Weighted | null {
  const [value, ...parts] = parseParts(member);
  if (!value) return null;
  const parameters: (readonly [string, string])[] = [];
  let quality = 1;
  for (const part of parts) {
    const parameter = parseParameter(part);
    if (parameter === null) return null;
    // RFC 9110 §12.5.1: whatever follows it, "q" is the weight.
    if (parameter[0] !== "q") parameters.push(parameter);
    else if (!qvalue.test(parameter[1])) return null;
    else quality = Number(parameter[1]);
  }
  return { value: trimmed(value), parameters, quality };
}

/** RFC 9110 §12.4.2. */
const qvalue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
