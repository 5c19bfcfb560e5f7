import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { unconditionalMethods } from "../fields/preconditions.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import { checkDeclarations } from "../semantics/declaration/declaration-check.ts";
import type { Method, Operation } from "../semantics/declaration/operation.ts";
import { isSchema } from "../semantics/content/standard-schema.ts";
import { isRawContent } from "../semantics/declaration/raw-content.ts";
import { contentDeclarationOf, type ContentDeclaration } from "../semantics/line/input-plan.ts";
import { mediaOf, type Media } from "../semantics/line/media.ts";
import { reads } from "../semantics/line/plan.ts";
import { templatesOf, type Template } from "./templates.ts";

/** A method of a resource at one template: an operation of the document. */
export interface DescribedOperation {
  readonly method: string;
  /** The path pattern that the template is of. */
  readonly source: string;
  readonly template: Template;
  readonly mounted: MountedResource;
  readonly plan: DescribedPlan;
  /** Whether the line performs it, rather than a handler of the native or the polyfill chain. */
  readonly isOnLine: boolean;
  /** The middleware classes that run for it, outermost first. */
  readonly guards: readonly object[];
  /** Patterns that have the same template and method, of which OpenAPI can hold one. */
  readonly rivals: string[];
}

/**
 * A declared operation, without what reads requests and writes answers.
 *
 * PERF: its conversions of schemas would double the time of a document (`node bench/document.js`).
 */
export interface DescribedPlan {
  readonly method: Method;
  readonly operation: Operation;
  /** Whether the class declares the operation. */
  readonly isDeclared: boolean;
  readonly isRead: boolean;
  readonly takesPreconditions: boolean;
  readonly content: ContentDeclaration | null;
  readonly answers: ReadonlyMap<number, readonly Media[]>;
  /** The media types that the content of answers below 300 may have, as declared. */
  readonly produces: readonly string[];
}

/** Marks the resource classes that describe the application: the description leaves them out. */
export const describing: unique symbol = Symbol.for("fingerpost.describing") as never;

/** Lists the operations of an application, in the order in which its resources and their patterns were added. */
export function describedOperationsOf(dispatcher: Dispatcher): DescribedOperation[] {
  const seen = new Map<string, DescribedOperation>();
  return placedOperationsOf(dispatcher).filter((operation) => {
    const { method, template, mounted, source } = operation;
    const key = `${method} ${template.shape}`;
    const rival = seen.get(key);
    if (rival === undefined) seen.set(key, operation);
    else if (rival.mounted !== mounted) rival.rivals.push(`${source} of ${mounted.name}`);
    return rival === undefined;
  });
}

/** Lists the operations of an application at each template of each pattern. A document holds the first of those at one template. */
export function placedOperationsOf(dispatcher: Dispatcher): DescribedOperation[] {
  const shown = dispatcher.resources.filter(({ resource }) => !(describing in resource));
  return shown.flatMap((mounted) => {
    const plans = plansOf(mounted);
    return matchingTemplatesOf(mounted, dispatcher.trailingSlash === "strict").flatMap(({ source, path, template }) =>
      plans
        .filter(({ operation: { at } }) => at === undefined || at.includes(path))
        .map((plan): DescribedOperation => {
          const { method } = plan;
          const guards = mounted.chain
            .filter(({ handlers }) => handlers[method] ?? handlers["ALL"])
            .map(({ middleware }) => middleware.constructor);
          return { method, source, template, mounted, plan, isOnLine: isOnLine(mounted), guards, rivals: [] };
        }),
    );
  });
}

/** A template that paths match, with the path of the class that it is of. */
interface MatchingTemplate {
  readonly source: string;
  readonly path: string;
  readonly template: Template;
}

/** Of several patterns of a resource that match the same paths, the first one is matched. The others have no operations there. */
function matchingTemplatesOf({ patterns, paths }: MountedResource, isStrict: boolean): MatchingTemplate[] {
  const seen = new Set<string>();
  return patterns.flatMap((source, at) =>
    templatesOf(parsePathPattern(source)).flatMap((template) => {
      const { shape, params } = template;
      const text = isStrict ? shape : shape.replace(/\/$/, "");
      const key = JSON.stringify([text, ...params.map(({ expression, isRest }) => [expression, isRest])]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ source, path: paths[at] as string, template }];
    }),
  );
}

/** The resources of the semantics chain have a tenth method. It is not told by the class, of which a second copy may be there. */
function isOnLine({ resource }: MountedResource): boolean {
  return "QUERY" in resource;
}

function plansOf(mounted: MountedResource): DescribedPlan[] {
  const { resource, methods } = mounted;
  const Class = resource.constructor as unknown as Readonly<Record<string, unknown>>;
  // The semantics chain has checked its declarations already.
  if (!isOnLine(mounted)) {
    checkDeclarations(Class, mounted, (method) => methods.includes(method));
  }
  return methods.map((method): DescribedPlan => {
    const operation = Class[method] as Operation | undefined;
    const answers = new Map(
      Object.entries(operation ?? {})
        .filter(([member]) => isStatus(member))
        .map(([status, answer]) => [Number(status), mediaIn(answer)]),
    );
    const types = [...answers].flatMap(([status, media]) => (status < 300 ? media.map(({ type }) => type) : []));
    return {
      method: method as Method,
      operation: operation ?? {},
      isDeclared: operation !== undefined,
      isRead: reads.has(method),
      takesPreconditions: !unconditionalMethods.has(method),
      content: contentDeclarationOf(operation?.content),
      answers,
      produces: [...new Set(types)],
    };
  });
}

function isStatus(member: string): boolean {
  return /^\d/.test(member);
}

function mediaIn(answer: unknown): readonly Media[] {
  if (isSchema(answer) || isRawContent(answer)) return mediaOf(answer);
  const { content } = (typeof answer === "string" ? {} : answer) as {
    readonly content?: Parameters<typeof mediaOf>[0];
  };
  return content === undefined ? [] : mediaOf(content);
}
