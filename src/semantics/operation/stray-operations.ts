import { isPlainObject } from "../../http/javascript/property.ts";
import { isMember, semanticMethods } from "./members.ts";

/**
 * Refuses an operation that no method would have, such as `static POTS`.
 *
 * Other objects may have the same shape: texts by status, or parts that several operations share. So an object of texts
 * only is refused if its name has the letters of a method. Any other is refused if its name has capital letters only.
 *
 * @param statics what `staticNamesOf()` returns.
 * @throws {TypeError} which says what to write.
 */
export function refuseStrays(Class: object, statics: readonly string[], name: string): void {
  for (const member of statics) {
    // Every function has these members, and they are the most.
    if (member === "length" || member === "name" || member === "prototype") continue;
    if ((semanticMethods as readonly string[]).includes(member)) continue;
    const meant = semanticMethods.find(
      (method) => method.length === member.length && lettersOf(method) === lettersOf(member),
    );
    if (!meant && !/^[A-Z]+$/.test(member)) continue;
    for (const part of partsOf(Class)) {
      const value: unknown = Object.getOwnPropertyDescriptor(part, member)?.value;
      if (!isLikeOperation(value)) continue;
      if (!meant && !Object.values(value).some((one) => typeof one === "object")) continue;
      throw new TypeError(
        `Cannot add ${name} to the application: static ${member} is an operation, and ${member} is not a method; ` +
          `write static ${meant ?? "GET, static POST, …"}, or rename it`,
      );
    }
  }
}

/**
 * Returns the names of the static members of a class, and of the classes that it extends. To list them takes less time
 * than to ask each class for ten methods that it has not.
 */
export function staticNamesOf(Class: object): readonly string[] {
  return partsOf(Class).flatMap((part) => Object.getOwnPropertyNames(part));
}

function partsOf(Class: object): object[] {
  const parts: object[] = [];
  for (let at = Class; typeof at === "function" && at !== Function.prototype; at = Object.getPrototypeOf(at) as object)
    parts.push(at);
  return parts;
}

function lettersOf(name: string): string {
  // oxlint-disable-next-line unicorn/no-array-sort
  return [...name.toUpperCase()].sort().join("");
}

/** Returns whether an object has only members of operations, and one is an answer below 400. */
function isLikeOperation(value: unknown): value is object {
  if (!isPlainObject(value)) return false;
  const members = Object.keys(value);
  return members.every(isMember) && members.some((member) => Number(member) < 400);
}
