import { described, kindOf } from "./described.ts";
import { propertiesOf, isPlainObject } from "./property.ts";

/** The longest time that a timer waits, in milliseconds. It does not wait at all for a longer one. */
export const longestTimerMs: number = 2_147_483_647;

/** Refuses invalid options of a function. The message names the function and the option. */
export class OptionCheck<Options extends object = object> {
  /** The options, safe to read. On the object that was passed, someone may have put options on all objects. */
  readonly options: Options;
  readonly #name: string;

  /** @throws {TypeError} when the options are not an object, or have an unknown name. */
  constructor(name: string, options: Options, known: readonly (keyof Options & string)[]) {
    this.#name = name;
    if (typeof options !== "object" || options === null || Array.isArray(options)) {
      throw new TypeError(`Cannot call ${name}(): its options must be an object, got ${kindOf(options)}`);
    }
    for (const option of Object.keys(options)) {
      if ((known as readonly string[]).includes(option)) continue;
      throw new TypeError(
        `Cannot call ${name}(): it has no option ${described(option)}; write one of ${known.join(", ")}`,
      );
    }
    this.options = propertiesOf(options, known);
  }

  /** Requires a condition of an option. @param expected completes "must be". */
  require(holds: boolean, option: string, expected: string, value: unknown): void {
    if (!holds) this.#refuse(option, expected, described(value));
  }

  /** Requires a condition of an option that may hold a secret. The message does not show the value. */
  requireSecret(holds: boolean, option: string, expected: string, value: unknown): void {
    if (!holds) this.#refuse(option, expected, kindOf(value));
  }

  /** Requires exactly one of two options. The message shows neither, because the first may hold a secret. */
  either(option: keyof Options & string, other: keyof Options & string): void {
    const value: unknown = this.options[option];
    const isOne = (value === undefined) !== (this.options[other] === undefined);
    this.requireSecret(isOne, option, `given, or else "${other}", not both`, value);
  }

  /** Requires a plain object with members. An array or a Map would be read by names that nobody wrote. */
  secrets(option: string, value: unknown, expected: string): void {
    this.requireSecret(isPlainObject(value) && Object.keys(value).length > 0, option, expected, value);
  }

  boolean(option: string, value: unknown): void {
    this.require(value === undefined || typeof value === "boolean", option, "true or false", value);
  }

  function(option: string, value: unknown): void {
    this.require(value === undefined || typeof value === "function", option, "a function", value);
  }

  /** Requires printable ASCII, if the option is given. */
  printable(option: string, value: unknown): void {
    const isPrintable = value === undefined || (typeof value === "string" && /^[\x20-\x7e]+$/.test(value));
    this.require(isPrintable, option, "printable ASCII", value);
  }

  attribute(option: string, value: unknown): void {
    const { set } = (value ?? {}) as { readonly set?: unknown };
    this.require(value === undefined || typeof set === "function", option, "an Attribute", value);
  }

  /** Requires a whole number that is not negative, if the option is given. */
  count(option: string, value: unknown): void {
    const isCount = value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
    this.require(isCount, option, "a whole number that is not negative", value);
  }

  list(option: string, value: unknown, isMember: (member: unknown) => boolean, expected: string): void {
    if (value === undefined) return;
    this.require(Array.isArray(value), option, `an array of ${expected}`, value);
    for (const member of value as unknown[]) this.require(isMember(member), option, `an array of ${expected}`, member);
  }

  #refuse(option: string, expected: string, given: string): never {
    throw new TypeError(`Cannot call ${this.#name}(): its option "${option}" must be ${expected}, got ${given}`);
  }
}
