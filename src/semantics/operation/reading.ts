import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { described } from "../../http/javascript/described.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import type { Method, Operation } from "../declaration/operation.ts";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { checkAnswers } from "./answer-check.ts";
import type { Unchecked } from "./content-refusals.ts";
import { noInput, type PartModel } from "./input-model.ts";
import { readInputModel } from "./input-reading.ts";
import { isMade } from "./made-operation.ts";
import { refuseUnfitAccess, refuseUnfitStatics } from "./access-rules.ts";
import { refuseUnfitMembers } from "./member-rules.ts";
import { semanticMethods } from "./members.ts";
import { classMembers, operationModelOf, type OperationModel } from "./operation-model.ts";
import type { PatchMaking } from "./patch-making.ts";
import { refuseStrays, staticNamesOf } from "./stray-operations.ts";

const operations = new WeakMap<MountedResource, ReadonlyMap<string, OperationModel>>();

/**
 * Returns the operations of a resource, by method: one for each that it implements. They are read once, by `build()`
 * for resources of the semantics module, else on first use.
 * @throws {TypeError} when a declaration of its class cannot work.
 */
export function operationsOf(mounted: MountedResource): ReadonlyMap<string, OperationModel> {
  const { methods } = mounted;
  return operations.get(mounted) ?? readOperations(mounted, (method) => methods.includes(method), new Conversions());
}

/**
 * Reads what the class of a resource declares. Refuses declarations that cannot work, naming class, method and member.
 * @throws {TypeError} which says what to write.
 */
export function readOperations(
  mounted: MountedResource,
  isImplemented: (method: Method) => boolean,
  conversions: Conversions,
): ReadonlyMap<string, OperationModel> {
  const { name, resource, params } = mounted;
  const Class = resource.constructor as unknown as Unchecked;
  const { paths } = resource as { readonly paths: readonly unknown[] };
  refuseUnfitStatics(Class, name, classMembers);
  const validator = propertyOf(resource as { readonly validator?: unknown }, "validator");
  if (validator !== undefined && typeof validator !== "function") {
    throw new TypeError(
      `Cannot add ${name} to the application: its validator is ${described(validator)}; write validator(call) { … }`,
    );
  }
  const statics = staticNamesOf(Class);
  const models = new Map<string, OperationModel>();
  for (const method of semanticMethods) {
    const isThere = isImplemented(method);
    const operation = statics.includes(method) ? Class[method] : undefined;
    if (operation !== undefined) {
      const cannot = `Cannot add ${name} to the application: static ${method}`;
      if (typeof operation !== "object" || operation === null) {
        throw new TypeError(`${cannot} must be an operation, got ${described(operation)}; write { 200: … }`);
      }
      const isOfOthers = isMade(operation);
      if (isOfOthers && method !== "PATCH") {
        throw new TypeError(
          `${cannot} is made by patch(), which makes PATCH; write static PATCH = patch(this.GET, this.PUT)`,
        );
      }
      if (isOfOthers && isThere) {
        throw new TypeError(`${cannot} is made by patch(), and the class has a method PATCH; leave out one of them`);
      }
      if (!isThere && !isOfOthers) {
        throw new TypeError(`${cannot} is declared and ${method} is not implemented; write ${method}(call) { … }`);
      }
      checkAnswers(operation as Unchecked, cannot, conversions);
      const input = readInputModel(operation as Unchecked, cannot, conversions);
      checkPaths(operation as Unchecked, input.path, cannot, paths, params);
      const model = operationModelOf(mounted, method, operation as Operation, input, conversions);
      refuseUnfitMembers(model, validator !== undefined);
      models.set(method, model);
    } else if (isThere) models.set(method, operationModelOf(mounted, method, undefined, noInput, conversions));
  }
  const patched = models.get("PATCH")?.declaration as { readonly "~patch"?: PatchMaking } | undefined;
  patched?.["~patch"]?.(models, conversions);
  for (const model of models.values()) refuseUnfitAccess(model);
  refuseStrays(Class, statics, name);
  operations.set(mounted, models);
  return models;
}

function checkPaths(
  { at }: Unchecked,
  path: PartModel | null,
  cannot: string,
  paths: readonly unknown[],
  params: readonly string[],
): void {
  const missing = path?.required.find((name) => !params.includes(name));
  if (missing !== undefined) {
    const known = [...new Set(params)].map(described).join(", ").slice(0, 200);
    throw new TypeError(
      `${cannot} has a path with ${described(missing)}, which no path of the class has; write ` +
        `${known === "" ? `a path such as ${described(`/:${missing}`)}` : `one of ${known}`}`,
    );
  }
  if (at === undefined) return;
  const wrong = Array.isArray(at) ? (at as unknown[]).find((one) => !paths.includes(one)) : at;
  if (!Array.isArray(at) || at.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `${cannot} is at ${wrong === undefined ? "nothing" : described(wrong)}, which is no path of the class; write ` +
        `one of ${paths.map(described).join(", ").slice(0, 200)}`,
    );
  }
}
