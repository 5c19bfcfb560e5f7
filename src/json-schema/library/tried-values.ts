import { isThenable } from "../../http/javascript/thenable.ts";
import { probed, type StandardIssue, type StandardSchema } from "../shape/standard-schema.ts";
import type { Place } from "./unshown-places.ts";

/**
 * Describes what a schema takes at a place that its JSON Schema does not show. `"taken"`: something that requests can
 * carry. `"instance"`: only a date or a bigint, which no request can carry. `"untaken"`: nothing of what was tried.
 */
export type Tried = "taken" | "untaken" | "instance";

/**
 * Tries a few values at a place of a schema. No library is asked for what it means: a schema shows by its failures what
 * it takes. A schema that is asynchronous, throws, or says nothing of the place counts as one that takes values.
 */
export function tried(schema: StandardSchema, place: Place): Tried {
  if (carried.some((value) => !isRefused(schema, place, value))) return "taken";
  return instances.some((value) => !isRefused(schema, place, value)) ? "instance" : "untaken";
}

/**
 * Returns whether a schema takes a bigint at a place, and nothing that JSON has, nor a date, which is written as text.
 */
export function takesOnlyBigints(schema: StandardSchema, place: Place): boolean {
  const isTaken = (value: unknown): boolean => !isRefused(schema, place, value);
  return ![...carried, ...instances].some((value) => typeof value !== "bigint" && isTaken(value)) && isTaken(1n);
}

/** What text is read as, and what JSON and forms have. */
const carried: readonly unknown[] = ["2027-01-31T00:00:00.000Z", "1", "a", "", 1, true, {}, []];
const instances: readonly unknown[] = [new Date(0), new Date("2027-01-31"), new Date("2127-01-31"), 1n, 1_000_000n];

/** Returns whether there is a failure at the place itself, or in it. */
function isRefused(schema: StandardSchema, { path, around }: Place, value: unknown): boolean {
  const issues = probed(schema, around(value));
  return !isThenable(issues) && issues?.some((issue) => isAt(issue, path)) === true;
}

/** Returns whether an issue is at a place or in it. Of a union of zod, one branch has to have no other issues. */
function isAt(issue: StandardIssue, place: Place["path"]): boolean {
  const path = (issue.path ?? []).map(keyOf);
  if (path.length >= place.length) return place.every((key, at) => path[at] === key);
  const { errors } = issue as { readonly errors?: unknown };
  if (!Array.isArray(errors) || !path.every((key, at) => place[at] === key)) return false;
  const inside = place.slice(path.length);
  return (errors as StandardIssue[][]).some((branch) => branch.length > 0 && branch.every((one) => isAt(one, inside)));
}

function keyOf(part: unknown): unknown {
  return typeof part === "object" && part !== null && Object.hasOwn(part, "key")
    ? (part as { readonly key: unknown }).key
    : part;
}
