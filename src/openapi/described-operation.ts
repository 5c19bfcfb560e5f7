import { describing, type MountedResource, type RequestRunner } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { operationsOf } from "../semantics/operation/reading.ts";
import { impliedStatusesOf } from "../semantics/operation/steps.ts";
import type { DocumentOptions, OperationSummary } from "./document-options.ts";
import { templatesOf, type Template } from "./templates.ts";

/** A method of a resource at one template: an operation of the document. */
export interface DescribedOperation {
  readonly model: OperationModel;
  /** The path pattern that the template is of. */
  readonly source: string;
  readonly template: Template;
  /**
   * Operations of other resources at the same template, which the text of the params chooses. OpenAPI has one place for
   * all.
   */
  readonly rivals: readonly DescribedOperation[];
}

/** Lists the statuses that an operation answers without declaring them. */
export function impliedStatusesAt({ model, template: { params } }: DescribedOperation): readonly number[] {
  const isConstrained = params.some(({ expression }) => expression !== null);
  return impliedStatusesOf(model, { hasParams: params.length > 0, isConstrained });
}

/**
 * Lists the operations of an application, in the order in which its resources and their patterns were added. Of those
 * at one template, the one that is matched first has the others as its rivals.
 * @param only which of them; `undefined` for all.
 * @throws {TypeError} when it is a group that is not in the application.
 */
export function describedOperationsOf(dispatcher: RequestRunner, only?: DocumentOptions["only"]): DescribedOperation[] {
  const byPlace = new Map<string, DescribedOperation[]>();
  for (const operation of chosen(placedOperationsOf(dispatcher), only)) {
    const { model, template } = operation;
    const key = `${model.method} ${template.shape}`;
    const there = byPlace.get(key);
    if (there === undefined) byPlace.set(key, [operation]);
    else if (there.every((one) => one.model.mounted !== model.mounted)) there.push(operation);
  }
  return Array.from(byPlace.values(), (there) => {
    const [first, ...rivals] = there.toSorted((one, other) => byPrecedence(one.template, other.template));
    return { ...first!, rivals };
  });
}

/** Chooses before rivals are looked for: what is left out is not spoken of. */
function chosen(
  operations: readonly DescribedOperation[],
  only: DocumentOptions["only"],
): readonly DescribedOperation[] {
  if (only === undefined) return operations;
  if (typeof only === "function") return operations.filter((operation) => only(summaryOf(operation)));
  const inGroup = operations.filter(({ model: { mounted }, source }) =>
    mounted.groups[mounted.patterns.indexOf(source)]!.includes(only),
  );
  if (inGroup.length > 0) return inGroup;
  throw new TypeError(
    "Cannot describe the application: it has no operation of the group of the prefixes " +
      `${described(only.prefixes.join(", "))}; pass the group that was added by resources()`,
  );
}

function summaryOf({ model: { method, mounted, declaration }, template }: DescribedOperation): OperationSummary {
  const { tags = [mounted.name], audience, deprecated = false } = declaration;
  return { method, path: template.text, resource: mounted.name, tags, audience, isDeprecated: deprecated !== false };
}

/**
 * Orders templates of one shape as they are matched: params with expressions first, a rest last. Registration does not
 * matter.
 */
export function byPrecedence(one: Template, other: Template): number {
  const [own, others] = [one, other].map(({ params }) =>
    params.map(({ expression, isRest }) => (isRest ? 2 : expression === null ? 1 : 0)).join(""),
  ) as [string, string];
  return own < others || (own === others && one.text < other.text) ? -1 : 1;
}

/**
 * Lists the operations of an application at each template of each pattern. A document holds the first of those at one
 * template.
 */
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

interface MatchingTemplate {
  readonly source: string;
  readonly template: Template;
}

/**
 * Returns the templates that requests reach. Where several patterns of a resource match the same paths, requests reach
 * the first one, and the others have no operations there.
 */
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
