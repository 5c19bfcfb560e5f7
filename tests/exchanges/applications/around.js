/** Builds an application of some classes with a row of around.js; what it reports goes to `note`. */
export function builtAround({ Application, ResourceGroup }, classes, row, note, more = (builder) => builder) {
  const { middleware = [], group = [], statics = [], onError, problems, replies, trailingSlash } = row;
  for (const Class of statics.length === 0 ? [] : classes) {
    const own = Object.hasOwn(Class, "middleware") ? Class.middleware : [];
    Object.defineProperty(Class, "middleware", { configurable: true, value: [...own, ...statics] });
  }
  const members =
    group.length > 0
      ? [
          ResourceGroup.builder()
            .resources(...classes)
            .middleware(...group)
            .build(),
        ]
      : classes;
  const builder = Application.builder()
    .resources(...members)
    .middleware(...middleware);
  if (builder.onError !== undefined) {
    builder.onError((error, ...others) => {
      note(`onError ${errorText(error)}`);
      return onError?.(error, ...others);
    });
  }
  if (problems !== undefined) builder.problems(problems);
  if (replies !== undefined) builder.replies?.(replies);
  if (trailingSlash !== undefined) builder.trailingSlash(trailingSlash);
  return more(builder).build();
}

/** What an error says of itself, in one line. */
export function errorText(error) {
  if (!(error instanceof Error)) return `${typeof error} ${String(error)}`;
  const { status, headers } = error;
  const fields = headers === undefined ? "" : ` ${JSON.stringify(entriesOf(headers))}`;
  const cause = error.cause === undefined ? "" : `, by ${errorText(error.cause)}`;
  return `${error.constructor.name} ${status ?? ""} ${error.message}${fields}${cause}`.replaceAll(/\s+/g, " ");
}

function entriesOf(headers) {
  return typeof headers[Symbol.iterator] === "function" ? [...headers] : Object.entries(headers);
}
