// The base class and `resources()` of the semantics module, as far as types matter: the module itself is not there yet.
import type { CheckedMembers } from "../../src/semantics/declaration/resource-class.ts";
import { Resource as CoreResource } from "../../src/application/resource.ts";

export class Resource extends CoreResource {
  declare static readonly httpModule?: "semantics";

  QUERY(_call: unknown): unknown {
    return undefined;
  }
}

export interface Group {
  readonly members: readonly unknown[];
  readonly prefixes: readonly string[];
}

type ResourceClass = (new (...dependencies: never[]) => CoreResource) & {
  readonly httpModule?: "semantics" | "native";
};
export type Member = ResourceClass | Group | readonly Member[];

export declare function resources<const Members extends readonly Member[]>(
  ...members: CheckedMembers<Members>
): Members;
