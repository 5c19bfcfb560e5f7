import { described } from "../http/javascript/described.ts";
import { methods } from "../http/protocol/method.ts";

/**
 * Refuses middleware whose handlers are not methods, or that has other methods but no handlers. A guard whose handler
 * has a wrong name would let every request through.
 *
 * @param own the methods of the chain that are none of the nine.
 * @param base the class that all middleware inherits from.
 * @throws {TypeError} which names the class.
 */
export function checkHandlers(middleware: object, name: string, base: object, own: readonly string[]): void {
  const handlers = middleware as Readonly<Record<string, unknown>>;
  let isHandling = false;
  for (const method of ["ALL", ...own, ...methods]) {
    const handler = handlers[method];
    isHandling ||= handler !== undefined;
    if (handler !== undefined && typeof handler !== "function") {
      throw new TypeError(
        `Cannot add ${name} as middleware: its ${method} must be a method, got ${described(handler)}`,
      );
    }
    if (expectsMore(handler)) {
      throw new TypeError(
        `Cannot add ${name} as middleware: its ${method}() has ${handler.length} parameters, and gets the input ` +
          "alone; write return this.next(input)",
      );
    }
  }
  if (isHandling) return;
  const [other] = methodsBelow(middleware, base);
  if (other === undefined) return;
  throw new TypeError(
    `Cannot add ${name} as middleware: it has ${other}() and no handler, so that everything would pass; write ALL()`,
  );
}

/** Returns whether a handler is one of another framework: what it expects beside the input would be `undefined`. */
export function expectsMore(handler: unknown): handler is { readonly length: number } {
  return typeof handler === "function" && handler.length > 1;
}

/** Yields the names of the methods of an object: its own, and the methods of each class below another one. */
export function* methodsBelow(object: object, base: object): Iterable<string> {
  for (let part = object; part !== base; part = Object.getPrototypeOf(part) as object) {
    for (const name of Object.getOwnPropertyNames(part)) {
      if (name === "constructor") continue;
      // What a getter returns is not asked for.
      if (typeof Object.getOwnPropertyDescriptor(part, name)!.value === "function") yield name;
    }
  }
}
