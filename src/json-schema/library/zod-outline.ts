import { standardOf, vendorOf, type StandardSchema } from "../shape/standard-schema.ts";
import { wordSet } from "../../http/javascript/word-set.ts";

/** The members of an object of texts, as its schema names them. */
export interface Outline {
  readonly names: readonly string[];
  /** The names that must be there. */
  readonly required: readonly string[];
}

/**
 * Returns the members of a part of requests, read from the definitions of zod. Null where they do not tell that its
 * JSON Schema leaves nothing open, and has no object for a text. Then only the conversion says so. PERF: `build()` of
 * 1,000 operations takes 0.85 s instead of 1.4 s (`node bench/requests.js --measure=cold`).
 */
export function outlineOf(schema: StandardSchema): Outline | null {
  let outline: Outline | null = null;
  const isTold = isKnown(schema, (walk) => {
    const { shape = {}, catchall } = definitionOf(schema)!;
    const names = Object.keys(shape);
    // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
    const required = names.filter((name) => (shape[name] as ZodSchema)._zod.optin === undefined);
    outline = { names, required };
    return (
      walk.takes(schema, textObjects) &&
      (isNothing(catchall) || walk.takes(catchall, texts)) &&
      names.every((name) => walk.takes(shape[name], texts)) &&
      walk.isSettled
    );
  });
  return isTold ? outline : null;
}

/** Returns whether the definitions of zod tell that a schema takes no date and no bigint that requests cannot carry. */
export function isPlainlyCarried(schema: StandardSchema): boolean {
  return isKnown(schema, (walk) => walk.takes(schema, values) && walk.isSettled);
}

/** Returns whether the definitions of zod tell that a schema returns no bigint, and has no codec. */
export function isPlainlyWritten(schema: StandardSchema): boolean {
  return isKnown(schema, (walk) => walk.takes(schema, written));
}

/** Walks through a schema of zod that has a conversion. What throws, as a shape may that is a getter, is not known. */
function isKnown(schema: StandardSchema, takes: (walk: Walk) => boolean): boolean {
  try {
    return vendorOf(schema) === "zod" && standardOf(schema).jsonSchema !== undefined && takes(new Walk());
  } catch {
    return false;
  }
}

/** What zod calls the definition of a schema. Each type has a few of the members. */
interface Definition {
  readonly type?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check?: string } } }[];
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly catchall?: unknown;
  readonly innerType?: unknown;
  readonly element?: unknown;
  readonly options?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly rest?: unknown;
  readonly keyType?: unknown;
  readonly valueType?: unknown;
  readonly entries?: object;
  readonly values?: readonly unknown[];
  readonly defaultValue?: unknown;
  readonly out?: unknown;
  readonly reverseTransform?: unknown;
}

export interface ZodSchema {
  readonly _zod: {
    readonly def: Definition;
    /** The schema of a lazy one. */
    readonly innerType?: unknown;
    readonly parent?: ZodSchema;
    readonly toJSONSchema?: unknown;
    /** Not `undefined` where a value may be missing. */
    readonly optin?: string;
  };
}

type Said = Readonly<Record<string, unknown>> | undefined;

/** Where zod keeps what `.meta()` and `.describe()` say. All copies of it that convert schemas share one. */
interface Registry {
  has(schema: ZodSchema): boolean;
  get(schema: ZodSchema): Said;
}

/** By the type of a definition, whether it is one that is known, with all that is in it. Others are not known. */
type Rows = ReadonlyMap<string, (definition: Definition, walk: Walk) => boolean>;

/** Goes through the definitions of one schema. */
class Walk {
  readonly #seen = new Map<unknown, Rows>();
  #ids: Map<unknown, object> | null = null;
  #isOpen = false;
  #isJudged = false;

  /** Whether nothing that says nothing of its type is judged by functions, or by branches beside it. */
  get isSettled(): boolean {
    return !(this.#isOpen && this.#isJudged);
  }

  /** Returns whether a schema is known by rows. One inside of itself adds nothing. */
  takes(schema: unknown, rows: Rows): boolean {
    const definition = definitionOf(schema);
    const row = definition && rows.get(String(definition.type));
    if (row !== always) {
      if (this.#seen.get(schema) === rows) return true;
      this.#seen.set(schema, rows);
    }
    return (
      row !== undefined &&
      this.#isDescribed(schema as ZodSchema) &&
      (definition!.checks === undefined || definition!.checks.every((check) => this.#takesCheck(check))) &&
      row(definition!, this)
    );
  }

  /** Notes that a schema takes anything. */
  open(): true {
    return (this.#isOpen = true);
  }

  /** Notes that more than types decides about a value. */
  judge(): true {
    return (this.#isJudged = true);
  }

  #takesCheck({ _zod: zod }: NonNullable<Definition["checks"]>[number]): boolean {
    const { check = "" } = zod.def;
    if (check === "custom" || check === "property") return this.judge();
    return checks.has(check);
  }

  /**
   * Whether what is said of a schema besides its definition changes nothing, and no two of one document share an id.
   */
  #isDescribed(schema: ZodSchema): boolean {
    for (let at: ZodSchema | undefined = schema; at !== undefined;) {
      const { _zod: zod }: ZodSchema = at;
      if (zod.toJSONSchema !== undefined) return false;
      const said = saidOf(at);
      for (const [name, value] of said === undefined ? [] : Object.entries(said)) {
        if (!(annotations.has(name) || name.startsWith("x-")) || !isJson(value)) return false;
        if (name !== "id") continue;
        const ids = (this.#ids ??= new Map());
        if ((ids.get(value) ?? at) !== at) return false;
        ids.set(value, at);
      }
      at = zod.parent;
    }
    return true;
  }
}

/** The checks of zod that say nothing of a type. */
const checks = /* @__PURE__ */ wordSet(
  "greater_than length_equals less_than max_length min_length multiple_of number_format overwrite string_format",
);

/** What `.meta()` may say without an effect on the types of a JSON Schema. */
const annotations = /* @__PURE__ */ wordSet("deprecated description example examples id readOnly title writeOnly");

const always = (): boolean => true;
const open = (_: Definition, walk: Walk): boolean => walk.open();

/** The rows of what one text stands for, and of what is around it. */
function around(rows: () => Rows): [string, (definition: Definition, walk: Walk) => boolean][] {
  const inner = ({ innerType }: Definition, walk: Walk): boolean => walk.takes(innerType, rows());
  // A default is a function, which may throw, or return what no JSON Schema holds.
  const withDefault = (definition: Definition, walk: Walk): boolean =>
    isJson(() => definition.defaultValue) && inner(definition, walk);
  return [
    ...["string", "number", "boolean", "null"].map((type): [string, () => boolean] => [type, always]),
    ["any", open],
    ["unknown", open],
    ["enum", ({ entries = {} }) => Object.values(entries).every(isConstant)],
    ["literal", ({ values: all = [] }) => all.every(isConstant)],
    ...["nonoptional", "nullable", "optional", "readonly"].map((type): [string, typeof inner] => [type, inner]),
    ["default", withDefault],
    ["prefault", withDefault],
    ["union", ({ options = [] }, walk) => walk.judge() && options.every((option) => walk.takes(option, rows()))],
  ];
}

/** What an item of a list may be that stands in a text of its own. */
const items: Rows = new Map(around(() => items));

/** What texts of one name may be. */
const texts: Rows = new Map([
  ...around(() => texts),
  ["array", ({ element }: Definition, walk: Walk) => walk.takes(element, items)] as const,
]);

/** A part of a request. */
const textObjects: Rows = new Map([["object", always]]);

/** What JSON may be, and forms. */
const values: Rows = new Map(jsonOf(() => values));

/** What answers may be: what a conversion describes as anything is written as it is. */
const written: Rows = new Map([
  ...jsonOf(() => written),
  ...["custom", "date", "file", "map", "nan", "never", "set", "symbol", "transform", "undefined", "void"].map(
    (type) => [type, always] as const,
  ),
  [
    "pipe",
    ({ out, reverseTransform }: Definition, walk: Walk) =>
      typeof reverseTransform !== "function" && walk.takes(out, written),
  ] as const,
]);

function jsonOf(rows: () => Rows): [string, (definition: Definition, walk: Walk) => boolean][] {
  return [
    ...around(rows),
    ["array", ({ element }, walk) => walk.takes(element, rows())],
    [
      "object",
      ({ shape = {}, catchall }, walk) =>
        (isNothing(catchall) || walk.takes(catchall, rows())) &&
        Object.values(shape).every((member) => walk.takes(member, rows())),
    ],
    [
      "record",
      ({ keyType, valueType }, walk) =>
        definitionOf(keyType, "string") !== undefined && walk.takes(keyType, rows()) && walk.takes(valueType, rows()),
    ],
    [
      "tuple",
      ({ items: all = [], rest }, walk) =>
        all.every((item) => walk.takes(item, rows())) && (rest == null || walk.takes(rest, rows())),
    ],
  ];
}

/** Returns what is said of a schema itself, and not only of one that it was made of. */
export function saidOf(schema: ZodSchema): Said {
  const { __zod_globalRegistry: registry } = globalThis as unknown as { readonly __zod_globalRegistry: Registry };
  return registry.has(schema) ? registry.get(schema) : undefined;
}

export function definitionOf(schema: unknown, type?: string): Definition | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  const definition = (schema as Partial<ZodSchema>)._zod?.def;
  return type === undefined || definition?.type === type ? definition : undefined;
}

/** Returns whether an object takes no member that it does not name, or drops it. */
function isNothing(catchall: unknown): boolean {
  return catchall === undefined || definitionOf(catchall, "never") !== undefined;
}

function isConstant(value: unknown): boolean {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}

/** Returns whether a value, or what a function returns, can be written as JSON. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(typeof value === "function" ? (value as () => unknown)() : value) !== undefined;
  } catch {
    return false;
  }
}
