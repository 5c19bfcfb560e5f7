import type { MountedResource, RequestRunner } from "../../dispatch/mounted-resource.ts";
import { RequestFields } from "../../fields/request-fields.ts";
import { isAnySent } from "../../fields/request-preconditions.ts";
import { after } from "../../http/javascript/thenable.ts";
import { requestsOfPatch, type PatchCall, type PatchHandlerFor } from "../operation/made-operation.ts";
import type { Plan } from "./plan.ts";
import { isModified } from "./request-conditions.ts";

/**
 * Adds to the plan of a PATCH the handler that is made of GET and PUT. Each asks `validator()` once for it: the patch
 * learns the version that GET read, and PUT asks when its handler begins.
 */
export function madePlan(
  patch: PatchHandlerFor,
  plan: Plan,
  mounted: MountedResource,
  dispatcher: RequestRunner,
): Plan {
  const { model, preconditionsOf, validatorsOf } = plan;
  if (model.patch === null) {
    return {
      ...plan,
      validatorsOf: (call) =>
        after(validatorsOf(call), (weighed) => {
          const ofPatch = requestsOfPatch.get(call.request);
          if (ofPatch !== undefined) ofPatch.version = call.version;
          return weighed;
        }),
      asksLate: (request) => !model.isRead && requestsOfPatch.has(request),
    };
  }
  const handler = patch({
    mounted,
    dispatcher,
    isConditional: ({ request }) => isAnySent(preconditionsOf(new RequestFields(request))),
    weigh: ({ version }, etag) => {
      const ofTag = preconditionsOf({ get: (name) => (name === "if-match" ? etag : null) });
      isModified(model, ofTag, { etag: { isWeak: false, opaque: version! }, lastModified: null });
    },
  });
  return {
    ...plan,
    isMade: true,
    asksLate: (_request, sent) => model.declaration.precondition !== true && !isAnySent(sent),
    handler: (call) => handler(call as PatchCall),
  };
}
