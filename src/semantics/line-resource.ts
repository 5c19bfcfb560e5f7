import { unimplemented } from "../application/application-model.ts";
import { completeMethods, withoutContent, type AddedAnswers } from "../application/completed-methods.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { Input } from "../dispatch/input.ts";
import { answersAlike, type MountedResource, type ScriptFields } from "../dispatch/mounted-resource.ts";
import { RequestFields } from "../fields/request-fields.ts";
import { isAnySent } from "../fields/request-preconditions.ts";
import { Response } from "../http/message/response.ts";
import { Status } from "../http/protocol/status.ts";
import { allowedAt, type Allowed, type LineResource, type LineWrites } from "./line/allowed.ts";
import type { LineRequest } from "./line/line-call.ts";
import { perform } from "./line/perform.ts";
import { derivedTypesOf, planOf, type Plan } from "./line/plan.ts";
import { discardingFiles } from "./line/stored-files.ts";
import { isModified } from "./line/request-conditions.ts";
import { semanticMethods } from "./operation/members.ts";
import type { OperationModel } from "./operation/operation-model.ts";
import type { PatchCall } from "./operation/made-operation.ts";
import { readOperations } from "./operation/reading.ts";
import type { Conversions } from "./schema/conversions.ts";
import { Resource } from "./semantics-resource.ts";

const lineResources = new WeakMap<MountedResource, LineResource>();

/** A resource of this package has no `static OPTIONS` and no `static HEAD` to read. Its HEAD runs GET. */
const added: AddedAnswers = {
  HEAD: (GET) =>
    async function (this: object, input) {
      return withoutContent(await GET.call(this, input));
    },
  OPTIONS: (_input, allow) => new Response(null, { ...Status.NoContent, headers: { allow } }),
};

const fieldsOfKeys: ScriptFields = {
  sent: ["Idempotency-Key"],
  read: ["Idempotent-Replayed", "Retry-After", "Link"],
};

const fieldsOfPages: ScriptFields = { sent: [], read: ["Link"] };

const noFields: ScriptFields = { sent: [], read: [] };

const scriptFields = new WeakMap<OperationModel, ScriptFields>();

/** The fields that scripts of other origins send and read by an operation: its keys or pages, and what it declares. */
function scriptFieldsOf(model: OperationModel): ScriptFields {
  let fields = scriptFields.get(model);
  if (fields === undefined) {
    const { sent, read } = model.isOnce ? fieldsOfKeys : model.page === null ? noFields : fieldsOfPages;
    const declared = [...model.answers.values()].flatMap(({ headers }) => headers.map(([name]) => name));
    const readable = new Map(
      declared.filter((name) => !safelisted.test(name)).map((name) => [name.toLowerCase(), name]),
    );
    fields = { sent, read: [...new Set([...read, ...readable.values()])] };
    scriptFields.set(model, fields);
  }
  return fields;
}

/** Scripts read these without permission, and never the last two (Fetch §2.2.2). */
const safelisted =
  /^(?:cache-control|content-language|content-length|content-type|expires|last-modified|pragma|set-cookie2?)$/i;

/** Where a mounted resource is on the line; null for one of another chain. */
export function lineResourceOf(mounted: MountedResource): LineResource | null {
  return lineResources.get(mounted) ?? null;
}

/**
 * Makes the handlers of a mounted resource send each request along the line. A resource of another chain keeps its own;
 * a resource of this package gets what it lacks.
 *
 * @throws {TypeError} when a declaration of its class cannot work.
 */
export function declare(
  mounted: MountedResource,
  replies: LineResource["replies"],
  dispatcher: Pick<Dispatcher, "problems" | "onLateError" | "run">,
  conversions: Conversions,
  writes: LineWrites | null,
): void {
  const { resource, name } = mounted;
  if (!(resource instanceof Resource)) {
    if (answersAlike in resource) completeMethods(mounted, semanticMethods, added);
    return;
  }
  const models = readOperations(mounted, (method) => resource[method] !== Resource.prototype[method], conversions);
  const once = [...models.values()].find(({ isOnce }) => isOnce);
  if (once !== undefined && writes === null) {
    throw new TypeError(
      `Cannot add ${name} to the application: static ${once.method} has idempotency, and the application has no store; write .idempotency({ store, scope }) on its builder`,
    );
  }
  const aspects = new Set([...models.values()].flatMap(derivedTypesOf));
  const plans = new Map(
    [...models].map(([method, model]) => [method, madePlan(planOf(model, aspects), mounted, dispatcher)]),
  );
  const onLine: LineResource = {
    name,
    plans,
    replies,
    problems: dispatcher.problems,
    writes,
    // The application has set it when the first request comes.
    onError: (error, input) => void dispatcher.onLateError!(error, input as Input),
    allowed: new Map<string, Allowed>(),
  };
  const handlers: Record<string, (input: unknown) => unknown> = Object.setPrototypeOf({}, null);
  for (const method of semanticMethods) {
    const performed = (request: LineRequest): Promise<Response> | Response => perform(onLine, request, method);
    const isStoring = plans.get(method)?.model.content?.media.some(({ raw }) => raw?.kind === "form") === true;
    const handler = isStoring
      ? (request: LineRequest) => discardingFiles(request, () => performed(request))
      : performed;
    handlers[method] = handler as (input: unknown) => unknown;
  }
  mounted.handlers = handlers;
  // Those that it does not implement have a handler here, which answers 405.
  Object.defineProperty(mounted, "methods", { value: [...plans.keys()] });
  mounted.refusalOf = (method, pattern) => {
    if (handlers[method] === undefined) return unimplemented(name, method);
    const allowed = allowedAt(onLine, pattern);
    if (method === "OPTIONS" || allowed.planFor(method) !== null) return null;
    return { status: Status.MethodNotAllowed, reason: `${name} allows ${allowed.allow}` };
  };
  mounted.fieldsAt = (method, pattern) => {
    const model = allowedAt(onLine, pattern).planFor(method)?.model;
    return model === undefined ? null : scriptFieldsOf(model);
  };
  lineResources.set(mounted, onLine);
  const socket = models.get("GET")?.socket ?? null;
  if (socket !== null) mounted.writerOf = () => socket.writerFor(name, replies === "check");
}

/** Gives a plan the handler that is made of other operations, if its own is. */
function madePlan(plan: Plan, mounted: MountedResource, dispatcher: Pick<Dispatcher, "run">): Plan {
  const { model, preconditionsOf } = plan;
  if (model.patch === null) return plan;
  const handler = model.patch({
    mounted,
    dispatcher,
    isConditional: ({ request }) => isAnySent(preconditionsOf(new RequestFields(request))),
    weigh: ({ version }, etag) => {
      const ofTag = preconditionsOf({ get: (name) => (name === "if-match" ? etag : null) });
      isModified(model, ofTag, { etag: { isWeak: false, opaque: version! }, lastModified: null });
    },
  });
  return { ...plan, isMade: true, handler: (call) => handler(call as PatchCall) };
}
