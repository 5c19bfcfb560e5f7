import { described } from "../http/javascript/described.ts";
import { hostedBy, isNew, originalOf } from "../dispatch/input-exchange.ts";
import { InputValues } from "./input-values.ts";

/**
 * A typed value of a request. A guard sets the value, and a handler reads it.
 *
 * The value is stored beside the request instead of on it, and freed with it.
 *
 * @example
 * ```ts
 * const user = new Attribute<{ name: string }>("user");
 * const input = { url: "/", method: "GET" };
 * user.set(input, { name: "Ada" });
 * user.get(input).name; // "Ada"
 * ```
 */
export class Attribute<Value> {
  /** Name in error messages. */
  readonly name: string;
  readonly #values = new InputValues<Value>();
  /** Values that a host set before an application had the input, such as an address. */
  readonly #ofHosts = new InputValues<Value>();

  constructor(name: string) {
    this.name = name;
  }

  /** Sets the value for an input. @throws {TypeError} when that is not an object. */
  set(input: object, value: Value): void {
    const original = this.#originalOf(input);
    (isNew(original) ? this.#ofHosts : this.#values).set(original, value);
  }

  /** Gets the value for an input. @throws {Error} when none was set: no middleware that sets it ran. */
  get(input: object): Value {
    const found = this.#found(input);
    if (found !== undefined) return found.value;
    throw new Error(
      `Cannot get attribute "${String(this.name).slice(0, 80)}": it was not set for this input; use find() where it ` +
        "may be absent",
    );
  }

  /** Gets the value for an input, or `undefined` when none was set. */
  find(input: object): Value | undefined {
    return this.#found(input)?.value;
  }

  #originalOf(input: unknown): object {
    if (Object(input) === input) return originalOf(input as object);
    throw new TypeError(
      `Cannot get attribute "${String(this.name).slice(0, 80)}": expected what the handler was called with, got ` +
        described(input),
    );
  }

  #found(input: object): { readonly value: Value } | undefined {
    const original = this.#originalOf(input);
    // A replacement that has not been passed on yet is an input of its own.
    const own = this.#values.get(original) ?? this.#values.get(input) ?? this.#ofHosts.get(original);
    return own ?? this.#ofHosts.get(input) ?? this.#ofHosts.get(hostedBy(original) ?? input);
  }
}
