import { described } from "../http/described.ts";
import { answerOf, type Application } from "./application.ts";
import { errorResponse, isServerFault, print, withFields } from "./error-response.ts";

/**
 * Observes an error that ended a request, and may answer it with a response of its own.
 *
 * @param input what `fetch` was given.
 */
export type OnError = (error: unknown, input: Request) => Response | void | Promise<Response | void>;

/** Has an application answer a request, errors included: never rejects, always fulfills with a `Response`. */
export async function respond(application: Application, request: Request, onError: OnError): Promise<Response> {
  try {
    let result = answerOf(application, request);
    // PERF: what is there need not be waited for (`bench/http`, fingerpost light).
    if (!isResponse(result)) result = await result;
    if (!isResponse(result)) throw notAResponse(application, request, result);
    return result;
  } catch (error) {
    const response = (await observed(onError, error, request)) ?? errorResponse(error);
    const fields = application.errorFieldsOf(request);
    return fields === null ? response : responseWith(fields, response);
  }
}

/** Without an `onError`, what is the server's fault is written to the console. */
export function reportServerFault(error: unknown): void {
  if (isServerFault(error)) print(error);
}

async function observed(onError: OnError, error: unknown, request: Request): Promise<Response | null> {
  try {
    const response = await onError(error, request);
    if (isResponse(response)) return response;
  } catch (fault) {
    // An observer that fails must not cost the client its answer, nor the host either error.
    print(error);
    print(fault);
  }
  return null;
}

function responseWith(fields: Headers, response: Response): Response {
  try {
    return withFields(response, fields);
  } catch (fault) {
    // What an observer answered with was read already, or has a status that no response can have.
    print(fault);
    return withFields(errorResponse(fault), fields);
  }
}

// By what it does, not by its class: a server may bring a light Response of its own.
function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true;
  if (typeof value !== "object" || value === null || value instanceof Error) return false;
  const { status, headers, arrayBuffer } = value as Partial<Response>;
  return typeof status === "number" && typeof headers === "object" && typeof arrayBuffer === "function";
}

function notAResponse(application: Application, request: Request, result: unknown): TypeError {
  const decision = application.match(request);
  const name = decision.resource?.name ?? "the application";
  const method = request.method.slice(0, 80);
  return new TypeError(`Cannot respond to ${method}: expected a Response from ${name}, got ${described(result)}`);
}
