import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { ApplicationBuilder } from "../../src/application/application-builder.ts";
import type { Application } from "../../src/application/application.ts";
import type { Params } from "../../src/dispatch/params.ts";
import type { Resource } from "../../src/application/resource.ts";

/** What a handler is given, whichever chain it came in by. */
export interface Handled {
  readonly url: string;
  readonly method: string;
  readonly params: Params;
}

/** A module of the package, as the one suite uses it. */
export interface Chain {
  readonly name: string;
  readonly Application: { builder(): ApplicationBuilder<Application> };
  readonly Resource: typeof Resource<unknown>;
  /** What a runtime of this chain passes for a request target. */
  inputOf(method: string, target: string): Handled;
}

export const chains: readonly Chain[] = [
  { name: "http.native.js", Application: native.Application, Resource: native.Resource, inputOf: requestOf },
  { name: "http.polyfill.js", Application: polyfill.Application, Resource: polyfill.Resource, inputOf: contextOf },
];

/** An application with these resources, asked by method and target. */
export function ask(chain: Chain, ...classes: readonly (new () => Resource)[]) {
  const app = chain.Application.builder()
    .resources(...classes)
    .build();
  return (method: string, target: string): Promise<unknown> => app.handle(chain.inputOf(method, target));
}

/** The status a promise rejects with; whatever else happens is given as it is. */
export async function statusOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    return error instanceof native.HTTPError ? error.status : error;
  }
}

/** What a promise rejects with. */
export async function rejectionOf(answer: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await answer;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${String(value)}`);
}

/** What a function throws. */
export function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected an error, nothing was thrown");
}

/** A Web Request where there can be one: its constructor refuses or changes some methods and targets. */
function requestOf(method: string, target: string): Handled {
  const url = target.startsWith("/") ? `http://localhost${target}` : target;
  try {
    const request = new Request(url, { method });
    if (request.method === method) return request as unknown as Handled;
  } catch {
    // A host that has such a request passes an object of its own.
  }
  return { url: target, method } as Handled;
}

function contextOf(method: string, target: string): Handled {
  return { url: target, method, request: {}, response: {} } as unknown as Handled;
}
