import { operationNameOf, wordOf } from "../semantics/operation/operation-name.ts";
import type { DescribedOperation } from "./described-operation.ts";

/**
 * Names operations: `getBook`, and `getBookByIsbn` at the further templates of a class. A declared `id` replaces the
 * first.
 * @throws {TypeError} when two have one name.
 */
export function operationIdsOf(operations: readonly DescribedOperation[]): Map<DescribedOperation, string> {
  const ids = new Map<DescribedOperation, string>();
  const owners = new Map<string, DescribedOperation>();
  for (const operation of operations) {
    const candidates = candidatesOf(operation);
    const first = owners.get(candidates[0]!);
    const id = candidates.find((candidate) => !owners.has(candidate));
    if (first !== undefined && (id === undefined || first.model.mounted !== operation.model.mounted)) {
      const [rival, own] = [first, operation].map(placeOf);
      throw new TypeError(
        `Cannot describe the application: ${rival} and ${own} have the operationId "${candidates[0]!}"; write an id ` +
          "in one of the declarations",
      );
    }
    ids.set(operation, id!);
    owners.set(id!, operation);
  }
  return ids;
}

/** From the shortest to the longest, which names every segment. */
function candidatesOf({ model, template: { text, params } }: DescribedOperation): string[] {
  const own = operationNameOf(model, wordOf(text) || "Root");
  const by = params.length === 0 ? "" : `By${params.map((param) => wordOf(param.name)).join("And")}`;
  const at = wordOf(text.replaceAll(/\{[^{}]*\}/g, ""));
  const all = text.split("/").map((segment) => (segment.includes("{") ? `By${wordOf(segment)}` : wordOf(segment)));
  return [own, ...(by === "" ? [] : [own + by]), `${own}At${at || "Root"}${by}`, `${own}At${all.join("")}`];
}

function placeOf({ model: { method, mounted }, template: { text } }: DescribedOperation): string {
  return `${method} ${text} of ${mounted.name}`;
}
