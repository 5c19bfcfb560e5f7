import { isEssential, LoadLimit, type LoadOptions } from "../../dispatch/load-limit.ts";
import type { MountedPattern } from "../../dispatch/mounted-resource.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import type { NodeRequest } from "./client-leave.ts";
import type { Shaping } from "./refusing.ts";

/** Limits the requests that an application has under way: what its resources are is asked of the application. */
export function limitOf(
  app: { readonly dispatcher?: Shaping },
  { maxRequests = 500, maxLoopDelayMs }: LoadOptions,
): LoadLimit {
  const shaping = propertyOf(app, "dispatcher");
  return new LoadLimit("serve()", { maxRequests, maxLoopDelayMs }, (request) => {
    const { url = "" } = request as NodeRequest;
    const found = shaping?.match?.(request, url) as { readonly value?: MountedPattern } | undefined;
    return isEssential(found?.value?.mounted.resource ?? null);
  });
}
