import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { described } from "../../http/javascript/described.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { after } from "../../http/javascript/thenable.ts";
import { validated } from "../../json-schema/shape/validation.ts";

/** Writes and reads the data of sessions, by their schema. */
export class SessionData<Data> {
  readonly #schema: StandardSchema<unknown, Data>;

  constructor(schema: StandardSchema<unknown, Data>) {
    this.#schema = schema;
  }

  /**
   * Writes what the schema returns for data. A member that the schema drops must not come back when a later version of
   * the schema has it. Reads what it has written again: a later request must be able to.
   * @throws {TypeError} when the schema does not take what was written.
   */
  async written(given: unknown): Promise<{ readonly text: string; readonly data: Data }> {
    const first = jsonOf(given);
    const data = await this.#required(first);
    const text = jsonOf(data);
    return { text, data: text === first ? data : await this.#required(text) };
  }

  /**
   * Writes data instead of older data. Members of the older text that the schema does not know stay, because another
   * version of the application wrote them. During a deployment both run.
   */
  async rewritten(given: unknown, before: string): Promise<{ readonly text: string; readonly data: Data }> {
    const { text, data } = await this.written(given);
    const [older, next] = [JSON.parse(before), JSON.parse(text)] as unknown[];
    if (!isPlainObject(older) || !isPlainObject(next)) return { text, data };
    const left = Object.entries(older).filter(([name]) => !Object.hasOwn(next, name));
    if (left.length === 0) return { text, data };
    const known = Object((await this.read(before))?.data) as object;
    const unknown = left.filter(([name]) => !Object.hasOwn(known, name));
    return { text: JSON.stringify(Object.fromEntries([...Object.entries(next), ...unknown])), data };
  }

  async #required(text: string): Promise<Data> {
    const { issues, value } = await this.#checked(JSON.parse(text));
    if (issues === undefined) return value;
    const [{ message = "" } = {}] = issues;
    throw new TypeError(`Cannot keep a session: its data does not fit the schema: ${message}`);
  }

  /** Reads data. Returns null when it does not fit the schema, such as after a deployment. */
  read(text: string): { readonly data: Data } | null | Promise<{ readonly data: Data } | null> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return null;
    }
    return after(this.#checked(value), fitOf);
  }

  #checked(value: unknown): Checked<Data> | Promise<Checked<Data>> {
    return validated(this.#schema, value) as Checked<Data> | Promise<Checked<Data>>;
  }
}

type Checked<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly { readonly message: string }[] };

function jsonOf(data: unknown): string {
  const text = JSON.stringify(data) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`Cannot keep a session: JSON cannot write ${described(data)}`);
}

function fitOf<Data>({ issues, value }: Checked<Data>): { readonly data: Data } | null {
  return issues === undefined ? { data: value as Data } : null;
}
