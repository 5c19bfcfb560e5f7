import { isPlainObject } from "../../http/javascript/property.ts";
import { isMember, semanticMethods } from "./members.ts";

/**
 * Refuses an operation that no method would have, such as `static POTS`.
 *
 * Other objects may have the same shape: texts by status, or parts that several operations share. So an object of texts
 * only is refused if its name has the letters of a method. Any other is refused if its name has capital letters only.
 *
 * @throws {TypeError} which says what to write.
 */
export function refuseStrays(Class: object, name: string): void {
  for (let at = Class; typeof at === "function"; at = Object.getPrototypeOf(at) as object) {
    for (const [member, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if ((semanticMethods as readonly string[]).includes(member) || !isLikeOperation(value)) continue;
      const meant = semanticMethods.find((method) => lettersOf(method) === lettersOf(member));
      if (!meant && !(/^[A-Z]+$/.test(member) && Object.values(value).some((one) => typeof one === "object"))) continue;
      throw new TypeError(
        `Cannot add ${name} to the application: static ${member} is an operation, and ${member} is not a method; write static ${meant ?? "GET, static POST, …"}, or rename it`,
      );
    }
  }
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
