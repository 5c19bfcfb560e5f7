import type { ProblemError } from "../../http/protocol/problem-error.ts";
import { pointerOf } from "../value/json-pointer.ts";
import { namedByBranches } from "./branch-members.ts";
import { expectationOf, withoutQuote, wordsOf, type LibraryIssue } from "./issue-words.ts";
import { Quotes } from "./quotes.ts";
import type { StandardIssue, StandardSchema } from "../shape/standard-schema.ts";
import type { TextFailure } from "../text/text-reader.ts";
import { valibotBranchesOf } from "./valibot-branches.ts";

/** One fault of a request, as problem details name it (RFC 9457 §3). */
export type Failure = ProblemError;

export type FailurePart = ProblemError["in"];

/** The result of reading and validating one part of a request. */
export interface Refusal {
  /** The library of the schema, as `~standard.vendor` names it. */
  readonly vendor: string;
  /** The schema itself, in which branches of unions are looked for where their issues are not told apart. */
  readonly schema?: StandardSchema | undefined;
  readonly sent: unknown;
  readonly issues: Iterable<StandardIssue>;
  /** The values that could not be read, and so were not given to the schema. */
  readonly unread?: readonly TextFailure[];
}

/**
 * Lists the faults of a request, at most a hundred places. The client learns no more than it sent.
 *
 * Messages of the schema are kept, without their quotes of the value that was sent. If a message still holds that
 * value, as a message of an application may, it is replaced. The new message says what is expected, as far as the
 * library says that.
 *
 * Of a union, the faults of the branch that the value is nearest to are listed. Where none is nearest, those are that
 * each branch has at one place. Of fields and cookies nothing is said but that they do not fit: their schema may name a
 * secret.
 *
 * Values that could not be read come first. Issues of the schema about the same members, which it was not given, are
 * left out.
 */
export function failuresOf(part: FailurePart, { vendor, schema, sent, issues, unread = [] }: Refusal): Failure[] {
  const faults: Fault[] = unread.map(({ path, detail }) => ({ place: path, detail, code: undefined }));
  const unreadNames = unread.map(({ path }) => path[0] as unknown);
  const quotes = new Quotes(sent);
  const library: Library = { vendor, schema };
  const isTold = part !== "header" && part !== "cookie";
  for (const issue of issues) {
    if (faults.length >= mostFailures) break;
    const path = pathOf(issue);
    if (path.length > 0 && unreadNames.includes(path[0])) continue;
    if (isTold) faults.push(...faultsIn(issue, path, library, quotes).slice(0, mostFailures));
    else
      faults.push({
        place: path,
        detail: quotes.at(path) === undefined ? "Is missing" : "Does not fit",
        code: undefined,
      });
  }
  return faults.slice(0, mostFailures).map(({ place, detail, code }) => ({
    in: part,
    pointer: placeOf(place),
    detail: shortened(detail),
    ...codeOf(code),
  }));
}

const mostFailures = 100;

function shortened(detail: string): string {
  return detail.length > longestDetail ? `${detail.slice(0, longestDetail)}…` : detail;
}

const longestDetail = 500;

type Path = readonly PropertyKey[];

function pathOf({ path = [] }: StandardIssue): Path {
  // Not by `map()`, which would make one of ArkType's lists of an empty list that has an item, nor by `Array.from()`.
  // PERF: that one takes 1.2 us of a 422 of 34 (`node bench/requests/kernel-less.js "fingerpost semantics" "R6 422"`).
  const steps: PropertyKey[] = [];
  for (const step of path) steps.push(typeof step === "object" ? step.key : step);
  return steps;
}

/** A name that a client chose may be long: then the place is the object that has it. */
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

type Library = Pick<Refusal, "vendor" | "schema">;

interface Fault {
  readonly place: Path;
  readonly detail: string;
  readonly code: unknown;
}

/** Returns several faults for one issue if zod names several members, or ArkType lists several faults of one. */
function faultsIn(issue: LibraryIssue, path: Path, library: Library, quotes: Quotes): readonly Fault[] {
  const { code, type, keys, errors } = issue;
  const { vendor } = library;
  if (vendor === "zod" && code === "unrecognized_keys" && Array.isArray(keys)) {
    const detail = "Expected no such member";
    return keys.slice(0, mostFailures).map((key) => ({ place: [...path, String(key)], detail, code }));
  }
  if (vendor === "arktype" && code === "intersection" && Array.isArray(errors)) {
    return errors.flatMap((error) => faultsIn(error as LibraryIssue, path, library, quotes));
  }
  const branches = branchesOf(issue, path, library).map((issues) => issues.slice(0, mostFailures));
  if (branches.length > 1) {
    const isInside = vendor === "zod" || vendor === "valibot";
    const faults = branches.map((issues) =>
      issues.flatMap((inner) => faultsIn(inner, [...(isInside ? path : []), ...pathOf(inner)], library, quotes)),
    );
    const named = library.schema && namedByBranches(library.schema, path, quotes.at(path), branches.length);
    const nearest = nearestOf(
      branches.map((issues, at) => distanceOf(issues, faults[at]!, path, quotes) - nearnessOf(named?.[at])),
    );
    if (nearest !== null) return faults[nearest]!;
    const common = commonFaults(faults, path);
    const detail = alternativesOf(issue, branches, isInside ? 0 : path.length, vendor);
    return common.length > 0 ? common : [{ place: path, detail, code: vendor === "valibot" ? type : code }];
  }
  const own = vendor === "valibot" ? type : code;
  const detail = withoutQuote(issue, vendor);
  let words: ReadonlySet<string> | undefined;
  const isQuoting = quotes.has(detail, path, () => (words ??= wordsOf(issue, vendor)));
  return [{ place: path, detail: isQuoting ? expectationOf(issue, vendor) : detail, code: own }];
}

/** The issues of each branch of a union, whose paths begin in it for zod and Valibot. */
function branchesOf(
  issue: LibraryIssue,
  path: Path,
  { vendor, schema }: Library,
): readonly (readonly LibraryIssue[])[] {
  const { type, errors, issues, input } = issue;
  if (vendor === "valibot")
    return type === "union" && issues !== undefined && schema !== undefined
      ? valibotBranchesOf(schema, path, input)
      : [];
  if (!Array.isArray(errors)) return [];
  if (vendor === "arktype") return Array.from(errors as LibraryIssue[], (error) => [error]);
  return vendor === "zod" || vendor === "fingerpost" ? (errors as LibraryIssue[][]) : [];
}

/**
 * Says how far a value is from a branch of a union: another kind of value is far, so is another value of a member that
 * tells branches apart, and a member that is missing counts more than one that is wrong.
 */
function distanceOf(issues: readonly LibraryIssue[], faults: readonly Fault[], path: Path, quotes: Quotes): number {
  let distance = 0;
  for (const { place } of faults) {
    if (place.length === path.length) distance += 10_000;
    else distance += quotes.at(place) === undefined ? 2 : 1;
  }
  for (const { code, type, isOfConstant } of issues) if (isOfConstant || ofConstants.has(code ?? type)) distance += 100;
  return distance;
}

/**
 * A member that a branch names counts more than members that are missing, and less than members that tell branches
 * apart.
 */
function nearnessOf(named = 0): number {
  return 10 * Math.min(named, 9);
}

/** The place of the least number; null if several are the least. */
function nearestOf(distances: readonly number[]): number | null {
  const least = Math.min(...distances);
  const at = distances.indexOf(least);
  return least >= 10_000 || distances.includes(least, at + 1) ? null : at;
}

/** What libraries call a value that is another one: of zod, ArkType, Valibot and Ajv. */
const ofConstants: ReadonlySet<unknown> = new Set(["invalid_value", "unit", "literal", "picklist", "const", "enum"]);

/** What is wrong at a place inside a union for each of its branches, such as the member that tells them apart. */
function commonFaults(branches: readonly (readonly Fault[])[], path: Path): readonly Fault[] {
  const places = new Map<string, Fault[]>();
  for (const faults of branches) {
    const own = new Map(faults.map((fault) => [pointerOf(fault.place), fault]));
    for (const [place, fault] of own) places.set(place, [...(places.get(place) ?? []), fault]);
  }
  return [...places.values()]
    .filter((faults) => faults.length === branches.length && faults[0]!.place.length > path.length)
    .map(([first, ...others]) => {
      const details = new Set([first!, ...others].map(({ detail }) => detail));
      return { ...first!, detail: [...details].join("; or: ") };
    });
}

/**
 * Says what the branches of a union expect, if each of them expects another kind of value.
 * @param depth how many steps lead to the union in paths of its branches.
 */
function alternativesOf(
  issue: LibraryIssue,
  branches: readonly (readonly LibraryIssue[])[],
  depth: number,
  vendor: string,
): string {
  const firsts = branches.map(([first]) => first!);
  if (!firsts.every((first) => pathOf(first).length === depth)) return "Fits none of the alternatives";
  if (vendor === "arktype" || vendor === "valibot") return withoutQuote(issue, vendor);
  const expected = new Set(firsts.map(({ expected: own, params }) => own ?? params?.type));
  return expected.has(undefined) ? "Fits none of the alternatives" : `Expected ${[...expected].join(" or ")}`;
}
