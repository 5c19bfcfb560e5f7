import { isGroup } from "../application/grouped-resources.ts";
import { described } from "../http/javascript/described.ts";
import { isSchema, type StandardSchema } from "../json-schema/shape/standard-schema.ts";

/** Options of a document that the application does not know itself. */
export interface DocumentOptions {
  /** The name of the API. */
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
  /** The version of OpenAPI. Default: `"3.1"`. */
  readonly openapiVersion?: "3.1" | "3.2" | undefined;
  /** A text about the API; CommonMark. */
  readonly description?: string | undefined;
  /** The URLs below which the API is. Default: where the document is. */
  readonly servers?: readonly string[] | undefined;
  /**
   * Chooses the operations of the document: a group, or a function that returns true for them. Schemas, tags and ways
   * to authenticate of other operations are left out. Default: all operations.
   */
  readonly only?: DescribedGroup | ((operation: OperationSummary) => boolean) | undefined;
  /** The webhooks that the application sends: classes that extend `Webhook`. Default: none. */
  readonly webhooks?: readonly DescribedWebhook[] | undefined;
}

/** A webhook that the application sends: a class that extends `Webhook` of `fingerpost/webhooks`. */
export interface DescribedWebhook {
  /** The name of the class. */
  readonly name: string;
  /** The name of the event. */
  readonly event: string;
  /** The declaration of the content. */
  readonly POST: {
    readonly content: StandardSchema;
    readonly summary?: string | undefined;
    readonly description?: string | undefined;
    readonly examples?: { readonly [name: string]: unknown } | undefined;
  };
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
  const { title, version, openapiVersion = "3.1", only, webhooks = [] } = (options ?? {}) as Partial<DocumentOptions>;
  for (const [name, value] of Object.entries({ title, version })) {
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`Cannot describe the application: expected ${name} to be a text, got ${described(value)}`);
    }
  }
  if (openapiVersion !== "3.1" && openapiVersion !== "3.2") {
    throw new TypeError(
      `Cannot describe the application: expected openapiVersion to be "3.1" or "3.2", got ${described(openapiVersion)}`,
    );
  }
  if (only !== undefined && typeof only !== "function" && !isGroup(only)) {
    throw new TypeError(
      "Cannot describe the application: expected only to be a group, or a function of an operation, got " +
        described(only),
    );
  }
  checkWebhooks(webhooks);
}

function checkWebhooks(webhooks: readonly unknown[]): void {
  const events = new Set<string>();
  for (const webhook of webhooks) {
    const { event, POST } = Object(webhook) as Partial<DescribedWebhook>;
    const { content } = Object(POST) as Partial<DescribedWebhook["POST"]>;
    if (typeof event !== "string" || event === "" || !isSchema(content)) {
      throw new TypeError(
        'Cannot describe the application: expected webhooks with "static event" and "static POST = { content: schema ' +
          `}", got ${described(webhook)}`,
      );
    }
    if (events.has(event)) {
      throw new TypeError(`Cannot describe the application: two webhooks have the event ${described(event)}`);
    }
    events.add(event);
  }
}
