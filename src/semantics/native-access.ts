import { answersAlike, type Handler, type MountedResource } from "../dispatch/mounted-resource.ts";
import { isOwnHandler, markOwn } from "../dispatch/own-handler.ts";
import { after } from "../http/javascript/thenable.ts";
import type { Conversions } from "../json-schema/library/conversions.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import type { Method } from "./declaration/operation.ts";
import { accessOf, type Access } from "./line/access.ts";
import type { LineRequest } from "./line/line-call.ts";
import { saysWhoMay } from "./operation/access-model.ts";
import { refuseUnfitAccess, refuseUnfitStatics } from "./operation/access-rules.ts";
import type { Unchecked } from "./operation/content-refusals.ts";
import { noInput } from "./operation/input-model.ts";
import { operationModelOf, type OperationModel } from "./operation/operation-model.ts";

/** Makes a model of each handler of a resource that is not on the line: who may use it, and its guards. */
export function nativeModelsOf(mounted: MountedResource, conversions: Conversions): OperationModel[] {
  return mounted.methods.map((method) => operationModelOf(mounted, method as Method, undefined, noInput, conversions));
}

/**
 * Puts the question who may before the handlers of a resource that is not on the line, such as files or a mounted
 * framework. The handler of OPTIONS of a resource of this package says what there is, to everybody.
 * @throws {TypeError} when what the class says cannot work.
 */
export function askNative(mounted: MountedResource, conversions: Conversions): void {
  if (!saysWhoMay(mounted)) return;
  const { name, resource } = mounted;
  refuseUnfitStatics(resource.constructor as unknown as Unchecked, name, []);
  const handlers = Object.setPrototypeOf({ ...mounted.handlers }, null) as Record<string, Handler | null>;
  const models = nativeModelsOf(mounted, conversions);
  for (const model of models) {
    refuseUnfitAccess(model);
    const access = accessOf(model);
    mounted.isAsked ||= model.mays.length > 0;
    if (access === null || (model.method === "OPTIONS" && answersAlike in resource)) continue;
    // HEAD may have been made of GET.
    const isOfGet = model.method === "GET" && !mounted.methods.includes("HEAD");
    for (const method of isOfGet ? ["GET", "HEAD"] : [model.method]) {
      const handler = handlers[method];
      if (handler) handlers[method] = askedBefore(handler, access);
    }
  }
  mounted.handlers = handlers;
}

function askedBefore(handler: Handler, access: Access): Handler {
  const asked: Handler = function (input) {
    return after(access.isHiddenFrom(input as LineRequest), (isHidden) => {
      if (isHidden) throw refusal(Status.NotFound);
      return handler.call(this, input);
    });
  };
  if (isOwnHandler(handler)) markOwn(asked);
  return asked;
}
