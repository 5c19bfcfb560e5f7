import { ApplicationBuilder } from "../core/application-builder.ts";
import { Application as CoreApplication } from "../core/application.ts";
import { Resource as CoreResource } from "../core/resource.ts";

export { Attribute } from "../core/attribute.ts";
export type { Input } from "../core/input.ts";
export type { Decision, ResourceModel } from "../core/inspect.ts";
export { Middleware } from "../core/middleware.ts";
export type { Params } from "../core/params.ts";
export { ResourceGroup } from "../core/resource-group.ts";
export { HTTPError, type HTTPErrorOptions } from "../http/http-error.ts";
export type { Method } from "../http/method.ts";
export { Status, type StatusConstant } from "../http/status.ts";
export type { PathPatternError } from "../routing/path-pattern-error.ts";
export type { PathPattern, PathSegment } from "../routing/path-pattern.ts";

/** A resource whose handlers take a context object and write to its `response`. */
export class Resource extends CoreResource {}

/** An application for runtimes that pass a context object. */
export class Application extends CoreApplication {
  /** Begins an application. */
  static builder(): ApplicationBuilder<Application> {
    return new ApplicationBuilder({ Resource, create: (parts) => new Application(parts) });
  }
}
