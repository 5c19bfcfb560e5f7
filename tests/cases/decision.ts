/** What an operation declares, as far as the table is ordered by it. */
export const declarations = [
  "none",
  "query",
  "fields",
  "content",
  "media",
  "conditional",
  "cache",
  "ranges",
  "at",
] as const;
export type Declaration = (typeof declarations)[number];

/** The methods that a class of the semantics chain can implement. */
export const tenMethods = [
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
] as const;
export type TenMethods = (typeof tenMethods)[number];

/** Header fields by lower-case name; of an answer, null says that it has none of that name. */
export type Fields = Readonly<Record<string, string | null>>;

/** One row of the table: what is asked of the application in `decisions-application.ts`, and what has to come of it. */
export interface Decision {
  readonly declaration: Declaration;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | null;
  readonly status: number;
  readonly fields: Fields;
  /** Why: the rule, and its section. */
  readonly because: string;
}

/** A row for each of some methods, as the files of this folder write it. */
export interface DecisionRow {
  readonly ask: string;
  readonly by?: readonly string[];
  readonly sent?: Readonly<Record<string, string>>;
  readonly content?: string;
  readonly is: number;
  readonly fields?: Fields;
  readonly because: string;
}

/** Writes rows out as decisions; without a list of its own a row is for each of the ten methods. */
export function decisionsOf(declaration: Declaration, rows: readonly DecisionRow[]): Decision[] {
  return rows.flatMap(({ ask, by = tenMethods, sent = {}, content = null, is, fields = {}, because }) =>
    by.map((method) => ({ declaration, method, target: ask, headers: sent, content, status: is, fields, because })),
  );
}

/** The ten, but for some. */
export function but(...others: readonly TenMethods[]): TenMethods[] {
  return tenMethods.filter((method) => !others.includes(method));
}

/** Methods that select a representation to read it (RFC 9110 §13.2.1, RFC 10008). */
export const reads = ["GET", "HEAD", "QUERY"] as const;
/** Methods that change the state of the resource. */
export const writes = ["DELETE", "PATCH", "POST", "PUT"] as const;
/** Methods that neither select nor change a representation, so that no precondition is for them (RFC 9110 §13.2.1). */
export const others = ["CONNECT", "OPTIONS", "TRACE"] as const;
/** Methods whose requests have content, here and in a `Request` of any runtime. */
export const carriers = ["DELETE", "OPTIONS", "PATCH", "POST", "PUT", "QUERY"] as const;

/** What each answer of problem details has. */
export const isProblem: Fields = { "content-type": "application/problem+json" };
