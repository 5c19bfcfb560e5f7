import { isError } from "../../http/javascript/any-realm.ts";
import { hasToJson } from "./answer-branch.ts";

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
      if (hasToJson(value) || isUnwritable(value)) return false;
      if (Array.isArray(value)) return value.every(isWrittenExactly);
      return Object.values(value).every((member) => member === undefined || isWrittenExactly(member));
    default:
      return false;
  }
}

/**
 * Returns whether JSON would write an object as if it were empty, or as another one. Bytes, streams, files, maps,
 * iterators and the like have a tag, and no members that JSON finds.
 */
export function isUnwritable(value: unknown): boolean {
  if (Object(value) !== value) return false;
  if (isError(value) || ArrayBuffer.isView(value)) return true;
  return Symbol.toStringTag in (value as object) && Object.keys(value as object).length === 0;
}
