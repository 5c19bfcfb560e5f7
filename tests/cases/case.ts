/** What has to become of a request target: the pattern that wins and its params, or the status of the refusal. */
export type Answer = { readonly pattern: string; readonly params: ParamValues } | 400 | 404 | 414;

/** The value of each param of a pattern; 400 for one that cannot be decoded, which is what reading it throws. */
export type ParamValues = Readonly<Record<string, string | 400 | undefined>>;

/** One row of the tables in this folder. Plain data: whatever matches paths can be held against it. */
export interface Case {
  /** The path patterns of an application, each of a resource of its own, in the order of registration. */
  readonly patterns: readonly string[];
  /** The path, or any other request target. */
  readonly path: string;
  readonly expect: Answer;
  /** Why: the name of the test. */
  readonly because: string;
  readonly trailingSlash: "ignore" | "strict";
  /** Whether the order of the patterns decides: only between different expressions at one place (C4.5). */
  readonly isOrdered: boolean;
}

/** Rows about one list of patterns, as the files of this folder write them: each `[path, …what to expect, because]`. */
export interface CaseTable {
  readonly patterns: readonly string[];
  readonly trailingSlash?: "strict";
  readonly isOrdered?: true;
  readonly rows: readonly (
    | readonly [path: string, pattern: string, params: ParamValues, because: string]
    | readonly [path: string, status: 400 | 404 | 414, because: string]
  )[];
}

/** Writes tables out as cases. */
export function casesOf(tables: readonly CaseTable[]): Case[] {
  return tables.flatMap((table) =>
    table.rows.map((row) => ({
      patterns: table.patterns,
      path: row[0],
      expect: row.length === 3 ? row[1] : { pattern: row[1], params: row[2] },
      because: row.at(-1) as string,
      trailingSlash: table.trailingSlash ?? "ignore",
      isOrdered: table.isOrdered ?? false,
    })),
  );
}
