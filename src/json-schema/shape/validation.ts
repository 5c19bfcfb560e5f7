import { after } from "../../http/javascript/thenable.ts";
import { propertiesOf } from "../../http/javascript/property.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

/**
 * Validates a value by a schema. Returns a Promise if the schema is asynchronous, or may be. `validate()` of zod runs a
 * schema without waiting first. Where a check turns out to be asynchronous, it drops the Promise and begins again. If
 * that check rejects, nobody hears it, and Node ends the process. So a schema of zod with functions of the user is
 * asynchronous from the start.
 */
export function validated<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): StandardResult<Output> | Promise<StandardResult<Output>> {
  const { safeParseAsync } = schema as Partial<ZodSchema<Output>>;
  const given =
    typeof safeParseAsync === "function" && hasFunctions(schema)
      ? safeParseAsync(value).then(resultOf)
      : schema["~standard"].validate(value);
  // What someone has put on all objects is no issue.
  if (!Object.hasOwn(Object.prototype, "issues")) return given;
  return after(given, (result) => propertiesOf(result, ["value", "issues"])) as typeof given;
}

interface ZodSchema<Output> {
  readonly _zod: ZodInternals;
  safeParseAsync(value: unknown): Promise<ZodResult<Output>>;
}

interface ZodInternals {
  readonly def: object;
}

interface ZodResult<Output> {
  readonly data?: Output;
  readonly error?: { readonly issues: readonly StandardIssue[] } | undefined;
}

function resultOf<Output>({ data, error }: ZodResult<Output>): StandardResult<Output> {
  return error === undefined ? { value: data as Output } : { issues: error.issues };
}

const known = new WeakMap<object, boolean>();

/** Returns whether a schema of zod has a check or a conversion that is a function of the user, which may be slow. */
function hasFunctions(schema: object): boolean {
  let found = known.get(schema);
  if (found === undefined) known.set(schema, (found = isFunctionIn(schema, new Set())));
  return found;
}

const mostParts = 1_000;

function isFunctionIn(part: unknown, seen: Set<unknown>): boolean {
  if (typeof part !== "object" || part === null || seen.has(part)) return false;
  // A lazy schema may make new ones for ever.
  if (seen.add(part).size > mostParts) return true;
  const { _zod: zod } = part as Partial<ZodSchema<unknown>>;
  if (zod === undefined) {
    const isList = Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
    return isList && Object.values(part).some((one) => isFunctionIn(one, seen));
  }
  const def = zod.def as { readonly [member: string]: unknown };
  const { type, check, getter, transform } = def;
  if (check === "custom" || type === "transform" || type === "custom" || type === "promise") return true;
  if (typeof transform === "function") return true;
  // A lazy schema has its inner one behind a getter.
  const inner = typeof getter === "function" ? [(getter as () => unknown)()] : [];
  return [...parts.map((name) => def[name]), ...inner].some((one) => isFunctionIn(one, seen));
}

/** The members of a definition that hold schemas or checks. Others, such as a default, may be functions of the user. */
const parts = /* @__PURE__ */ (
  "catchall checks element in innerType items keyType left options out rest right shape valueType" as const
).split(" ");
