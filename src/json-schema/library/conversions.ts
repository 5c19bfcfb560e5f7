import { jsonSchemaOf, vendorOf, type StandardSchema } from "../shape/standard-schema.ts";
import { keywordOf, type JsonSchema } from "../shape/json-schema.ts";
import { lenientOptionsOf } from "../shape/lenient-options.ts";
import { takesOnlyBigints, tried } from "./tried-values.ts";
import { unshownPlacesIn, type Place } from "./unshown-places.ts";
import { isPlainlyCarried, isPlainlyWritten } from "./zod-outline.ts";

/** Each schema of an application as JSON Schema, converted once for each side, when it is needed. */
export class Conversions {
  readonly #shown: Readonly<Record<"input" | "output", Map<StandardSchema, JsonSchema | undefined>>> = {
    input: new Map(),
    output: new Map(),
  };
  readonly #zodParts = new Map<StandardSchema, readonly ZodPart[]>();
  readonly #isPartial = new Set<StandardSchema>();
  readonly #isCarried = new Map<StandardSchema, boolean>();
  readonly #isWritten = new Map<StandardSchema, boolean>();

  /** Returns the JSON Schema of one side; `undefined` if its library has none. */
  shown(schema: StandardSchema, side: "input" | "output"): JsonSchema | undefined {
    const known = this.#shown[side];
    if (!known.has(schema)) {
      const isVisited = side === "output" && vendorOf(schema) === "zod";
      known.set(schema, (isVisited ? this.#visited(schema) : undefined) ?? jsonSchemaOf(schema, side));
    }
    return known.get(schema);
  }

  /** Finds a date or a bigint, which no request carries. A library may say without a conversion that there is none. */
  instanceIn(schema: StandardSchema): Place | undefined {
    if (remembered(this.#isCarried, schema, isPlainlyCarried)) return undefined;
    return unshownPlacesIn(this.shown(schema, "input")).find((place) => tried(schema, place) === "instance");
  }

  /**
   * Returns whether a schema of zod holds a codec, which has an encoding besides its decoding. A Standard Schema can
   * only decode: what a handler returns would be taken for what a client sends.
   */
  hasCodec(schema: StandardSchema): boolean {
    if (this.#isPlainlyWritten(schema)) return false;
    return this.#zodPartsOf(schema).some(({ reverseTransform }) => typeof reverseTransform === "function");
  }

  /** Returns whether what a schema returns may be a bigint, which JSON cannot write. */
  hasBigint(schema: StandardSchema): boolean {
    if (this.#isPlainlyWritten(schema)) return false;
    if (vendorOf(schema) === "zod") return this.#zodPartsOf(schema).some(({ type }) => type === "bigint");
    if (this.mayChangeValues(schema)) return false;
    return unshownPlacesIn(this.shown(schema, "output")).some((place) => takesOnlyBigints(schema, place));
  }

  /**
   * Returns whether a schema may return another value than it accepts: it transforms values, or its library does not
   * tell. Its JSON Schema shows at most the type of the result. Conversions of values that do not fit the JSON Schema
   * do not count, such as the default of a required member. Such an answer is given to its schema anyway.
   */
  mayChangeValues(schema: StandardSchema): boolean {
    switch (vendorOf(schema)) {
      case "zod":
        // A schema whose conversion throws has parts that are not known.
        return this.#zodPartsOf(schema).some(isZodChange) || this.#isPartial.has(schema);
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

  /** Returns whether the library of a schema leaves out members that it does not name. */
  isCut(schema: StandardSchema): boolean {
    return /^(?:zod|valibot)$/.test(vendorOf(schema));
  }

  #isPlainlyWritten(schema: StandardSchema): boolean {
    return remembered(this.#isWritten, schema, isPlainlyWritten);
  }

  /** The definitions of all schemas in a schema of zod, up to one whose conversion throws. */
  #zodPartsOf(schema: StandardSchema): readonly ZodPart[] {
    if (vendorOf(schema) === "zod") this.shown(schema, "output");
    return this.#zodParts.get(schema) ?? [];
  }

  /** Converts a schema of zod, and collects its parts. */
  #visited(schema: StandardSchema): JsonSchema | undefined {
    const parts: ZodPart[] = [];
    this.#zodParts.set(schema, parts);
    // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
    const override = ({ zodSchema }: ZodConversion): void => void parts.push(zodSchema._zod.def);
    const converted = describe(schema, "output", { ...lenientOptionsOf("zod", "output"), override });
    if (converted === undefined) this.#isPartial.add(schema);
    return converted;
  }
}

function remembered(
  known: Map<StandardSchema, boolean>,
  schema: StandardSchema,
  find: (schema: StandardSchema) => boolean,
): boolean {
  let found = known.get(schema);
  if (found === undefined) known.set(schema, (found = find(schema)));
  return found;
}

/** What zod calls the definition of a schema, or of a check. */
interface ZodPart {
  readonly type?: string;
  readonly check?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodPart } }[];
  readonly normalize?: boolean;
  readonly reverseTransform?: unknown;
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
  const noteKind = ({ valibotAction: { kind, type } }: ValibotConversion): void => {
    isFound ||= kind === "transformation" && !keepsValue.has(type);
  };
  for (const side of ["input", "output"] as const) {
    describe(schema, side, { errorMode: "ignore", overrideSchema, overrideAction: noteKind });
  }
  return isFound;
}

interface ValibotConversion {
  readonly valibotSchema: object;
  readonly valibotAction: { readonly kind: string; readonly type: string };
}

/** Transformations of Valibot that only change the type. */
const keepsValue: ReadonlySet<string> = new Set(["brand", "flavor", "readonly"]);

/** Has a library visit the parts of a schema. Returns its JSON Schema, if it has one. */
function describe(
  schema: StandardSchema,
  side: "input" | "output",
  libraryOptions: Record<string, unknown>,
): JsonSchema | undefined {
  try {
    return schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12", libraryOptions });
  } catch {
    // Some schemas cannot be described as a whole. The parts before were visited.
    return undefined;
  }
}
