import { wordSet } from "../../http/javascript/word-set.ts";

/**
 * Returns the options by which a library describes what it can of a schema, and leaves out the rest. It is `undefined`
 * for unknown libraries, and for libraries that need none, as ArkType. Libraries throw for the whole schema by default
 * if one member is a date.
 */
export function lenientOptionsOf(vendor: string, side: "input" | "output"): Record<string, unknown> | undefined {
  if (vendor === "zod") return { unrepresentable: "any" };
  if (vendor === "valibot")
    return side === "input" ? { errorMode: "ignore" } : { errorMode: "ignore", overrideAction: overridden };
  return undefined;
}

/**
 * Describes what comes out of a transformation as anything. `errorMode: "ignore"` alone describes what goes in: a text
 * for `v.pipe(v.string(), v.transform(Number))`.
 */
function overridden({ valibotAction, errors }: ValibotConversion): Record<string, unknown> | undefined {
  const isChange =
    errors !== undefined && valibotAction.kind === "transformation" && !keepsType.has(valibotAction.type);
  return isChange ? {} : undefined;
}

interface ValibotConversion {
  readonly valibotAction: { readonly kind: string; readonly type: string };
  readonly errors?: readonly string[] | undefined;
}

/** Transformations of Valibot whose result has the type of what went in. */
const keepsType = /* @__PURE__ */ wordSet(
  "brand filter_items flavor normalize readonly sort_items to_lower_case to_max_value to_min_value " +
    "to_upper_case trim trim_end trim_start",
);
