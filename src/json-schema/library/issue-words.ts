import type { StandardIssue } from "../shape/standard-schema.ts";
import { wordSet } from "../../http/javascript/word-set.ts";

/** The members that libraries add to the issues of the standard. */
export interface LibraryIssue extends StandardIssue {
  /** The kind of fault, by zod, ArkType and raw schemas. */
  readonly code?: unknown;
  /** The kind of fault, by Valibot. */
  readonly type?: unknown;
  /** The type or value that the schema expects, by zod, Valibot and ArkType. */
  readonly expected?: unknown;
  /** Names of members that were sent and are not declared, by zod. */
  readonly keys?: unknown;
  /** The requirement of a raw schema, by Ajv. */
  readonly params?: { readonly type?: unknown };
  /** Whether a raw schema expects a constant, by TypeBox. */
  readonly isOfConstant?: boolean;
  /** The value that was sent, and the issues of all branches of a union, by Valibot. */
  readonly input?: unknown;
  readonly issues?: unknown;
  /** The message by ArkType, most often without its place at the beginning. */
  readonly problem?: unknown;
  /**
   * All faults of a value whose message is a list, by ArkType. For a union of zod, ArkType or a raw schema, the faults
   * of each branch.
   */
  readonly errors?: unknown;
}

/**
 * Returns the message without the quotes of the value by Valibot and ArkType. The quote comes last. Before it there is
 * nothing that was sent, except perhaps a place of ArkType.
 */
export function withoutQuote({ message, problem }: LibraryIssue, vendor: string): string {
  if (vendor === "valibot") return upTo(upTo(message, " but received "), ": Received ");
  if (vendor !== "arktype" || typeof problem !== "string") return message;
  const said = upTo(problem, " (was ");
  return said.slice(Math.max(0, said.lastIndexOf("must be ")));
}

function upTo(text: string, end: string): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
}

export function expectationOf(issue: LibraryIssue, vendor: string): string {
  const isSaid = isOfLibrary(issue, vendor) && typeof issue.expected === "string";
  return isSaid ? `Expected ${String(issue.expected)}` : "Does not fit the schema";
}

/**
 * Returns whether the library wrote the expectation. In one case of ArkType the application composes it, and in the
 * other it holds the sent value.
 */
function isOfLibrary({ code }: LibraryIssue, vendor: string): boolean {
  if (vendor === "arktype") return code !== "predicate" && code !== "union";
  return vendor === "zod" || vendor === "valibot";
}

/** Returns the words of an issue that come from the schema, in lower case. */
export function wordsOf(issue: LibraryIssue, vendor: string): ReadonlySet<string> {
  const words = new Set<string>();
  if (vendor === "arktype" && !isOfLibrary(issue, vendor)) return words;
  for (const name of ofSchema) {
    const member = (issue as unknown as Record<string, unknown>)[name];
    const values = typeof member === "object" && member !== null ? Object.values(member) : [member];
    for (const value of values.flat()) {
      if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") continue;
      const text = String(value);
      for (const word of [text, ...text.split(/[^\w.-]+/)]) words.add(word.toLowerCase());
    }
  }
  return words;
}

/** Members of issues, of any library, that hold the expectation. */
const ofSchema = /* @__PURE__ */ wordSet(
  "code divisor expected format includes maximum minimum origin params pattern prefix requirement rule suffix type " +
    "values",
);
