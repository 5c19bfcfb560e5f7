import type { StandardSchema } from "../declaration/standard-schema.ts";

/**
 * Describes what a member takes that its JSON Schema does not show. `"taken"`: something that requests can carry.
 * `"instance"`: only a date or a bigint, which no request can carry. `"untaken"`: nothing of what was tried.
 */
export type Tried = "taken" | "untaken" | "instance";

/**
 * Tries a member of an object with a few values. No library is asked for what it means: a schema shows by its failures what it takes.
 *
 * A schema that is asynchronous, throws, or says nothing of the member counts as one that takes values.
 */
export function tried(schema: StandardSchema, name: string): Tried {
  if (carried.some((value) => !isRefused(schema, name, value))) return "taken";
  return instances.some((value) => !isRefused(schema, name, value)) ? "instance" : "untaken";
}

/** What text is read as, and what JSON and forms have. */
const carried: readonly unknown[] = ["2027-01-31T00:00:00.000Z", "1", "a", "", 1, true, {}, []];
const instances: readonly unknown[] = [new Date(0), new Date("2027-01-31"), new Date("2127-01-31"), 1n, 1_000_000n];

/** Returns whether there is a failure at the member itself, or in it. */
function isRefused(schema: StandardSchema, name: string, value: unknown): boolean {
  try {
    const result = schema["~standard"].validate({ [name]: value });
    if (!(result instanceof Promise)) return (result.issues ?? []).some(({ path }) => firstOf(path) === name);
    // Nobody waits for it.
    result.catch(() => {});
  } catch {
    // A schema that throws reveals nothing.
  }
  return false;
}

function firstOf(path: readonly unknown[] = []): unknown {
  const [first] = path;
  return typeof first === "object" && first !== null && Object.hasOwn(first, "key")
    ? (first as { readonly key: unknown }).key
    : first;
}
