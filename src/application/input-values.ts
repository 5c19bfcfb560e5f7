import { heldValues, lightSelf, type HeldValue, type LightRequest } from "../http/message/light-request.ts";

/**
 * Values of inputs, one of each, which are freed with it.
 * PERF: a light request holds its values itself. Two of a `WeakMap`, an id and a user, take 1.2 us of 30, and more when
 * garbage is collected (`node bench/requests/kernel-less.js "fingerpost semantics" R4`).
 */
export class InputValues<Value> {
  /** Null until an input has one that cannot hold it. */
  #others: WeakMap<object, { readonly value: Value }> | null = null;

  set(input: object, value: Value): void {
    const light = input as Partial<LightRequest>;
    const last = heldBy(light);
    if (last === undefined) (this.#others ??= new WeakMap()).set(input, { value });
    else {
      const held = this.#in(last);
      if (held === null) light[heldValues] = { owner: this, value, before: last };
      else held.value = value;
    }
  }

  get(input: object): { readonly value: Value } | undefined {
    const last = heldBy(input as Partial<LightRequest>);
    return last === undefined ? this.#others?.get(input) : (this.#in(last) ?? undefined);
  }

  #in(last: HeldValue | null): (HeldValue & { value: Value }) | null {
    let held = last;
    while (held !== null && held.owner !== this) held = held.before;
    return held as (HeldValue & { value: Value }) | null;
  }
}

/**
 * Returns what a light request holds; `undefined` of others. A `Proxy` is another one, though its members may be those
 * of its target.
 */
function heldBy(input: Partial<LightRequest>): HeldValue | null | undefined {
  return input[lightSelf] === input ? input[heldValues] : undefined;
}
