import type { OperationModel } from "../operation/operation-model.ts";

/**
 * Makes what a call has for a part that its operation does not declare. A handler that reads a member of it is told
 * what to declare. The engine's error about `undefined` would name neither the class nor the part.
 */
export function undeclaredPart(part: "query" | "cookies" | "content" | "page", model: OperationModel): object {
  const refuse = (): never => {
    const { method, mounted } = model;
    throw new TypeError(
      `Cannot read ${part} of the call of ${mounted.name}: static ${method} does not declare it; write static ` +
        `${method} = { ${part === "page" ? "200: page(…)" : `${part}: …`} }`,
    );
  };
  const get = (_: object, key: string | symbol): unknown =>
    askedByOthers.has(key) ? askedByOthers.get(key) : refuse();
  return new Proxy({}, { get, has: refuse, ownKeys: refuse });
}

/** What `await`, `JSON.stringify()` and others ask each value for, with what they get. */
const askedByOthers: ReadonlyMap<string | symbol, unknown> = new Map<string | symbol, unknown>([
  ["then", undefined],
  ["toJSON", () => undefined],
  [Symbol.toStringTag, undefined],
]);
