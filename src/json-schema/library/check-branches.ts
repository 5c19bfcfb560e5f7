import { isJsonSchema, keywordOf, listOf, schemaAt, type JsonSchema } from "../shape/json-schema.ts";
import type { StandardIssue } from "../shape/standard-schema.ts";

/**
 * One issue, as Ajv reports it (`instancePath`), TypeBox (`path` is a pointer), or a Standard Schema (`path` is a
 * list).
 */
export interface CheckIssue {
  readonly message?: string | undefined;
  readonly path?: string | StandardIssue["path"] | undefined;
  readonly instancePath?: string | undefined;
  readonly keyword?: string | undefined;
  readonly params?: object | undefined;
  /** The keyword's place in the schema, of Ajv. */
  readonly schemaPath?: string | undefined;
  /** The part of the schema, of TypeBox. */
  readonly schema?: unknown;
  /** The issues of each branch of a union, of TypeBox. */
  readonly errors?: readonly Iterable<CheckIssue>[] | undefined;
}

/**
 * Puts the issues of the branches of a union into the issue of the union, where a check lists them before it, as Ajv
 * does. Others stay as they are: TypeBox has them inside already.
 */
export function withBranches(issues: Iterable<CheckIssue>, root: JsonSchema): CheckIssue[] {
  const told: CheckIssue[] = [];
  for (const issue of issues) {
    const { keyword, schemaPath, instancePath = "" } = issue;
    if ((keyword !== "anyOf" && keyword !== "oneOf") || schemaPath === undefined) told.push(issue);
    else {
      // Only issues of the last union in a list are looked at, so that the cost stays in proportion.
      const last: CheckIssue[] = [];
      while (told.length > 0 && isInside(told.at(-1)!, instancePath)) last.push(told.pop()!);
      last.reverse();
      const errors = takenFrom(last, schemaPath, unionsIn(root));
      for (const one of last) told.push(one);
      told.push(errors.length === 0 ? issue : { ...issue, errors });
    }
  }
  return told;
}

function isInside({ instancePath = "" }: CheckIssue, place: string): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

/** A union, by the references in each of its branches. */
type Union = readonly ReadonlySet<string>[];

/**
 * Takes the last issues of a list that belong to branches of a union, by branch. They have a place in the branch, or
 * where it refers to. Ajv does not say from where it followed a reference, so the union is the one that explains most.
 */
function takenFrom(issues: CheckIssue[], place: string, unions: readonly Union[]): CheckIssue[][] {
  const all = unions.map((union) => branchesBy(union, place, issues));
  const best = all.reduce((one, other) => (toldBy(other) > toldBy(one) ? other : one), []);
  const first = best.findIndex((branch) => branch >= 0);
  const taken: CheckIssue[][] = [];
  let current = 0;
  for (const [at, issue] of (first < 0 ? [] : issues.splice(first)).entries()) {
    current = Math.max(current, best[first + at]!);
    (taken[current] ??= []).push(issue);
  }
  return taken.filter((branch) => branch !== undefined);
}

function toldBy(branches: readonly number[]): number {
  return branches.filter((branch) => branch >= 0).length;
}

/** The branch of each issue; -1 where none is known. Branches are tried one after the other. */
function branchesBy(union: Union, place: string, issues: readonly CheckIssue[]): number[] {
  let current = 0;
  return issues.map(({ schemaPath = "" }) => {
    const found = union.findIndex((references, at) => {
      const isThere = schemaPath.startsWith(`${place}/${at}/`);
      return isThere || (at >= current && [...references].some((one) => schemaPath.startsWith(`${one}/`)));
    });
    current = Math.max(current, found);
    return found;
  });
}

const known = new WeakMap<JsonSchema, readonly Union[]>();

function unionsIn(root: JsonSchema): readonly Union[] {
  let unions = known.get(root);
  if (unions === undefined) {
    const found: Union[] = [];
    visit(root, (schema) => {
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = listOf(schema, keyword);
        if (branches.length > 0) found.push(branches.map((branch) => referencesIn(branch, root)));
      }
    });
    known.set(root, (unions = found));
  }
  return unions;
}

function referencesIn(branch: unknown, root: JsonSchema): ReadonlySet<string> {
  const references = new Set<string>();
  const collect = (value: unknown): void =>
    visit(value, (schema) => {
      const reference = keywordOf(schema, "$ref");
      if (typeof reference === "string") references.add(reference);
    });
  collect(branch);
  // What is added here is visited, too.
  for (const reference of references) collect(schemaAt({ $ref: reference }, root));
  return references;
}

function visit(value: unknown, see: (schema: JsonSchema) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonSchema(value)) see(value);
  for (const member of Object.values(value)) visit(member, see);
}
