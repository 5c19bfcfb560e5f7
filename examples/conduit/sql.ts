/** A statement: text, and the values between, which are parameters unless they are statements themselves. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }
}

export const sql = (parts: TemplateStringsArray, ...values: readonly unknown[]): Sql => new Sql(parts, values);

/** The text with numbers in the place of its parameters. */
export function flattened({ parts, values }: Sql, parameters: unknown[] = []): { text: string; parameters: unknown[] } {
  const placed = (value: unknown): string =>
    value instanceof Sql ? flattened(value, parameters).text : `$${parameters.push(storable(value))}`;
  return { text: parts.reduce((text, part, at) => text + placed(values[at - 1]) + part), parameters };
}

/** PostgreSQL has no NUL. What is looked up with one is not there; what is stored was checked before. */
const storable = (value: unknown): unknown => (typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value);
