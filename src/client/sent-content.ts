export const isJson: RegExp = /[/+]json *(;|$)/i;

export const isLines: RegExp = /^application\/(jsonl|x-ndjson)/i;

/** Content that `fetch` takes as it is, also of another realm. A form needs a `type`. */
export function isRaw(content: unknown): boolean {
  return /Blob|File|Buffer|View|\dArray|Stream/.test({}.toString.call(content));
}

/** Content that can be read only once. */
export function isStream(content: unknown): boolean {
  return /Stream|Generator/.test({}.toString.call(content));
}

/** A part of a form that is sent as it is. */
export function isFile(value: unknown): value is Blob {
  return /Blob|File/.test({}.toString.call(value));
}
