import type { ParamNames } from "../../routing/pattern/path-param-names.ts";
import type { NamedValues } from "./call-values.ts";
import type { DeclaringClass } from "./operation.ts";

/**
 * What `may` is asked about: the request, the path params as text, and the resource. Attributes that guards have set
 * can be read of the request. Query, fields and content are read later.
 *
 * @typeParam Of the type of the resource class, such as `typeof Ticket`. Its declarations are not read.
 * @typeParam Prefix the prefixes of the groups around the class, if they hold params.
 * @example
 * ```ts
 * import type { Asked } from "fingerpost";
 *
 * const user = new Attribute<{ id: string }>("user");
 * const owners = new Map([["7", "ada"]]);
 *
 * class Ticket extends Resource {
 *   paths = ["/tickets/:id"] as const;
 *
 *   static may = ({ path, request }: Asked<typeof Ticket>) => owners.get(path.id) === user.get(request).id;
 *
 *   static DELETE = { 204: "Deleted" };
 *   DELETE() {}
 * }
 * ```
 */
export interface Asked<Of extends DeclaringClass, Prefix extends string = never> {
  /** The path params, as text. */
  readonly path: NamedValues<ParamNames<Of["prototype"]["paths"], Prefix>>;
  /** The request, whose content was not read yet. */
  readonly request: Request;
  /** The resource, as the application made it: by it the function reaches what was given to its constructor. */
  readonly resource: Of["prototype"];
}

/** What `may()` of a group is asked about. */
export interface AskedAt<Prefix extends string> {
  /** The params of the prefixes, as text. */
  readonly path: NamedValues<ParamNames<readonly [""], Prefix>>;
  /** The request, whose content was not read yet. */
  readonly request: Request;
}
