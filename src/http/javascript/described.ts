import { isPlainObject } from "./property.ts";

/** Names a value in a message: what it is rather than all it holds; strings are cut at 80 characters. */
export function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "function") return isClass(value) ? `the class ${nameOf(value)}` : "a function";
  if (typeof value !== "object" || value === null) return String(value).slice(0, 80);
  if (Array.isArray(value)) return "an array";
  const { constructor } = value as { constructor?: unknown };
  return typeof constructor === "function" && !isPlainObject(value)
    ? `an instance of ${nameOf(constructor)}`
    : "an object";
}

/** Names what a value is, and nothing that it holds: in messages about what may be a secret. */
export function kindOf(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  if (typeof value === "number" || typeof value === "bigint") return "a number";
  if (typeof value === "symbol") return "a symbol";
  const name = described(value);
  return name === "an object" && Object.keys(value as object).length === 0 ? "an empty object" : name;
}

/** A text in which nothing can break the line, or the terminal, as C1 controls do, which JSON leaves as they are. */
export function quoted(text: string): string {
  return `"${text.replace(/[^ !#-[\]-~]/g, escaped)}"`;
}

/** JSON as one line that steers no terminal. It means the same. */
export function inOneLine(json: string): string {
  return json.replace(/[^ -~]/g, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export function nameOf(Class: { readonly name: string }): string {
  return String(Class.name || "(anonymous class)").slice(0, 80);
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
