/**
 * Appends members to a query or a form: a list repeats its name, and what is `undefined` is left out.
 */
export function filledForm<Form extends FormData | URLSearchParams>(form: Form, members: object | undefined): Form {
  for (const [name, value] of Object.entries(members ?? {})) {
    for (const one of [value as unknown].flat()) {
      if (one !== undefined) form.append(name, one instanceof Blob ? (one as Blob & string) : textOf(one));
    }
  }
  return form;
}

/** A value as the text that the server reads it from: a date as ISO 8601, an object as JSON. */
export function textOf(value: unknown): string {
  const json: unknown = (value as { toJSON?(): unknown } | null | undefined)?.toJSON?.() ?? value;
  return typeof json === "object" && json !== null ? JSON.stringify(json) : String(json);
}
