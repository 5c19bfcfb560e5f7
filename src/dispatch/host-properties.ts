import { hasProperty, ownOf } from "../http/javascript/property.ts";

/**
 * Copies to a `Request` the properties that a host or middleware has put on another one, such as `ip`. Own properties
 * are copied as they are. Properties of its class are bound to it, because they may read its private members. Leaves
 * out `params`, which are attached to each input, and names that begin with an underscore. By the underscored names of
 * srvx, its own `Request` would mistake one request for the other.
 */
export function carryHostProperties(from: Request, to: Request): void {
  let part: object | null = from;
  // A class of both ends the search, because the other one has its properties, too.
  while (part !== null && part !== Object.getPrototypeOf(to) && part !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(part)) {
      if (name === "params" || name.startsWith("_") || hasProperty(to, name)) continue;
      // Without a prototype, because a descriptor would inherit what someone put on all objects.
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
