import { described, kindOf } from "./described.ts";
import { propertiesOf, isPlainObject } from "./property.ts";

/** The longest time that a timer waits, in milliseconds. It does not wait at all for a longer one. */
export const longestTimerMs: number = 2_147_483_647;

/** Requires a time that a timer can wait. A function, which bundlers leave out where nobody waits. */
export function requireTime(check: Pick<OptionCheck, "require">, option: string, ms: number, least = 1): void {
  const isTime = Number.isSafeInteger(ms) && ms >= least && ms <= longestTimerMs;
  check.require(isTime, option, `a whole number of at least ${least} that a timer can wait`, ms);
}

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

  /** Requires a condition of an option. @param expected completes "must be". @param value what it is, if not all. */
  require(
    holds: boolean,
    option: string,
    expected: string,
    value: unknown = this.options[option as keyof Options],
  ): void {
    if (!holds) this.#refuse(option, expected, described(value));
  }

  /** Requires a condition of an option that may hold a secret. The message does not show the value. */
  requireSecret(
    holds: boolean,
    option: string,
    expected: string,
    value: unknown = this.options[option as keyof Options],
  ): void {
    if (!holds) this.#refuse(option, expected, kindOf(value));
  }

  /** Requires exactly one of two options. The message shows neither, because the first may hold a secret. */
  either(option: keyof Options & string, other: keyof Options & string): void {
    const isOne = (this.options[option] === undefined) !== (this.options[other] === undefined);
    this.requireSecret(isOne, option, `given, or else "${other}", not both`);
  }

  /** Requires a plain object with members. An array or a Map would be read by names that nobody wrote. */
  secrets(option: string, expected: string): void {
    const value = this.options[option as keyof Options];
    this.requireSecret(isPlainObject(value) && Object.keys(value).length > 0, option, expected);
  }

  boolean(...options: readonly (keyof Options & string)[]): void {
    this.#each(options, "true or false", (value) => typeof value === "boolean");
  }

  function(...options: readonly (keyof Options & string)[]): void {
    this.#each(options, "a function", (value) => typeof value === "function");
  }

  /** Requires printable ASCII, if the options are given. */
  printable(...options: readonly (keyof Options & string)[]): void {
    this.#each(options, "printable ASCII", (value) => typeof value === "string" && /^[\x20-\x7e]+$/.test(value));
  }

  attribute(...options: readonly (keyof Options & string)[]): void {
    this.#each(
      options,
      "an Attribute",
      (value) => typeof (value as { readonly set?: unknown } | null)?.set === "function",
    );
  }

  /** Requires whole numbers that are not negative, if the options are given. */
  count(...options: readonly (keyof Options & string)[]): void {
    this.#each(
      options,
      "a whole number that is not negative",
      (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    );
  }

  /** Requires whole numbers from 1 on, if the options are given. */
  positive(...options: readonly (keyof Options & string)[]): void {
    this.#each(options, "a whole number from 1 on", (value) => Number.isSafeInteger(value) && (value as number) > 0);
  }

  list(option: keyof Options & string, isMember: (member: unknown) => boolean, expected: string): void {
    this.#each([option], `an array of ${expected}`, Array.isArray);
    for (const member of (this.options[option] ?? []) as unknown[]) {
      this.require(isMember(member), option, `an array of ${expected}`, member);
    }
  }

  #each(options: readonly string[], expected: string, isFit: (value: unknown) => boolean): void {
    for (const option of options) {
      const value = this.options[option as keyof Options];
      this.require(value === undefined || isFit(value), option, expected);
    }
  }

  #refuse(option: string, expected: string, given: string): never {
    throw new TypeError(`Cannot call ${this.#name}(): its option "${option}" must be ${expected}, got ${given}`);
  }
}
