export {
  document,
  type Describable,
  type DocumentedContent,
  type DocumentedOperation,
  type DocumentedParameter,
  type DocumentedResponse,
  type DocumentOptions,
  type OpenAPIDocument,
} from "./openapi/document.ts";
export { openapi, type DescribingClass, type OpenAPIOptions } from "./openapi/resources.ts";
export { drift, type Drift, type Fetching, type UndeclaredHandler, type UndeclaredStatus } from "./openapi/drift.ts";
