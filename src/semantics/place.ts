import { unimplemented } from "../application/application-model.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { Status } from "../http/protocol/status.ts";
import { checkDeclarations } from "./declaration/declaration-check.ts";
import { semanticMethods } from "./declaration/operation-members.ts";
import type { Operation } from "./declaration/operation.ts";
import { allowedAt, type Allowed, type LinePlace } from "./line/allowed.ts";
import type { LineRequest } from "./line/line-call.ts";
import { perform } from "./line/perform.ts";
import { planOf, type Plan } from "./line/plan.ts";
import { Resource } from "./resource.ts";

/** The operation that a class declares, or inherits; `static deprecated` of the class holds unless it says otherwise. */
function operationOf(Class: Readonly<Record<string, unknown>>, method: string): Operation | undefined {
  const operation = Class[method] as Operation | undefined;
  const deprecated = Class["deprecated"] as Operation["deprecated"];
  return operation === undefined || deprecated === undefined ? operation : { deprecated, ...operation };
}

const places = new WeakMap<MountedResource, LinePlace>();

/** Where a mounted resource is on the line; null for one of another chain. */
export function placeOf(mounted: MountedResource): LinePlace | null {
  return places.get(mounted) ?? null;
}

/**
 * Makes the handlers of a mounted resource send each request along the line. A resource of another chain keeps its own.
 *
 * @throws {TypeError} when a declaration of its class cannot work.
 */
export function declare(
  mounted: MountedResource,
  replies: LinePlace["replies"],
  { problems }: Pick<LinePlace, "problems">,
): void {
  const { resource, name } = mounted;
  if (!(resource instanceof Resource)) return;
  const Class = resource.constructor as unknown as Readonly<Record<string, unknown>>;
  const isImplemented = (method: (typeof semanticMethods)[number]): boolean =>
    resource[method] !== Resource.prototype[method];
  checkDeclarations(Class, mounted, isImplemented);
  const plans = new Map<string, Plan>();
  for (const method of semanticMethods) {
    if (!isImplemented(method)) continue;
    const handler = resource[method] as (call: unknown) => unknown;
    const operation = operationOf(Class, method);
    plans.set(method, planOf(name, method, resource, handler as (call: object) => unknown, operation));
  }
  const place: LinePlace = {
    name,
    plans,
    paths: new Map(mounted.patterns.map((pattern, at) => [pattern, mounted.paths[at] as string])),
    replies,
    problems,
    allowed: new Map<string, Allowed>(),
  };
  const handlers: Record<string, (input: unknown) => unknown> = Object.setPrototypeOf({}, null);
  for (const method of semanticMethods) handlers[method] = (request) => perform(place, request as LineRequest, method);
  mounted.handlers = handlers;
  // Those that it does not implement have a handler here, which answers 405.
  Object.defineProperty(mounted, "methods", { value: [...plans.keys()] });
  mounted.refusalOf = (method, pattern) => {
    if (handlers[method] === undefined) return unimplemented(name, method);
    const allowed = allowedAt(place, pattern);
    if (method === "OPTIONS" || allowed.planFor(method) !== null) return null;
    return { status: Status.MethodNotAllowed, reason: `${name} allows ${allowed.allow}` };
  };
  places.set(mounted, place);
}
