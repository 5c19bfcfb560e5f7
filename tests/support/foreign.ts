/**
 * Makes a value look like one of another realm: it has all that its class gives it, and is no `instanceof` a class of
 * this realm. Unlike `node:vm`, which has no classes of the Web, this works with each class and on each runtime.
 */
export function foreign<Value extends object>(value: Value): Value {
  return Object.setPrototypeOf(value, copyOf(Object.getPrototypeOf(value) as object)) as Value;
}

const copies = new WeakMap<object, object>();

/** Copies a prototype with those that it extends, once: the values of one class have one prototype. */
function copyOf(prototype: object): object {
  let copy = copies.get(prototype);
  if (copy === undefined) {
    const parent = Object.getPrototypeOf(prototype) as object | null;
    const above = parent === null ? null : copyOf(parent);
    copies.set(prototype, (copy = Object.create(above, Object.getOwnPropertyDescriptors(prototype)) as object));
  }
  return copy;
}
