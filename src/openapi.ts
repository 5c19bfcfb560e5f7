export {
  asyncapi,
  asyncDocument,
  type AsyncAPIDocument,
  type AsyncAPIOperation,
  type AsyncDocumentOptions,
  type AsyncAPIOptions,
  type DocumentedChannel,
} from "./openapi/asyncapi.ts";
export { document, type DescribedApplication } from "./openapi/document.ts";
export type {
  DescribedGroup,
  DescribedWebhook,
  DocumentOptions,
  OperationSummary,
} from "./openapi/document-options.ts";
export type {
  DocumentedContent,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  OpenAPIDocument,
} from "./openapi/openapi-document.ts";
export type { DescribingClass } from "./openapi/describing-resource.ts";
export { openapi, type OpenAPIOptions } from "./openapi/resources.ts";
export {
  drift,
  type Drift,
  type FetchingApplication,
  type UndeclaredHandler,
  type UndeclaredStatus,
} from "./openapi/drift.ts";
