import { isFile } from "./sent-content.ts";
/** Appends members to a query or a form: a list repeats its name, and what is `undefined` is left out. */
export function filledForm<Form extends Fillable>(form: Form, members: object | undefined): Form {
  for (const [name, value] of Object.entries(members ?? {})) {
    for (const one of [value as unknown].flat()) {
      if (one !== undefined) form.append(name, (isFile(one) ? one : textOf(one, name)) as Blob & string);
    }
  }
  return form;
}

/** A form, a query, or whatever else takes names and values. */
interface Fillable {
  append(name: string, value: Blob & string): void;
}

/**
 * A value as the text that the server reads it from: a date as ISO 8601, an object as JSON. Refuses `null`, and an
 * invalid date, which is `null` in JSON: where a text is accepted, the server reads the text "null".
 */
export function textOf(value: unknown, name: unknown): string {
  const json: unknown = (value as HasJson | null | undefined)?.toJSON ? (value as HasJson).toJSON() : value;
  if (json === null)
    throw new TypeError(`Cannot send "${name as string}": null has no text; leave it out, or write ""`);
  return json === Object(json) ? JSON.stringify(json) : `${json as string}`;
}

/** A value that says itself what it is in JSON, such as a date. */
interface HasJson {
  toJSON(): unknown;
}
