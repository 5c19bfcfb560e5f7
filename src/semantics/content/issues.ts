import { pointerOf } from "./json-pointer.ts";
import { Quotes } from "./quotes.ts";
import type { StandardIssue } from "../declaration/standard-schema.ts";
import type { TextFailure } from "./text-reader.ts";

/** What of a request does not fit, as problem details name it (RFC 9457 §3). */
export interface Failure {
  /** The part of the request. */
  readonly in: FailurePart;
  /** The place in that part: a JSON Pointer in a URI fragment (RFC 6901 §6). */
  readonly pointer: string;
  /** What is expected there; never what was sent. */
  readonly detail: string;
  /** By what name the validation library knows the fault. */
  readonly code?: string;
}

export type FailurePart = "path" | "query" | "header" | "cookie" | "content";

/** What came of reading and validating one part of a request. */
export interface Refusal {
  /** The library of the schema, as `~standard.vendor` names it. */
  readonly vendor: string;
  /** What the schema was given. */
  readonly sent: unknown;
  readonly issues: Iterable<StandardIssue>;
  /** What could not be read, and so was not given to the schema. */
  readonly unread?: readonly TextFailure[];
}

/**
 * Tells what does not fit, at most a hundred places, so that no client is told more than it sent.
 *
 * Messages of the schema are kept, without what they quote of the value that was sent. Where one still has it, as a message of an
 * application may, it is replaced by what is expected, as far as the library says that. What could not be read comes first, and
 * what a schema says of the same members, which it was not given, is left out.
 */
export function failuresOf(part: FailurePart, { vendor, sent, issues, unread = [] }: Refusal): Failure[] {
  const failures: Failure[] = [];
  for (const { path, detail } of unread.slice(0, mostFailures)) {
    failures.push({ in: part, pointer: placeOf(path), detail });
  }
  const unreadNames = new Set<unknown>(unread.map(({ path }) => path[0]));
  const quotes = new Quotes(sent);
  for (const issue of issues) {
    const path = pathOf(issue);
    if (path.length > 0 && unreadNames.has(path[0])) continue;
    for (const { place, detail, code } of faultsIn(issue, path, vendor, quotes)) {
      if (failures.length >= mostFailures) return failures;
      failures.push({ in: part, pointer: placeOf(place), detail: shortened(detail), ...codeOf(code) });
    }
  }
  return failures;
}

const mostFailures = 100;

function shortened(detail: string): string {
  return detail.length > longestDetail ? `${detail.slice(0, longestDetail)}…` : detail;
}

const longestDetail = 500;

type Path = readonly PropertyKey[];

function pathOf({ path = [] }: StandardIssue): Path {
  return path.map((step) => (typeof step === "object" ? step.key : step));
}

/** A name that a client chose may be long: then the place is that of the object which has it. */
function placeOf(path: Path): string {
  let pointer = "#";
  for (const step of path) {
    const next = String(step).length > longestPointer ? null : pointer + pointerOf([step]).slice(1);
    if (next === null || next.length > longestPointer) return pointer;
    pointer = next;
  }
  return pointer;
}

const longestPointer = 300;

function codeOf(code: unknown): { code?: string } {
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? { code } : {};
}

/** What libraries add to the issues of the standard. */
interface LibraryIssue extends StandardIssue {
  /** Of zod, ArkType and raw schemas. */
  readonly code?: unknown;
  /** Of Valibot. */
  readonly type?: unknown;
  /** Of zod, Valibot and ArkType: of the schema. */
  readonly expected?: unknown;
  /** Of zod: names of members that were sent and are not declared. */
  readonly keys?: unknown;
  /** Of ArkType: the message, most often without its place in front. */
  readonly problem?: unknown;
  /** Of ArkType: all that is wrong with a value, where its message is a list. */
  readonly errors?: unknown;
}

interface Fault {
  readonly place: Path;
  readonly detail: string;
  readonly code: unknown;
}

/** Several for one issue where zod names several members, and where ArkType lists what is wrong with one. */
function faultsIn(issue: LibraryIssue, path: Path, vendor: string, quotes: Quotes): readonly Fault[] {
  const { code, type, keys, errors } = issue;
  if (vendor === "zod" && code === "unrecognized_keys" && Array.isArray(keys)) {
    const detail = "Expected no such member";
    return keys.slice(0, mostFailures).map((key) => ({ place: [...path, String(key)], detail, code }));
  }
  if (vendor === "arktype" && code === "intersection" && Array.isArray(errors)) {
    return errors.flatMap((error) => faultsIn(error as LibraryIssue, path, vendor, quotes));
  }
  const own = vendor === "valibot" ? type : code;
  const detail = withoutQuote(issue, vendor);
  const isQuoting = quotes.has(detail, path, wordsOf(issue, vendor));
  return [{ place: path, detail: isQuoting ? expectationOf(issue, vendor) : detail, code: own }];
}

/**
 * The message without what Valibot and ArkType say of the value. They say it last; before that stands nothing that was sent, but
 * perhaps a place of ArkType.
 */
function withoutQuote({ message, problem }: LibraryIssue, vendor: string): string {
  if (vendor === "valibot") return upTo(upTo(message, " but received "), ": Received ");
  if (vendor !== "arktype" || typeof problem !== "string") return message;
  const said = upTo(problem, " (was ");
  return said.slice(Math.max(0, said.lastIndexOf("must be ")));
}

function upTo(text: string, end: string): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
}

function expectationOf(issue: LibraryIssue, vendor: string): string {
  const isSaid = isOfLibrary(issue, vendor) && typeof issue.expected === "string";
  return isSaid ? `Expected ${String(issue.expected)}` : "Does not fit the schema";
}

/** What ArkType expects is composed by the application in one case, and has what was sent in the other. */
function isOfLibrary({ code }: LibraryIssue, vendor: string): boolean {
  if (vendor === "arktype") return code !== "predicate" && code !== "union";
  return vendor === "zod" || vendor === "valibot";
}

/** The words that an issue has of the schema. */
function wordsOf(issue: LibraryIssue, vendor: string): ReadonlySet<string> {
  const words = new Set<string>();
  if (vendor === "arktype" && !isOfLibrary(issue, vendor)) return words;
  for (const name of ofSchema) {
    const member = (issue as unknown as Record<string, unknown>)[name];
    const values = typeof member === "object" && member !== null ? Object.values(member) : [member];
    for (const value of values.flat()) {
      if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") continue;
      const text = String(value);
      for (const word of [text, ...text.split(/[^\w.-]+/)]) words.add(word);
    }
  }
  return words;
}

/** Members of issues, of whichever library, that hold what is expected. */
const ofSchema = [
  "code",
  "divisor",
  "expected",
  "format",
  "includes",
  "maximum",
  "minimum",
  "origin",
  "params",
  "pattern",
  "prefix",
  "requirement",
  "rule",
  "suffix",
  "type",
  "values",
];
