import type { MountedPattern, RequestRunner } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import { isOwnHandler } from "../dispatch/own-handler.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import { impliedStatusesAt, placedOperationsOf, type DescribedOperation } from "./described-operation.ts";
import { isBuilt, type DescribedApplication } from "./document.ts";
import type { Template } from "./templates.ts";

/** A handler without a declaration. */
export interface UndeclaredHandler {
  /** The name of the resource class. */
  readonly resource: string;
  /** The method. */
  readonly method: string;
}

/**
 * A part of requests whose schema has no JSON Schema: all of it stays text. Or a member that takes no text that was
 * tried.
 */
export interface TextPart extends UndeclaredHandler {
  /** `path`, `query`, `headers`, `cookies`, or the media type of a form. */
  readonly part: string;
  /** Null for all of them. */
  readonly member: string | null;
}

/** Lists the parts and members of requests that stay text, each once. A member of a multipart form may be a file. */
export function textPartsOf(dispatcher: RequestRunner): TextPart[] {
  const found = new Map<string, TextPart>();
  for (const { model } of placedOperationsOf(dispatcher)) {
    const { method, mounted, path, query, headers, cookies, content } = model;
    const forms = (content?.media ?? []).map(({ type, form }) => [type, form] as const);
    for (const [part, declared] of [...Object.entries({ path, query, headers, cookies }), ...forms]) {
      if (declared === null) continue;
      const untaken = part.startsWith("multipart/") ? [] : declared.untakenMembers;
      for (const member of declared.shown === undefined ? [null] : untaken)
        found.set(`${mounted.name} ${method} ${part} ${member}`, { resource: mounted.name, method, part, member });
    }
  }
  return [...found.values()];
}

/** A status that was answered and is not declared. */
export interface UndeclaredStatus extends UndeclaredHandler {
  /** The path pattern of the request. */
  readonly pattern: string;
  /** The status code. */
  readonly status: number;
}

/** What `drift()` takes: an application with `fetch`. */
export interface FetchingApplication extends DescribedApplication {
  /** Answers a request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Finds what the document of an application lacks. */
export interface Drift {
  /**
   * The handlers that declare nothing, in the order of their resources. Handlers of `Files` and `mount()` are left out.
   */
  readonly handlers: readonly UndeclaredHandler[];
  /** The statuses that `fetch` has seen and that are not declared, each once. */
  readonly statuses: readonly UndeclaredStatus[];
  /** Answers a request as the application does, and looks at the status. It is bound. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Ends tests: fails where a handler declares nothing, or an undeclared status was seen.
   *
   * @throws {Error} which lists them all.
   */
  check(): void;
}

/**
 * Finds what the document of an application lacks: handlers without a declaration, and undeclared statuses that tests
 * see.
 *
 * @throws {TypeError} when the application was not built.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     if (path.name === "nobody") throw new HTTPError(410);
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const seen = drift(app);
 * await seen.fetch(new Request("http://localhost/hello/nobody"));
 * console.log(seen.handlers.length, seen.statuses[0]!.status); // 0 410
 * ```
 */
export function drift(app: FetchingApplication): Drift {
  if (!isBuilt(app)) {
    throw new TypeError(`Cannot look for drift: expected an application that was built, got ${described(app)}`);
  }
  return new Observation(app, app.dispatcher);
}

/**
 * Lists the handlers that declare nothing; of several templates of one resource each is one. Handlers of this package
 * are left out.
 */
export function undeclaredHandlersOf(dispatcher: RequestRunner): UndeclaredHandler[] {
  return undeclaredIn(placedOperationsOf(dispatcher));
}

/** Returns whether an application declares operations at all: where it does not, nothing drifts. */
export function hasDeclarations(dispatcher: RequestRunner): boolean {
  return placedOperationsOf(dispatcher).some(({ model }) => model.isDeclared);
}

function undeclaredIn(operations: readonly DescribedOperation[]): UndeclaredHandler[] {
  const found = new Map<string, UndeclaredHandler>();
  for (const { model } of operations) {
    const { method, mounted } = model;
    if (!model.isDeclared && !isOwnHandler(mounted.handlers[method]))
      found.set(`${method} ${mounted.name}`, { resource: mounted.name, method });
  }
  return [...found.values()];
}

class Observation implements Drift {
  readonly handlers: readonly UndeclaredHandler[];
  readonly #app: FetchingApplication;
  readonly #dispatcher: RequestRunner;
  readonly #operations: readonly DescribedOperation[];
  readonly #seen = new Map<string, UndeclaredStatus>();

  constructor(app: FetchingApplication, dispatcher: RequestRunner) {
    this.#app = app;
    this.#dispatcher = dispatcher;
    this.#operations = placedOperationsOf(dispatcher);
    this.handlers = undeclaredIn(this.#operations);
  }

  get statuses(): readonly UndeclaredStatus[] {
    return [...this.#seen.values()];
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const response = await this.#app.fetch(request);
    const match = this.#dispatcher.match(request, request.url);
    if (match instanceof PathMatch) this.#look(match, request.method, response.status);
    return response;
  };

  check(): void {
    const faults = [
      ...this.handlers.map(({ method, resource }) => `${method} of ${resource} declares nothing`),
      ...this.statuses.map(
        ({ method, resource, status, pattern }) => `${method} ${pattern} of ${resource} answered ${status}`,
      ),
    ];
    if (faults.length > 0) throw new Error(`Cannot trust the document: ${faults.join("; ")}`);
  }

  #look(match: PathMatch<MountedPattern>, method: string, status: number): void {
    const { mounted } = match.value;
    // A method that is not there is 405, or OPTIONS: no operation says so. HEAD is answered by GET.
    const named = this.#operationOf(match, method);
    const operation = named ?? (method === "HEAD" ? this.#operationOf(match, "GET") : undefined);
    if (operation === undefined || !operation.model.isDeclared || isDeclared(operation, status)) return;
    const pattern = match.source;
    this.#seen.set(`${method} ${pattern} ${status}`, { resource: mounted.name, method, pattern, status });
  }

  /**
   * Finds the operation at the template whose params the path has. Where one template has several operations, the first
   * counts.
   */
  #operationOf(match: PathMatch<MountedPattern>, method: string): DescribedOperation | undefined {
    const own = this.#operations.filter(
      ({ model }) => model.mounted === match.value.mounted && model.method === method,
    );
    const place = own.findLast(({ source, template }) => source === match.source && isTemplateOf(template, match));
    return own.find(({ template }) => template.shape === place?.template.shape);
  }
}

/** A rest is in the only template that its pattern has, also where the path has no segment for it. */
function isTemplateOf({ params }: Template, match: PathMatch<MountedPattern>): boolean {
  return params.every(({ name, isRest }) => isRest || match.param(name, false) !== undefined);
}

function isDeclared(operation: DescribedOperation, status: number): boolean {
  const { answers, guards } = operation.model;
  return (
    answers.has(status) ||
    impliedStatusesAt(operation).includes(status) ||
    guards.some((guard) => guard.answers.has(status))
  );
}
