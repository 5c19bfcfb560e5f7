import type { MountedResource, RequestRunner } from "../../dispatch/mounted-resource.ts";
import type { Params } from "../../dispatch/params.ts";

/**
 * Makes the plan of each operation of a class that has a PATCH made of others, from the plan that it has without.
 * `patch()` brings it: a bundle without it does not hold it.
 */
export type PlanMaking = (plan: object, mounted: MountedResource, dispatcher: RequestRunner) => object;

/** Makes the handler of PATCH of a resource: it answers with the response of PUT. */
export type PatchHandlerFor = (resource: PatchedResource) => (call: PatchCall) => Promise<Response>;

interface PatchedResource {
  readonly mounted: MountedResource;
  readonly dispatcher: RequestRunner;
  /** Whether a request has preconditions of its own. */
  readonly isConditional: (call: PatchCall) => boolean;
  /** Refuses a tag of GET that is not of the version which a call was weighed by. @throws {HTTPError} 412. */
  readonly weigh: (call: PatchCall, etag: string) => void;
}

/** The parts of a call that PATCH needs. */
export interface PatchCall {
  readonly request: Request & { readonly params: Params };
  readonly content: unknown;
  readonly contentType: string;
  /** The version that `validator()` returned; null if it was not asked. */
  readonly version: string | null;
}

/** The requests that a PATCH has made, and what it learns of them. `may` was asked for PATCH. */
export const requestsOfPatch: WeakMap<object, RequestOfPatch> = new WeakMap();

export interface RequestOfPatch {
  /** The version that `validator()` returned; `undefined` where it was not asked about this request. */
  version: string | null | undefined;
}

/** The methods whose middleware runs for a PATCH that is made of others, in this order. */
export const methodsOfPatch: readonly string[] = ["PATCH", "GET", "PUT"];

/** Returns whether an operation is made of others: no method of the class performs it. */
export function isMade(declaration: unknown): boolean {
  return Object(declaration) === declaration && "~patch" in (declaration as object);
}
