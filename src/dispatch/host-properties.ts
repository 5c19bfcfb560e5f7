import { has, ownOf } from "../http/given.ts";

/**
 * Copies to a `Request` what a host or middleware has put on another one, such as `ip`: properties of its own as they are, and those
 * of its class bound to it, as they may read what is private there.
 *
 * Left out are `params`, which are attached to each input, and names that begin with an underscore: by those of srvx, its own
 * `Request` would take the one for the other.
 */
export function carryHostProperties(from: Request, to: Request): void {
  let part: object | null = from;
  while (part !== null && part !== Request.prototype && part !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(part)) {
      if (name === "params" || name.startsWith("_") || has(to, name)) continue;
      // Without a prototype, as a descriptor would be read from what all objects have, too.
      const descriptor = ownOf(Object.getOwnPropertyDescriptor(part, name)!);
      Object.defineProperty(to, name, boundTo(from, descriptor, part === from));
    }
    part = Object.getPrototypeOf(part) as object | null;
  }
}

function boundTo(owner: object, descriptor: PropertyDescriptor, isOwn: boolean): PropertyDescriptor {
  const { get, set, value } = descriptor;
  if (typeof value === "function" && !isOwn) descriptor.value = value.bind(owner) as unknown;
  if (get !== undefined) descriptor.get = get.bind(owner) as () => unknown;
  if (set !== undefined) descriptor.set = set.bind(owner) as (value: unknown) => void;
  return descriptor;
}
