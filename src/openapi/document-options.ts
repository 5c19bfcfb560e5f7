import { isGroup } from "../application/grouped-resources.ts";
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
  /**
   * Chooses the operations of the document: a group, or a function that returns true for them. Schemas, tags and ways
   * to authenticate of other operations are left out. Default: all operations.
   */
  readonly of?: DescribedGroup | ((operation: OperationSummary) => boolean) | undefined;
}

/** A built group of resources, of any module. */
export interface DescribedGroup {
  /** The resource classes and groups in it. */
  readonly members: readonly unknown[];
  /** The prefixes of each path. */
  readonly prefixes: readonly string[];
}

/** Describes an operation to a function that chooses. */
export interface OperationSummary {
  /** The method. */
  readonly method: string;
  /** The path, as documents write it: `/books/{isbn}`. */
  readonly path: string;
  /** The name of the resource class. */
  readonly resource: string;
  /** `tags` of the operation or its class; the name of the class without any. */
  readonly tags: readonly string[];
  /** `audience` of the operation or its class. */
  readonly audience: string | undefined;
  /** Whether the operation or its class is `deprecated`. */
  readonly isDeprecated: boolean;
}

/** @throws {TypeError} when an option is wrong. */
export function checkOptions(options: DocumentOptions): void {
  const { title, version, openapi = "3.1", of } = (options ?? {}) as Partial<DocumentOptions>;
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
  if (of !== undefined && typeof of !== "function" && !isGroup(of)) {
    throw new TypeError(
      `Cannot describe the application: expected of to be a group, or a function of an operation, got ${described(of)}`,
    );
  }
}
