/** Copies an object to one without a prototype, so that nothing but its own properties can be read from it. */
export function ownOf<T extends object>(object: T): T {
  return Object.assign(Object.create(null) as T, object);
}

/**
 * Reads a property of an object. Ignores a property that someone has put on all objects: then only the object's own
 * property counts, or its class's.
 */
export function propertyOf<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  const value = object[name];
  return Object.hasOwn(Object.prototype, name) && !hasProperty(object, name) ? undefined : value;
}

export function propertiesOf<T extends object>(object: T, names: readonly string[]): T {
  const copy = Object.create(null) as T;
  for (const name of names as (string & keyof T)[]) {
    const value = propertyOf(object, name);
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}

/**
 * Returns whether an object is neither an array nor an instance of a class, so that its members are named as the user
 * wrote them.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // `Object.prototype` of another realm is another object, but has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns whether an object has a property itself, or by its class. What all objects have does not count. */
export function hasProperty(object: object, name: PropertyKey): boolean {
  if (Object.hasOwn(object, name)) return true;
  const parent = Object.getPrototypeOf(object) as object | null;
  return parent !== null && parent !== Object.prototype && hasProperty(parent, name);
}
