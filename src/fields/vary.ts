import { parseList } from "./list.ts";

/**
 * Adds field names to `Vary`, each once and whatever its case (RFC 9110 §12.5.5). Present names stay; a `*` covers all.
 */
export function addVary(fields: VaryFields, ...names: readonly string[]): void {
  const value = fields.get("vary");
  const listed = parseList(value ?? "");
  const known = new Set(listed.map((name) => name.toLowerCase()));
  if (known.has("*")) return;
  const added = names.filter((name) => !known.has(name.toLowerCase()));
  if (added.length > 0) fields.set("vary", [...listed, ...added].join(", "));
}

interface VaryFields {
  get(name: string): string | null | undefined;
  set(name: string, value: string): unknown;
}
