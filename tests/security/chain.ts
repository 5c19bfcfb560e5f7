import type { Attribute, Decision, HTTPError, Input, ResourceModel, Status } from "fingerpost/modules/http.native.js";

export interface ResourceShape {
  paths: readonly string[];
  CONNECT(input: unknown): unknown;
  DELETE(input: unknown): unknown;
  GET(input: unknown): unknown;
  HEAD(input: unknown): unknown;
  OPTIONS(input: unknown): unknown;
  PATCH(input: unknown): unknown;
  POST(input: unknown): unknown;
  PUT(input: unknown): unknown;
  TRACE(input: unknown): unknown;
}

export interface MiddlewareShape {
  next(input: unknown): unknown;
}

export interface ApplicationShape {
  readonly handle: (input: unknown) => Promise<unknown>;
  readonly resources: readonly ResourceModel[];
  match(input: Input): Decision;
}

export interface NativeApplicationShape extends ApplicationShape {
  readonly fetch: (input: never) => Promise<Response>;
}

export interface Builder<App extends ApplicationShape = ApplicationShape> {
  resources(...members: readonly unknown[]): this;
  middleware(...classes: readonly unknown[]): this;
  instantiate(instantiate: unknown): this;
  trailingSlash(trailingSlash: unknown): this;
  build(): App;
}

export interface GroupBuilder {
  resources(...members: readonly unknown[]): this;
  middleware(...classes: readonly unknown[]): this;
  prefix(...prefixes: readonly string[]): this;
  build(): object;
}

/** What a module of the package exports, of whichever copy: the loose form that a hostile program sees. */
export interface Chain {
  readonly Application: { builder(): Builder };
  readonly Resource: new () => ResourceShape;
  readonly ResourceGroup: { builder(): GroupBuilder };
  readonly Middleware: new () => MiddlewareShape;
  readonly Attribute: typeof Attribute;
  readonly HTTPError: typeof HTTPError;
  readonly Status: typeof Status;
}

/** Both modules of one copy of the package. */
export interface Chains {
  readonly native: Omit<Chain, "Application"> & {
    readonly Application: { builder(): Builder<NativeApplicationShape> & { onError(observe: () => void): unknown } };
  };
  readonly polyfill: Chain;
}

/** What a handler is given. */
export interface Handled extends Input {
  readonly params: {
    readonly pattern: string;
    pathParam(name: string): string | undefined;
    queryParam(name: string): string | undefined;
    queryParams(name: string): string[];
  };
}

/** A Web Request where there can be one: its constructor refuses or changes some methods and targets. */
export function requestOf(method: string, target: string): Handled {
  const url = target.startsWith("/") ? `http://localhost${target}` : target;
  try {
    const request = new Request(url, { method });
    // The Request of workerd leaves lone surrogates in its URL, which no client can send.
    if (request.method === method && request.url === new URL(url).href) return request as unknown as Handled;
  } catch {
    // A host that has such a request passes an object of its own.
  }
  return { url: target, method } as Handled;
}

/** The least that a runtime of the polyfill chain passes. */
export function contextOf(method: string, target: string): Handled {
  return { url: target, method, request: {}, response: {} } as unknown as Handled;
}

/** What came of an input: a value, a status, or an error that nobody expects. */
export async function outcomeOf({ HTTPError }: Chain, answer: Promise<unknown>): Promise<string> {
  try {
    return String(await answer);
  } catch (error) {
    return error instanceof HTTPError ? `${error.status}` : `unexpected ${String(error)}`;
  }
}
