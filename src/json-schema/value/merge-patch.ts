/**
 * Applies a JSON Merge Patch (RFC 7396). The value that is patched stays as it is. Members are defined, not assigned:
 * `__proto__` is a name like others.
 */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatched(members.get(name), value));
  }
  return Object.fromEntries(members);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
