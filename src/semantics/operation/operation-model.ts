import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { OfferedTypes } from "../../fields/accept.ts";
import { remembered } from "../../fields/remembered.ts";
import { unconditionalMethods } from "../../fields/preconditions.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import type { Method, Operation } from "../declaration/operation.ts";
import type { SocketContent } from "../declaration/socket-content.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import { accessModelOf, type AccessModel } from "./access-model.ts";
import { answersOf, isStatus, type AnswerModel } from "./answer-model.ts";
import type { Unchecked } from "./content-refusals.ts";
import type { InputModel } from "./input-model.ts";
import { authenticatorOf, guardsOf, type GuardModel } from "./guards-model.ts";
import { sentTypeOf } from "./media.ts";
import { isMade, methodsOfPatch, type PlanMaking } from "./made-operation.ts";

/**
 * An operation of a resource as it was declared, read once. What performs, describes and checks operations reads this.
 */
export interface OperationModel extends InputModel, AccessModel {
  readonly mounted: MountedResource;
  readonly method: Method;
  /**
   * The declaration without its answers, for members that need no reading. It has the members that the class says for
   * all of its operations.
   */
  readonly declaration: Operation;
  /** Whether the class declares the operation. Without a declaration only the method is checked. */
  readonly isDeclared: boolean;
  /** Whether the line performs it, rather than a handler of the native or the polyfill module. */
  readonly isOnLine: boolean;
  /** Whether the method exists at a path pattern of the resource. */
  isAt(pattern: string): boolean;
  /** GET, HEAD and QUERY select a representation (RFC 9110 §13.2.1). */
  readonly isRead: boolean;
  /** Whether preconditions are evaluated for the method at all (RFC 9110 §13.2.1). */
  readonly takesPreconditions: boolean;
  /** Whether the operation takes keys by which a write happens once. */
  readonly isOnce: boolean;
  /** Whether the resource is asked for its validators. */
  readonly hasValidator: boolean;
  readonly answers: ReadonlyMap<number, AnswerModel>;
  /** The declarations of the middleware around it, outermost first. */
  readonly guards: readonly GuardModel[];
  /** How a handshake is accepted; null if the operation does not declare 101. */
  readonly socket: SocketContent | null;
  /** Makes the handler, if it is made of other operations; null if the class has it. */
  readonly patch: PlanMaking | null;
  /** The media types that the content of answers below 300 may have, as declared. */
  readonly produces: readonly string[];
  /** The same ones, each as `sentTypeOf()` names it. */
  readonly offered: OfferedTypes;
}

/** Most operations offer what others do. */
const offeredOf = /* @__PURE__ */ remembered((types) => new OfferedTypes(types === "" ? [] : types.split("\n")));

/** The members that a class may say for all of its operations. */
export const classMembers = ["audience", "deprecated", "tags"] as const;
type ClassMember = (typeof classMembers)[number];

/** The methods that select a representation (RFC 9110 §13.2.1). */
export const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

/**
 * Returns whether a resource is of the semantics module. Its class does not tell: a second copy of the package has
 * another one.
 */
function isOnLine({ resource }: Pick<MountedResource, "resource">): boolean {
  return "QUERY" in resource;
}

/** Makes the model of an operation, whose declaration was checked. */
export function operationModelOf(
  mounted: MountedResource,
  method: Method,
  declared: Operation | undefined,
  input: InputModel,
  conversions: Conversions,
): OperationModel {
  const { at } = declared ?? {};
  const declaration = declarationOf(declared ?? {}, mounted.resource.constructor as Pick<Operation, ClassMember>);
  const answers = answersOf(declared ?? {}, conversions);
  const takesPreconditions = !unconditionalMethods.has(method);
  const isPerformed = isOnLine(mounted);
  const guards = guardsOf(mounted, method, isMade(declared) ? methodsOfPatch : [method]);
  const validator = propertyOf(mounted.resource as { readonly validator?: unknown }, "validator");
  const offered = new Map<string, string>();
  answers.forEach(({ status, media }) => {
    if (status < 300) media.forEach((one) => offered.set(one.type, sentTypeOf(one)));
  });
  const access = accessModelOf(mounted, method, isMade(declared) ? guardsOf(mounted, method, [method]) : guards);
  const model = {
    mounted,
    method,
    declaration,
    isDeclared: declared !== undefined,
    isOnLine: isPerformed,
    isAt: (pattern: string): boolean =>
      at === undefined || at.includes(mounted.paths[mounted.patterns.indexOf(pattern)] as string),
    isRead: reads.has(method),
    takesPreconditions,
    isOnce: isPerformed && declaration.idempotency !== undefined,
    hasValidator: isPerformed && takesPreconditions && validator !== undefined,
    answers,
    guards,
    patch: null,
    socket: (declared?.[101] as SocketContent | undefined) ?? null,
    produces: [...offered.keys()],
    offered: offeredOf([...offered.values()].join("\n")),
  };
  // Members after a spread one cost V8 a copy of all for every three.
  return Object.assign(model, input, access);
}

/**
 * A status is an index of an object. Where it is copied to another one, V8 makes room for half as many indices again.
 */
function declarationOf(declared: Operation, ofClass: Pick<Operation, ClassMember>): Operation {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) if (!isStatus(name)) members[name] = (declared as Unchecked)[name];
  for (const name of classMembers) members[name] ??= ofClass[name];
  return members as Operation;
}

/** Returns whether 204 may be the answer to a client that prefers little, instead of a status: of 200 only. */
export function mayBeMinimal({ isRead, answers }: OperationModel, status: number): boolean {
  return status === 200 && !isRead && answers.has(204);
}

/**
 * Returns whether what a read answers has validators, of `validator()` or of its content. A stream of events has none:
 * no two are the same.
 */
export function isValidated({ isRead, hasValidator, produces, declaration, ...model }: OperationModel): boolean {
  const isOfEvents = produces.length > 0 && produces.every((type) => type === "text/event-stream");
  return model.isOnLine && isRead && !isOfEvents && (hasValidator || declaration.etag === "content");
}

/** Returns whether answers of a status may have a tag. Streams of events have none. */
export function isTagged({ answers }: OperationModel, status: number): boolean {
  const { media } = answers.get(status) ?? { media: [] };
  return media.length === 0 || media.some(({ raw }) => raw?.kind !== "events");
}

/**
 * Returns whether a read answers each user otherwise: it is guarded, or `may` decides, and it does not say that all
 * users get the same.
 */
export function isPersonal(
  { isRead, ...model }: OperationModel,
  isShared: boolean = model.declaration.shared === true,
): boolean {
  return isRead && !isShared && deciderOf(model) !== null;
}

/**
 * Names what asks for credentials, so that shared caches would give one user's answer to others. Null where nothing
 * does, or all users get the same. RFC 9111 §3.5 keeps caches from answers to `Authorization` only. A cookie does not.
 */
export function askingOf(model: OperationModel): string | null {
  return model.declaration.shared === true ? null : deciderOf(model);
}

/** Names what decides by who asks: a guard, or `may`. */
function deciderOf({ guards, declaration, method, mays }: Omit<OperationModel, "isRead">): string | null {
  return authenticatorOf(guards, declaration, method) ?? mays[0]?.place ?? null;
}
