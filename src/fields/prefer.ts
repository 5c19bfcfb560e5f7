import { parseList, parseParts, trimmed } from "./list.ts";
import { parseParameter } from "./field-parameters.ts";
import { remembered } from "./remembered.ts";

/**
 * Returns the value of a preference in a `Prefer` field, in lower case (RFC 7240 §2). Null if it is absent, or has no
 * value. Of a preference that stands there twice the first counts. Parameters of a preference do not count.
 */
export function preferenceOf(field: string, name: string): string | null {
  return preferencesIn(field).get(name) ?? null;
}

const preferencesIn = /* @__PURE__ */ remembered((field): ReadonlyMap<string, string | null> => {
  const preferences = new Map<string, string | null>();
  for (const member of parseList(field)) {
    const [preference = ""] = parseParts(member);
    const [own] = preference.split("=", 1) as [string];
    const name = trimmed(own).toLowerCase();
    if (!preferences.has(name)) preferences.set(name, parseParameter(preference)?.[1].toLowerCase() || null);
  }
  return preferences;
});
