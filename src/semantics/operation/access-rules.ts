import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { described } from "../../http/javascript/described.ts";
import { wrapped } from "../../json-schema/shape/member-conversion.ts";
import { isProblemContent } from "../declaration/problem-content.ts";
import { reply, type Reply } from "../declaration/reply.ts";
import { accessMembers, type GrantingGuard } from "./access-model.ts";
import { checkMember } from "./answer-check.ts";
import type { Unchecked } from "./content-refusals.ts";
import { members } from "./members.ts";
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
  const cannot = `Cannot add ${mounted.name} to the application: static ${method}`;
  // Nobody else reads what a class of another module declares.
  const said = Object((mounted.resource.constructor as unknown as Unchecked)[method]) as Unchecked;
  for (const member of accessMembers) checkMember(member, said[member], cannot);
  for (const guard of grantors) refuseUnfitGuard(guard, guards, mounted.name);
  if (scopes.length > 0 && grantors.length === 0) {
    throw new TypeError(
      `${cannot} needs the scopes ${scopes.map(described).join(", ")}, and no guard that runs for it grants any ` +
        `(${guards.map(({ name }) => name).join(", ") || "none"}); write scopesOf in its options, or static grants`,
    );
  }
  if (declaration.anonymous === true) {
    if (scopes.length > 0) throw new TypeError(`${cannot} is anonymous and has scopes; leave one of them out`);
    const closed = guards.find(isClosed);
    if (closed !== undefined) {
      throw new TypeError(
        `${cannot} is anonymous inside of ${closed.name}, which refuses whom it does not know; make that optional, ` +
          "or leave anonymous out",
      );
    }
  }
  if (!model.mays.some(({ hides }) => hides) || hiddenReplyOf(model) !== undefined) return;
  throw new TypeError(
    `${cannot} hides what is there by 404, whose content its handler writes; declare 404 as a text, or leave hides out`,
  );
}

/** Whether a guard refuses requests of nobody knows whom. */
function isClosed(guard: GuardModel): boolean {
  return authenticates(guard) && !guard.isOptional;
}

function refuseUnfitGuard({ name, granting }: GrantingGuard, guards: readonly GuardModel[], owner: string): void {
  const { grants, identity } = granting;
  if (typeof grants !== "function" || typeof Object(identity).find !== "function") {
    throw new TypeError(
      `Cannot add ${owner} to the application: ${name} has no static grants that is a function, or no static ` +
        "identity that is an Attribute; write both",
    );
  }
  const other = guards.find(
    (one) => one.sets === identity || (one.granting?.identity === identity && one.granting.grants !== grants),
  );
  if (other === undefined) return;
  throw new TypeError(
    `Cannot add ${owner} to the application: ${name} and ${other.name} set the same identity, so that one would ` +
      "grant scopes to whom the other found; give each an Attribute of its own",
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
    `Cannot build the application: nobody guards ${open.join(", ")}; add a guard, whose class has ` +
      "static security, or write anonymous: true, static anonymous = true, or .anonymous() of a group",
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

/** Refuses members that a class says for all of its operations. @throws {TypeError} which says what to write. */
export function refuseUnfitStatics(Class: Unchecked, name: string, among: readonly string[]): void {
  for (const member of [...among, "anonymous", "may"]) {
    const { isFit, expected } = members[member]!;
    const value = Class[member];
    if (value === undefined || isFit(value)) continue;
    throw new TypeError(
      `Cannot add ${name} to the application: static ${member} is ${described(value)}; write ${expected}`,
    );
  }
}
