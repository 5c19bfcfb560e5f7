import type { StandardSchema } from "../declaration/standard-schema.ts";
import { keywordOf, type JsonSchema } from "./json-schema.ts";
import { vendorOf } from "./standard-schema.ts";

/**
 * Returns whether a schema of zod holds a codec, which has an encoding besides its decoding. A Standard Schema can only
 * decode: what a handler returns would be taken for what a client sends.
 */
export function hasCodec(schema: StandardSchema): boolean {
  return (
    vendorOf(schema) === "zod" &&
    zodPartsOf(schema).some(({ reverseTransform }) => typeof reverseTransform === "function")
  );
}

/**
 * Returns whether a schema may return another value than it accepts: it transforms values, or its library does not tell.
 * Its JSON Schema shows at most the type of the result.
 *
 * Conversions of values that do not fit the JSON Schema do not count, such as the default of a required member. Such an
 * answer is given to its schema anyway.
 */
export function mayChangeValues(schema: StandardSchema): boolean {
  switch (vendorOf(schema)) {
    case "zod":
      return zodPartsOf(schema).some(isZodChange);
    case "valibot":
      return doesValibotChange(schema);
    case "arktype":
      return (schema as { readonly includesTransform?: unknown }).includesTransform !== false;
    case "fingerpost":
      return false;
    default:
      return true;
  }
}

/** What zod calls the definition of a schema, or of a check. */
interface ZodPart {
  readonly type?: string;
  readonly check?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodPart } }[];
  readonly normalize?: boolean;
  readonly reverseTransform?: unknown;
}

/** Returns the definitions of all schemas in a schema of zod. What cannot be described at all has no parts to look at. */
function zodPartsOf(schema: StandardSchema): ZodPart[] {
  const parts: ZodPart[] = [];
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  const override = ({ zodSchema }: ZodConversion): void => void parts.push(zodSchema._zod.def);
  describe(schema, "output", { unrepresentable: "any", override });
  return parts;
}

interface ZodConversion {
  readonly zodSchema: { readonly _zod: { readonly def: ZodPart } };
}

function isZodChange({ type = "", checks = [], normalize }: ZodPart): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  return zodChanges.has(type) || normalize === true || checks.some(({ _zod }) => _zod.def.check === "overwrite");
}

const zodChanges: ReadonlySet<string> = new Set(["catch", "pipe", "transform"]);

/** Looks at both sides: of a pipe, each describes only one end. */
function doesValibotChange(schema: StandardSchema): boolean {
  let isFound = false;
  const overrideSchema = ({ valibotSchema }: ValibotConversion): void => {
    // A pipe is described by its parts. Only the schema around it has what the whole falls back to.
    const inside = Object.values(valibotSchema).flatMap((member) => [
      member,
      ...Object.values(Object(member) as object),
    ]);
    isFound ||= [valibotSchema, ...inside].some((one) =>
      ["default", "fallback"].some((member) => keywordOf(Object(one) as JsonSchema, member) !== undefined),
    );
  };
  const overrideAction = ({ valibotAction: { kind, type } }: ValibotConversion): void => {
    isFound ||= kind === "transformation" && !keepsValue.has(type);
  };
  for (const side of ["input", "output"] as const) {
    describe(schema, side, { errorMode: "ignore", overrideSchema, overrideAction });
  }
  return isFound;
}

interface ValibotConversion {
  readonly valibotSchema: object;
  readonly valibotAction: { readonly kind: string; readonly type: string };
}

/** Transformations of Valibot that only change the type. */
const keepsValue: ReadonlySet<string> = new Set(["brand", "flavor", "readonly"]);

/** Has a library visit the parts of a schema. */
function describe(schema: StandardSchema, side: "input" | "output", libraryOptions: Record<string, unknown>): void {
  try {
    schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12", libraryOptions });
  } catch {
    // Some schemas cannot be described as a whole. The parts before were visited.
  }
}
