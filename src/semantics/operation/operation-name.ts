import type { OperationModel } from "./operation-model.ts";

/** Names an operation by its `id`, else by its method and a name: `getBook`. */
export function operationNameOf(
  { method, declaration: { id }, mounted: { name } }: OperationModel,
  otherName: string,
): string {
  return id ?? method.toLowerCase() + (wordOf(name) || otherName);
}

/** Words in PascalCase, of what generators make names of. */
export function wordOf(text: string): string {
  if (text === "(anonymous class)") return "";
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}
