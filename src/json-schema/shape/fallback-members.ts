import { vendorOf, type StandardSchema } from "./standard-schema.ts";
import { unwrappedValibot } from "./valibot-schema.ts";

/**
 * Returns whether the schema of an object has a value of its own for a member that does not fit. It is `.catch()` of
 * zod, and `fallback()` of Valibot. To Standard Schema and JSON Schema it looks like a default.
 */
export function hasFallback(schema: StandardSchema, name: string): boolean {
  const { entries, def }: Described = vendorOf(schema) === "valibot" ? unwrappedValibot(schema) : schema;
  const entry = memberOf(entries, name);
  if (entry !== undefined) return entry.fallback !== undefined;
  let definition = memberOf(def?.shape, name)?.def;
  while (definition !== undefined && definition.type !== "catch") definition = definition.innerType?.def;
  return definition !== undefined;
}

interface Described {
  readonly def?: Definition;
  readonly entries?: Shape;
  readonly fallback?: unknown;
}

interface Definition {
  readonly type?: unknown;
  readonly shape?: Shape;
  /** The schema inside of one such as `.optional()`. */
  readonly innerType?: Described;
}

type Shape = Readonly<Record<string, Described>>;

/** Clients choose names. */
function memberOf(shape: Shape | undefined, name: string): Described | undefined {
  return shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : undefined;
}
