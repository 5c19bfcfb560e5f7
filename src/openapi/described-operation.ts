import type { MountedResource, RequestRunner } from "../dispatch/mounted-resource.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { operationsOf } from "../semantics/operation/reading.ts";
import { impliedStatusesOf } from "../semantics/operation/steps.ts";
import { templatesOf, type Template } from "./templates.ts";

/** A method of a resource at one template: an operation of the document. */
export interface DescribedOperation {
  readonly model: OperationModel;
  /** The path pattern that the template is of. */
  readonly source: string;
  readonly template: Template;
  /** Patterns that have the same template and method, of which OpenAPI can hold one. */
  readonly rivals: string[];
}

/** Lists the statuses that an operation answers without declaring them. */
export function impliedStatusesAt({ model, template: { params } }: DescribedOperation): readonly number[] {
  const isConstrained = params.some(({ expression }) => expression !== null);
  return impliedStatusesOf(model, { hasParams: params.length > 0, isConstrained });
}

/** Marks the resource classes that describe the application: the description leaves them out. */
export const describing: unique symbol = Symbol.for("fingerpost.describing") as never;

/** Lists the operations of an application, in the order in which its resources and their patterns were added. */
export function describedOperationsOf(dispatcher: RequestRunner): DescribedOperation[] {
  const seen = new Map<string, DescribedOperation>();
  return placedOperationsOf(dispatcher).filter((operation) => {
    const { model, template, source } = operation;
    const key = `${model.method} ${template.shape}`;
    const rival = seen.get(key);
    if (rival === undefined) seen.set(key, operation);
    else if (rival.model.mounted !== model.mounted) rival.rivals.push(`${source} of ${model.mounted.name}`);
    return rival === undefined;
  });
}

/** Lists the operations of an application at each template of each pattern. A document holds the first of those at one template. */
export function placedOperationsOf(dispatcher: RequestRunner): DescribedOperation[] {
  const shown = dispatcher.resources.filter(({ resource }) => !(describing in resource));
  return shown.flatMap((mounted) => {
    const models = [...operationsOf(mounted).values()];
    return matchingTemplatesOf(mounted, dispatcher.trailingSlash === "strict").flatMap(({ source, template }) =>
      models
        .filter((model) => model.isAt(source))
        .map((model): DescribedOperation => ({ model, source, template, rivals: [] })),
    );
  });
}

/** A template that paths match, with its pattern. */
interface MatchingTemplate {
  readonly source: string;
  readonly template: Template;
}

/** Of several patterns of a resource that match the same paths, the first one is matched. The others have no operations there. */
function matchingTemplatesOf({ patterns }: MountedResource, isStrict: boolean): MatchingTemplate[] {
  const seen = new Set<string>();
  return patterns.flatMap((source) =>
    templatesOf(parsePathPattern(source)).flatMap((template) => {
      const { shape, params } = template;
      const text = isStrict ? shape : shape.replace(/\/$/, "");
      const key = JSON.stringify([text, ...params.map(({ expression, isRest }) => [expression, isRest])]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ source, template }];
    }),
  );
}
