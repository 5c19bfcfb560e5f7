import { ownOf } from "../javascript/property.ts";

type PlatformClass = abstract new (...args: never[]) => object;

/**
 * Lets a light class pass for a class of the platform: its instances are `instanceof` that, and have all of its
 * members. Members that the light class does not have come from a whole instance.
 * @param wholeOf makes the whole instance, once.
 * @param finish is given what a method of the whole one returned.
 */
export function imitate<Light extends object>(
  Light: { readonly prototype: Light },
  Whole: PlatformClass,
  wholeOf: (light: Light) => object,
  finish: (result: unknown) => unknown = (result) => result,
): void {
  const { prototype } = Light;
  for (const [key, descriptor] of membersOf(Whole)) {
    if (Object.hasOwn(prototype, key)) {
      // Members of a class are not enumerable, but members of the platform's classes are.
      Object.defineProperty(prototype, key, ownOf({ enumerable: true }));
      continue;
    }
    const { get, value } = descriptor;
    if (get !== undefined) {
      descriptor.get = function (this: Light): unknown {
        return Reflect.apply(get, wholeOf(this), []);
      };
      alike(descriptor.get, get);
    } else if (typeof value === "function") {
      descriptor.value = function (this: Light, ...args: unknown[]): unknown {
        return finish(Reflect.apply(value, wholeOf(this), args) as unknown);
      };
      alike(descriptor.value as Function, value as Function);
    }
    Object.defineProperty(prototype, key, descriptor);
  }
  Object.setPrototypeOf(prototype, Whole.prototype as object);
}

/** Sets the name and the length of a function as another one has them. */
export function alike(imitating: Function, imitated: Function): void {
  for (const key of ["name", "length"] as const) {
    Object.defineProperty(imitating, key, ownOf({ value: imitated[key] }));
  }
}

function membersOf(Class: PlatformClass): Map<PropertyKey, PropertyDescriptor> {
  const members = new Map<PropertyKey, PropertyDescriptor>();
  let at = Class.prototype as object;
  for (let parent; (parent = Object.getPrototypeOf(at) as object | null) !== null; at = parent) {
    for (const key of Reflect.ownKeys(at)) {
      if (key !== "constructor" && !members.has(key))
        members.set(key, ownOf(Object.getOwnPropertyDescriptor(at, key)!));
    }
  }
  return members;
}

/**
 * Copies to a whole instance the fields that were set on the light one since: what reads its content may go by them.
 */
export function withOwnFields<Whole extends { readonly headers: Headers }>(whole: Whole, fields: Headers): Whole {
  for (const name of new Set(whole.headers.keys())) whole.headers.delete(name);
  for (const [name, value] of fields) whole.headers.append(name, value);
  return whole;
}
