/** What a finding may be about: `check --ignore` takes these. */
export const findingKinds = ["backtracking", "unreachable", "no-paths", "no-methods", "order", "unchecked"] as const;

/** Something about an application that its author should know of. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly resource: string;
  /** Null if it is about the whole resource. */
  readonly pattern: string | null;
  readonly message: string;
  /** A path that shows it. */
  readonly example: string | null;
}
