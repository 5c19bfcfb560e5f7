/** A copy of an object that has no prototype: what the object does not have itself, nobody can read from it. */
export function ownOf<T extends object>(object: T): T {
  return Object.assign(Object.create(null) as T, object);
}

/**
 * Reads a property of an object as it is, unless someone put one of that name on all objects: then only what the object has
 * itself, or by its class.
 */
export function given<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  const value = object[name];
  return Object.hasOwn(Object.prototype, name) && !has(object, name) ? undefined : value;
}

/** The same for several names, on an object without prototype. */
export function givenOf<T extends object>(object: T, names: readonly string[]): T {
  const copy = Object.create(null) as T;
  for (const name of names as (string & keyof T)[]) {
    const value = given(object, name);
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}

/** Whether an object is no array, and of no class: one that names its members as the user wrote them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // That of another realm is not ours, but has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether an object has a property itself, or by its class: more than all objects have. */
export function has(object: object, name: PropertyKey): boolean {
  if (Object.hasOwn(object, name)) return true;
  const parent = Object.getPrototypeOf(object) as object | null;
  return parent !== null && parent !== Object.prototype && has(parent, name);
}
