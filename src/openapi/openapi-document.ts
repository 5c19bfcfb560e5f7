import type { SecuritySchemes } from "../semantics/operation/guards-model.ts";

/** An OpenAPI document. */
export interface OpenAPIDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** A description of the API. */
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  /** Where the API is. */
  readonly servers?: readonly { readonly url: string }[];
  /** The headings of operations. */
  readonly tags: readonly { readonly name: string }[];
  /** By path and method in lower case, the operations. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  /** By the name of the event, the webhooks that the application sends. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<"post", DocumentedOperation>>>>;
  /** What operations refer to. */
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly securitySchemes?: SecuritySchemes;
  };
}

/** An operation of a document. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  /** The day on which the operation ends, if that is declared. */
  readonly "x-sunset"?: string;
  /** Whom the operation is for, if that is declared. */
  readonly "x-audience"?: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: DocumentedContent };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter of an operation. */
export interface DocumentedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly description?: string;
  readonly required?: true;
  /** The value is several segments of the path, with slashes between them, for which OpenAPI has no sign. */
  readonly "x-rest"?: true;
  readonly deprecated?: true;
  readonly style: "simple" | "form";
  readonly explode: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An answer of an operation. */
export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: DocumentedContent;
  /** The messages that a WebSocket receives, and those that it sends. */
  readonly "x-receives"?: Readonly<Record<string, unknown>>;
  readonly "x-sends"?: Readonly<Record<string, unknown>>;
}

/** Content by media type. */
export type DocumentedContent = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
