import { textOf } from "../routing/pattern/filled-path.ts";
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
