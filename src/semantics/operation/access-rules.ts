import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { described } from "../../http/javascript/described.ts";
import { wrapped } from "../../json-schema/shape/member-conversion.ts";
import { isProblemContent } from "../declaration/problem-content.ts";
import { reply, type Reply } from "../declaration/reply.ts";
import type { AnswerModel } from "./answer-model.ts";
import { authenticates, type GuardModel } from "./guards-model.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Refuses what nobody could pass, or everybody could: scopes that no guard grants, and guards that grant to nobody
 * knows whom.
 * @throws {TypeError} which says what to write.
 */
export function refuseUnfitAccess(model: OperationModel): void {
  const { mounted, method, guards, grantors, scopes, declaration } = model;
  const cannot = `Cannot add ${mounted.name} to the application:`;
  for (const guard of grantors) refuseUnfitGuard(guard, guards, cannot);
  const operation = `${cannot} static ${method}`;
  if (scopes.length > 0 && grantors.length === 0) {
    const around = guards.map(({ name }) => name).join(", ") || "there is none";
    throw new TypeError(
      `${operation} needs the scopes ${scopes.map(described).join(", ")}, and no guard that runs for ${method} ` +
        `grants any (${around}); write scopesOf in its options, or static grants and static identity in its class`,
    );
  }
  if (declaration.anonymous === true) {
    const closed = scopes.length > 0 ? "needs scopes" : guards.find(isClosed);
    if (closed !== undefined) {
      const why = typeof closed === "string" ? closed : `is behind ${closed.name}, which lets nobody through unknown`;
      throw new TypeError(`${operation} is anonymous and ${why}; leave one of them out`);
    }
  }
  if (!model.mays.some(({ hides }) => hides) || hiddenReplyOf(model) !== undefined) return;
  throw new TypeError(
    `${operation} hides what is there by 404, whose content its handler writes; declare 404 as a text, or leave ` +
      "hides out",
  );
}

/** Whether a guard refuses requests of nobody knows whom. */
function isClosed(guard: GuardModel): boolean {
  return authenticates(guard) && !guard.isOptional;
}

function refuseUnfitGuard(guard: GuardModel, guards: readonly GuardModel[], cannot: string): void {
  const { grants, identity } = guard.granting!;
  if (typeof grants !== "function") {
    throw new TypeError(`${cannot} static grants of ${guard.name} is ${described(grants)}; write (identity) => [ … ]`);
  }
  if (typeof Object(identity).find !== "function") {
    throw new TypeError(
      `${cannot} ${guard.name} grants scopes and does not say to whom; write static identity, the Attribute that it ` +
        "sets",
    );
  }
  const other = guards.find(
    ({ sets, granting }) => sets === identity || (granting?.identity === identity && granting.grants !== grants),
  );
  if (other === undefined) return;
  throw new TypeError(
    `${cannot} ${guard.name} and ${other.name} set the same identity, so that one would grant scopes to whom the ` +
      "other found; give each an Attribute of its own",
  );
}

/**
 * Returns the 404 by which an operation hides what is there: what a handler would return. Null where 404 is not
 * declared, `undefined` where only the handler knows its content.
 */
export function hiddenReplyOf({
  answers,
}: {
  readonly answers: ReadonlyMap<number, AnswerModel>;
}): Reply | null | undefined {
  const declared = answers.get(404);
  if (declared === undefined) return null;
  const { isProblem, media, headers } = declared;
  if (headers.length > 0) return undefined;
  if (isProblem) return reply(404);
  const schema: unknown = media[0]?.schema;
  const isWhole = typeof schema === "function" && isProblemContent(schema);
  return isWhole && (Reflect.get(schema, wrapped) as unknown[]).length === 0
    ? (schema as unknown as () => Reply)()
    : undefined;
}

/**
 * Refuses operations that nobody guards, and that are not anonymous on purpose.
 * @throws {TypeError} which names them all.
 */
export function refuseUnguarded(resources: readonly MountedResource[], modelsOf: ModelsOf): void {
  const open = unguardedIn(resources, modelsOf).map(({ mounted, method }) => `${method} of ${mounted.name}`);
  if (open.length === 0) return;
  throw new TypeError(
    `Cannot build the application: nobody guards ${open.join(", ")}; add a guard, or write anonymous: true, static ` +
      "anonymous = true, or .anonymous() of a group",
  );
}

type ModelsOf = (mounted: MountedResource) => Iterable<OperationModel>;

/** Lists the operations that nobody guards, and that are not anonymous on purpose. */
export function unguardedIn(resources: readonly MountedResource[], modelsOf: ModelsOf): OperationModel[] {
  return resources.flatMap((mounted) =>
    [...modelsOf(mounted)].filter(
      ({ isAnonymous, scopes, guards }) => !isAnonymous && scopes.length === 0 && !guards.some(isClosed),
    ),
  );
}
