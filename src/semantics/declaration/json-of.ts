/**
 * The type of a value after it crossed the wire as JSON: what `JSON.parse(JSON.stringify(value))` returns.
 *
 * - A date is a string; any other value with a `toJSON()` is what that returns.
 * - A member that may be `undefined` is optional. Members that are functions or symbols are absent.
 * - An element that may be `undefined` may be `null`.
 * - A bigint is `never`: it cannot be written.
 */
export type JsonOf<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends bigint | Unwritten
      ? never
      : Value extends Plain<Value>
        ? Value
        : Value extends { readonly toJSON: (...args: never) => infer Written }
          ? JsonOf<Written>
          : Value extends readonly unknown[]
            ? { [Place in keyof Value]: JsonOf<Written<Value[Place]>> }
            : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
              ? {}
              : JsonMembers<Value>;

/**
 * An object or a list that JSON keeps as it is: one of strings, numbers and the like. Most contents are such objects.
 * PERF: their members are not inspected one by one, which would be 30 instantiations of 120 more for a call of a client
 * (`node scripts/check/type-cost.js`).
 */
type Plain<Value> = { readonly [Key in keyof Value]: string | number | boolean | null };

type Unwritten = symbol | ((...args: never) => unknown);

/** An element that cannot be written is `null`. */
type Written<Element> = unknown extends Element ? Element : Element extends Unwritten | undefined ? null : Element;

type JsonMembers<Value> = [MaybeAbsent<Value>] extends [never]
  ? { [Key in keyof Value as WrittenKey<Value, Key>]: JsonOf<Value[Key]> }
  : Flat<
      { [Key in keyof Value as Exclude<WrittenKey<Value, Key>, MaybeAbsent<Value>>]: JsonOf<Value[Key]> } & {
        [Key in keyof Value as WrittenKey<Value, Key> & MaybeAbsent<Value>]?: JsonOf<Exclude<Value[Key], undefined>>;
      }
    >;

/** Symbols and what has no value in JSON are left out. */
type WrittenKey<Value, Key extends keyof Value> = Key extends string | number
  ? Value[Key] extends Unwritten | undefined
    ? never
    : Key
  : never;

type MaybeAbsent<Value> = { [Key in keyof Value]-?: undefined extends Value[Key] ? Key : never }[keyof Value];

type Flat<Members> = { [Key in keyof Members]: Members[Key] };
