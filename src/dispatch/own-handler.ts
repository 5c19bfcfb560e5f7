/**
 * Marks handlers of this package, which have nothing to declare. A registered symbol, because a tool may bring another
 * copy.
 */
const ownHandler = Symbol.for("fingerpost.ownHandler");

export function markOwn(handler: object): void {
  Object.defineProperty(handler, ownHandler, { value: true });
}

export function isOwnHandler(handler: unknown): boolean {
  return (Object(handler) as { readonly [ownHandler]?: boolean })[ownHandler] === true;
}
