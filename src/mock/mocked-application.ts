import type { ResourceClass } from "../application/grouped-resources.ts";
import { Resource as NativeResource } from "../application/native.ts";
import { declaredBy } from "../application/resource-declarations.ts";
import { Dispatcher } from "../dispatch/dispatcher.ts";
import { reportServerFault } from "../dispatch/error-response.ts";
import {
  describing,
  MountedPattern,
  MountedResource,
  type Handler,
  type Handlers,
} from "../dispatch/mounted-resource.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { PathIndexBuilder } from "../routing/build/path-index-builder.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import { discardAll } from "../formats/multipart/discards.ts";
import { discardsOf } from "../semantics/line/stored-files.ts";
import { declaredApplication, type Application } from "../semantics/semantics-application.ts";
import { operationsOf } from "../semantics/operation/reading.ts";
import { Resource } from "../semantics/semantics-resource.ts";
import { memoryRecords } from "../state/memory-records.ts";
import { checkedRules } from "../writes/write-rules.ts";
import { mockedAnswer, type MockedCall } from "./mocked-answer.ts";
import { openedGuard } from "./opened-guard.ts";

/**
 * Makes an application of the same patterns, middleware and declarations, whose handlers are mocked.
 * @param hasGuards whether guards refuse requests.
 */
export function mockedApplication(
  { dispatcher, trailingSlash }: Application,
  seed: number,
  hasGuards: boolean,
): Application {
  const guarded = hasGuards ? <Class>(one: Class): Class => one : openedGuard;
  const index = new PathIndexBuilder<MountedPattern>(trailingSlash);
  const resources = dispatcher.resources.map((mounted) => {
    const { name, patterns, paths, groups, middleware } = mounted;
    const [resource, handlers] = mockedResource(mounted, seed);
    const mocked = new MountedResource(name, resource, handlers, middleware.map(guarded));
    for (const [at, source] of patterns.entries()) {
      const pattern = parsePathPattern(source, name);
      index.add(pattern, new MountedPattern(mocked));
      mocked.add(pattern, paths[at], groups[at]!);
    }
    return mocked;
  });
  const own = new Dispatcher(index.build(), dispatcher.around.map(guarded), resources, true);
  own.problems = dispatcher.problems;
  own.trailingSlash = trailingSlash;
  // Keys of writes are kept, as by the application, but in this process only.
  const rules = checkedRules(new OptionCheck("mock", { store: memoryRecords() }, ["store"]), "Idempotency-Key");
  const writes = { rules, ownerOf: () => "mock" };
  // A mock writes what it made: it was made by the schemas.
  return declaredApplication(
    { dispatcher: own, trailingSlash },
    reportServerFault,
    "trust",
    writes,
    hasGuards ? "asked" : "open",
  );
}

/** Returns a resource instead of another one, and its handlers. What describes the application goes on to do so. */
function mockedResource(mounted: MountedResource, seed: number): [resource: object, handlers: Handlers] {
  const { resource, name } = mounted;
  if (describing in resource) {
    return [
      resource,
      declaredBy(resource.constructor as ResourceClass, resource as object as NativeResource, NativeResource).handlers,
    ];
  }
  if (!(resource instanceof Resource)) {
    const refuse = (): never => {
      throw new HTTPError(Status.NotImplemented, `${name} declares nothing that a mock could answer`);
    };
    return [resource, Object.fromEntries(mounted.methods.map((method) => [method, refuse]))];
  }
  const mocked = Object.create(resource) as object;
  const handlers: Record<string, Handler> = {};
  for (const [method, model] of operationsOf(mounted)) {
    // A declared PATCH is made of GET and PUT, which are mocked.
    if (model.patch !== null) continue;
    const answer = async (call: MockedCall): Promise<unknown> => {
      // Nobody will ask for the files of a form.
      await discardAll(discardsOf(call.request)!);
      return mockedAnswer(model, call, seed);
    };
    Object.defineProperty(mocked, method, { value: answer });
    handlers[method] = answer as Handler;
  }
  if ("validator" in resource) Object.defineProperty(mocked, "validator", { value: () => ({ etag: '"mock"' }) });
  return [mocked, handlers];
}
