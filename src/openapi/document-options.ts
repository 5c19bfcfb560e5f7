import { described } from "../http/javascript/described.ts";

/** Options of a document that the application does not know itself. */
export interface DocumentOptions {
  /** The name of the API. */
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
  /** The version of OpenAPI. Default: `"3.1"`. */
  readonly openapi?: "3.1" | "3.2" | undefined;
  /** A text about the API; CommonMark. */
  readonly description?: string | undefined;
  /** The URLs below which the API is. Default: where the document is. */
  readonly servers?: readonly string[] | undefined;
}

/** @throws {TypeError} when an option is wrong. */
export function checkOptions(options: DocumentOptions): void {
  const { title, version, openapi = "3.1" } = (options ?? {}) as Partial<DocumentOptions>;
  for (const [name, value] of Object.entries({ title, version })) {
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`Cannot describe the application: expected ${name} to be a text, got ${described(value)}`);
    }
  }
  if (openapi !== "3.1" && openapi !== "3.2") {
    throw new TypeError(
      `Cannot describe the application: expected openapi to be "3.1" or "3.2", got ${described(openapi)}`,
    );
  }
}
