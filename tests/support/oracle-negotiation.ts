/** A member of an `Accept…` field: what is preferred, and how much. */
export interface Preference {
  readonly value: string;
  /** In thousandths, so that nothing is rounded. */
  readonly weight: number;
}

type Choice = string | null;

/** Of equally good ones the first; null where all have weight 0. */
function best(offered: readonly string[], weightOf: (one: string) => number): Choice {
  const highest = Math.max(0, ...offered.map(weightOf));
  return highest === 0 ? null : offered.find((one) => weightOf(one) === highest)!;
}

/** RFC 9110 §12.5.1: of the ranges that cover a type the most specific counts, which are these, one below the other. */
export function acceptedMediaType(preferences: readonly Preference[] | null, offered: readonly string[]): Choice {
  if (preferences === null || preferences.length === 0) return offered[0] ?? null;
  return best(offered, (mediaType) => {
    const [essence] = mediaType.split(";") as [string];
    const [type] = essence.split("/") as [string];
    for (const range of [mediaType, essence, `${type}/*`, "*/*"]) {
      const found = preferences.find(({ value }) => value === range);
      if (found !== undefined) return found.weight;
    }
    return 0;
  });
}

/**
 * RFC 9110 §12.5.3, rule by rule: `identity` is acceptable unless it is excluded, and comes after all that is named.
 */
export function acceptedCoding(preferences: readonly Preference[] | null, offered: readonly string[]): Choice {
  if (preferences === null) return offered[0] ?? null;
  const named = (coding: string): Preference | undefined => preferences.find(({ value }) => value === coding);
  return best(offered, (coding) => {
    const member = named(coding) ?? named("*");
    if (member !== undefined) return member.weight;
    return coding === "identity" ? 0.1 : 0;
  });
}

/** RFC 9110 §12.5.4: basic filtering (RFC 4647 §3.3.1), then lookup (§3.4), then what is better than nothing. */
export function acceptedLanguage(preferences: readonly Preference[] | null, offered: readonly string[]): Choice {
  const ranges = preferences ?? [];
  const lineageOf = (tag: string): string[] => {
    const subtags = tag.split("-");
    return [...subtags.map((_, at) => subtags.slice(0, subtags.length - at).join("-")), "*"];
  };
  const coverOf = (tag: string): Preference | undefined => {
    for (const range of lineageOf(tag)) {
      const found = ranges.find(({ value }) => value === range);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const filtered = best(offered, (tag) => coverOf(tag)?.weight ?? 0);
  if (filtered !== null) return filtered;
  const isNamed = (tag: string): boolean => ranges.some(({ value }) => value === tag);
  for (const { value } of ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)) {
    const found = lineageOf(value).find((shorter) => offered.includes(shorter) && !isNamed(shorter));
    if (found !== undefined) return found;
  }
  return offered.find((tag) => coverOf(tag) === undefined) ?? offered[0] ?? null;
}
