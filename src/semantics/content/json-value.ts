/** Returns whether `JSON.stringify()` writes a value as it is. It may say no for one that it does write so. */
export function isWrittenExactly(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (typeof (value as { toJSON?: unknown }).toJSON === "function" || isUnwritable(value)) return false;
      if (Array.isArray(value)) return value.every(isWrittenExactly);
      return Object.values(value).every((member) => member === undefined || isWrittenExactly(member));
    default:
      return false;
  }
}

/** Returns whether JSON would write an object as if it were empty, or as another one. */
export function isUnwritable(value: unknown): boolean {
  return ArrayBuffer.isView(value) || classes.some((Class) => value instanceof Class);
}

const classes = [Map, Set, WeakMap, WeakSet, Promise, ArrayBuffer];
