import { unimplemented } from "../application/application-model.ts";
import { completeMethods, withoutContent, type AddedAnswers } from "../application/completed-methods.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { print } from "../dispatch/error-response.ts";
import type { Input } from "../dispatch/input.ts";
import {
  answersAlike,
  type Handler,
  type MountedPattern,
  type MountedResource,
  type ScriptFields,
} from "../dispatch/mounted-resource.ts";
import { isOwnHandler } from "../dispatch/own-handler.ts";
import { ownOf } from "../http/javascript/property.ts";
import type { Answer } from "../http/answer/carried-answer.ts";
import { Response } from "../http/message/response.ts";
import { Status } from "../http/protocol/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import { allowedAt, type Allowed, type LineResource, type LineWrites } from "./line/allowed.ts";
import type { LineRequest } from "./line/line-call.ts";
import { nativeAudienceOf, type Audience } from "./line/audience.ts";
import { perform } from "./line/perform.ts";
import { derivedTypesOf, planOf, type Plan } from "./line/plan.ts";
import { discardingFiles } from "./line/stored-files.ts";
import { askNative } from "./native-access.ts";
import type { Method } from "./declaration/operation.ts";
import { fixedFieldsOf } from "./operation/fixed-fields.ts";
import { memberFieldsOf, membersOf, semanticMethods } from "./operation/members.ts";
import type { OperationModel } from "./operation/operation-model.ts";
import { readOperations } from "./operation/reading.ts";
import type { Conversions } from "../json-schema/library/conversions.ts";
import { Resource } from "./semantics-resource.ts";

const lineResources = new WeakMap<MountedResource, () => LineResource>();

/** A resource of this package has no `static OPTIONS` and no `static HEAD` to read. Its HEAD runs GET. */
const added: AddedAnswers = {
  HEAD: (GET) =>
    async function (this: object, input) {
      return withoutContent(await GET.call(this, input));
    },
  OPTIONS: (_input, allow) => new Response(null, { ...Status.NoContent, headers: { allow } }),
};

const scriptFields = new WeakMap<OperationModel, ScriptFields>();

/** The fields that scripts of other origins send and read by an operation. */
function scriptFieldsOf(model: OperationModel): ScriptFields {
  let fields = scriptFields.get(model);
  if (fields === undefined) {
    const sent = membersOf(model).flatMap(({ requestFields }) => requestFields ?? []);
    const read = memberFieldsOf(model).map(({ name }) => name);
    // A refusal for a key has a link to where keys are documented.
    if (model.isOnce || model.page !== null) read.push("Link");
    for (const { headers } of model.answers.values()) read.push(...headers.map(([name]) => name));
    const readable = new Map<string, string>();
    for (const name of read) if (!safelisted.test(name)) readable.set(name.toLowerCase(), name);
    fields = { sent, read: [...readable.values()] };
    scriptFields.set(model, fields);
  }
  return fields;
}

/** Scripts read these without permission, and never the last two (Fetch §2.2.2). */
const safelisted =
  /^(?:cache-control|content-language|content-length|content-type|expires|last-modified|pragma|set-cookie2?)$/i;

/** Where a mounted resource is on the line; null for one of another chain. */
export function lineResourceOf(mounted: MountedResource): LineResource | null {
  return lineResources.get(mounted)?.() ?? null;
}

/** The plan of a method where a path leads to: null where there is none, `undefined` at a resource of another chain. */
export function planAt(found: PathMatch<MountedPattern> | PathProblem, method: string): Plan | null | undefined {
  if (!(found instanceof PathMatch)) return null;
  const onLine = lineResourceOf(found.value.mounted);
  return onLine === null ? undefined : allowedAt(onLine, found.source).planFor(method);
}

/** How the answers of resources of another chain say for whom they are. */
const natives = new WeakMap<MountedResource, Audience>();

/** How answers to a read say for whom they are, where a path leads to; null for others. */
export function audienceAt(found: PathMatch<MountedPattern> | PathProblem, method: string): Audience | null {
  const plan = planAt(found, method);
  if (plan !== undefined) return plan && plan.audience;
  return natives.get((found as PathMatch<MountedPattern>).value.mounted)!;
}

/**
 * Makes the handlers of a mounted resource send each request along the line. A resource of another chain keeps its own;
 * a resource of this package gets what it lacks.
 * @param isOpen whether nobody is asked who they are, as in a mock without guards.
 * @throws {TypeError} when a declaration of its class cannot work.
 */
export function declare(
  mounted: MountedResource,
  replies: LineResource["replies"],
  dispatcher: Dispatcher,
  conversions: Conversions,
  writes: LineWrites | null,
  isOpen: boolean,
): void {
  const { resource, name } = mounted;
  if (!(resource instanceof Resource)) {
    natives.set(mounted, nativeAudienceOf(mounted, conversions));
    if (!isOpen) askNative(mounted, conversions);
    if (answersAlike in resource) completeMethods(mounted, semanticMethods, added);
    return;
  }
  const { methods } = mounted;
  const isImplemented = (method: Method): boolean =>
    method === "QUERY" ? resource.QUERY !== Resource.prototype.QUERY : methods.includes(method);
  const models = readOperations(mounted, isImplemented, conversions);
  const once = [...models.values()].find(({ isOnce }) => isOnce);
  if (once !== undefined && writes === null) {
    throw new TypeError(
      `Cannot add ${name} to the application: static ${once.method} has idempotency, and the application has no ` +
        "store; write .idempotency({ store, ownerOf }) on its builder",
    );
  }
  for (const model of models.values()) refuseUnreadGuards(model);
  warnOfUndeclared(mounted, [...models.values()]);
  // Later changes of the class do not change the application.
  const { handlers: own } = mounted;
  const { QUERY } = resource;
  const ownHandlerOf = (method: string): Handled => (method === "QUERY" ? QUERY : own[method]) as Handled;
  let made: LineResource | null = null;
  const lineOf = (): LineResource =>
    (made ??= {
      name,
      plans: plansOf(models, ownHandlerOf, mounted, dispatcher, replies === "check", isOpen),
      replies,
      problems: dispatcher.problems,
      writes,
      // The application has set it when the first request comes.
      onError: (error, input) => void dispatcher.onLateError!(error, input as Input),
      allowed: new Map<string, Allowed>(),
    });
  const handlers = new LineHandlers(lineOf) as unknown as MountedResource["handlers"];
  mounted.handlers = handlers;
  // Methods that the class does not implement have a handler here, which answers 405. They are left out.
  Object.defineProperty(mounted, "methods", { value: [...models.keys()] });
  mounted.refusalOf = (method, pattern) => {
    if (handlers[method] === undefined) return unimplemented(name, method);
    const allowed = allowedAt(lineOf(), pattern);
    if (method === "OPTIONS" || allowed.planFor(method) !== null) return null;
    return { status: Status.MethodNotAllowed, reason: `${name} allows ${allowed.allow}` };
  };
  mounted.fieldsAt = (method, pattern) => {
    const model = allowedAt(lineOf(), pattern).planFor(method)?.model;
    return model === undefined ? null : scriptFieldsOf(model);
  };
  lineResources.set(mounted, lineOf);
  const socket = models.get("GET")?.socket ?? null;
  if (socket !== null) mounted.writerOf = () => socket.writerFor(name, replies === "check");
}

type Handled = (call: object) => unknown;
type Handling = Readonly<Record<string, Handled>>;

/**
 * The handlers of a resource on the line. Those that it does not implement have one, too, which answers 405. Each is
 * made when it is asked for first, as most applications have more methods than requests ask for.
 */
class LineHandlers {
  readonly #lineOf: () => LineResource;

  constructor(lineOf: () => LineResource) {
    this.#lineOf = lineOf;
  }

  #made(method: Method): Handler {
    const line = this.#lineOf();
    const performed = (request: LineRequest): Promise<Answer> | Answer => perform(line, request, method);
    const media = line.plans.get(method)?.model.content?.media ?? [];
    const isStoring = media.some(({ raw }) => raw?.kind === "form" || (raw !== null && "sink" in raw));
    // What stores files looks at the answer.
    const handler = (
      isStoring ? (request: LineRequest) => discardingFiles(request, () => performed(request)) : performed
    ) as Handler;
    Object.defineProperty(this, method, ownOf({ value: handler }));
    return handler;
  }

  static {
    const { prototype } = this;
    // Methods of requests are looked for in it: nothing but handlers may be found.
    Object.setPrototypeOf(prototype, null);
    Reflect.deleteProperty(prototype, "constructor");
    for (const method of semanticMethods) {
      const get = function (this: LineHandlers): Handler {
        return this.#made(method);
      };
      Object.defineProperty(prototype, method, ownOf({ get }));
    }
  }
}

/**
 * What guards and ways to authenticate say is read for each answer. What throws there is told by `build()`.
 * @throws what `static answers` of a middleware throws.
 */
function refuseUnreadGuards(model: OperationModel): void {
  if (model.guards.length > 0 || model.declaration.security !== undefined) fixedFieldsOf(model);
}

const warnedOf = new WeakSet<object>();

/** Tells once of handlers that declare nothing beside others that do: a declaration was forgotten, or is misspelled. */
function warnOfUndeclared({ resource, name }: MountedResource, models: readonly OperationModel[]): void {
  if (warnedOf.has(resource.constructor) || !models.some(({ isDeclared }) => isDeclared)) return;
  for (const { method, isDeclared } of models) {
    if (isDeclared || isOwnHandler((resource as unknown as Handling)[method])) continue;
    warnedOf.add(resource.constructor);
    print(`${method} of ${name} declares nothing, so that nothing checks it; write static ${method} = { 200: … }`);
  }
}

/** Makes the plans of a resource: nothing but requests and explanations needs them. */
function plansOf(
  models: ReadonlyMap<string, OperationModel>,
  ownHandlerOf: (method: string) => Handled,
  mounted: MountedResource,
  dispatcher: Dispatcher,
  isChecked: boolean,
  isOpen: boolean,
): ReadonlyMap<string, Plan> {
  const aspects = new Set([...models.values()].flatMap(derivedTypesOf));
  const patch = models.get("PATCH")?.patch ?? null;
  return new Map(
    [...models].map(([method, model]) => {
      const plan = { ...planOf(model, ownHandlerOf(method), aspects, isChecked), ...(isOpen && { access: null }) };
      return [method, patch === null ? plan : (patch(plan, mounted, dispatcher) as Plan)];
    }),
  );
}
