import { grantingOf, securityOf } from "../dispatch/guarded.ts";
import type { MountableClass } from "../dispatch/mounted-resource.ts";
import { methods } from "../http/protocol/method.ts";

/** Whom middleware is mounted as: what it needs to pass a request on. */
interface Passing {
  next(input: unknown): unknown;
}

function pass(this: Passing, input: unknown): unknown {
  return this.next(input);
}

/** Everybody is known, and has each scope that is asked for. */
const identity = { find: () => true };
const grants = (): readonly string[] => Object.assign([], { includes: () => true });

/**
 * Makes a guard that lets everybody through, and declares what the guard declares. Other middleware is returned as it
 * is.
 */
export function openedGuard(Class: MountableClass): MountableClass {
  if ((securityOf(Class) ?? grantingOf(Class)) === null) return Class;
  const Opened = class extends Class {};
  Object.defineProperty(Opened, "name", { value: Class.name });
  if (grantingOf(Class) !== null) Object.assign(Opened, { identity, grants });
  // A method that the guard does not implement stays so, because the document has the guard for its methods only.
  for (const name of ["ALL", "QUERY", ...methods]) {
    if (typeof (Class.prototype as Readonly<Record<string, unknown>>)[name] !== "function") continue;
    Object.defineProperty(Opened.prototype, name, { value: pass });
  }
  return Opened;
}
