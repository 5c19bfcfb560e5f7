import { isEqualJson } from "../value/equal-json.ts";
import { isObject } from "../value/merge-patch.ts";
import { pointerOf } from "../value/json-pointer.ts";
import { schemaMembersOf, type SchemaMembers } from "../shape/schema-members.ts";
import { nodeOf, objectIn } from "../shape/schema-node.ts";
import type { JsonSchema } from "../shape/json-schema.ts";
import type { Failure } from "./issues.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Leaves out the members that are read-only: GET has sent them, and the schema of PUT does not name them.
 *
 * Members that were changed or taken away are listed. An item of a list is compared with all items of that list before:
 * a patch may have moved it. One of them has all of its read-only members, so that they are not swapped one by one.
 */
export class ReadOnlyMembers {
  readonly #root: JsonSchema;
  readonly #known = new Map<unknown, SchemaMembers>();

  /** @param root what content is, as JSON Schema. */
  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Returns the content that is left of a patched value, and the members that must not change. */
  leaveOut(patched: unknown, before: unknown): { readonly content: unknown; readonly failures: readonly Failure[] } {
    const failures: Failure[] = [];
    const content = this.#left(patched, [before], true, this.#root, [], failures);
    return { content, failures };
  }

  #left(
    value: unknown,
    before: readonly unknown[],
    isAlone: boolean,
    schema: unknown,
    path: readonly PropertyKey[],
    failures: Failure[],
  ): unknown {
    if (Array.isArray(value)) {
      const items = before.filter((one) => Array.isArray(one)).flat() as unknown[];
      const itemAt = this.#itemsOf(schema);
      return value.map((item, at) => this.#left(item, items, false, itemAt(at), [...path, at], failures));
    }
    const members = this.#membersOf(schema);
    if (!isObject(value) || members === null) return value;
    const objects = before.filter((one) => isObject(one));
    const isReadOnly = (name: string): boolean =>
      !members.named.has(name) && objects.some((object) => Object.hasOwn(object, name));
    const refuse = (name: string): void =>
      void failures.push({ in: "content", pointer: pointerOf([...path, name]), detail: "Is read-only" });
    if (isAlone) {
      const gone = objects.flatMap((object) => Object.keys(object).filter((name) => !Object.hasOwn(value, name)));
      gone.filter(isReadOnly).forEach(refuse);
    }
    const kept = Object.keys(value).filter(isReadOnly);
    const isSame = (object: JsonObject, name: string): boolean =>
      Object.hasOwn(object, name) && isEqualJson(object[name], value[name]);
    const same = objects.filter((object) => kept.every((name) => isSame(object, name)));
    if (same.length === 0) {
      const changed = kept.filter((name) => !objects.some((object) => isSame(object, name)));
      // Where each was there, and no item had all of them, nobody knows which one was changed.
      (changed.length === 0 ? kept : changed).forEach(refuse);
    }
    const known = same.length === 0 ? objects : same;
    const left = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (isReadOnly(name)) return [];
      const inner = known.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : []));
      return [[name, this.#left(member, inner, isAlone, members.named.get(name), [...path, name], failures)]];
    });
    return Object.fromEntries(left);
  }

  /** The members that an object is written with; null where others are written, too. */
  #membersOf(schema: unknown): SchemaMembers | null {
    let members = this.#known.get(schema);
    if (members === undefined) this.#known.set(schema, (members = schemaMembersOf(schema, this.#root)));
    const isOpen = objectIn(nodeOf(schema, this.#root))?.others === true;
    const isClosed = !isOpen && members.named.size > 0 && members.others === undefined && members.patterns.length === 0;
    return isClosed ? members : null;
  }

  #itemsOf(schema: unknown): (at: number) => unknown {
    const { kinds, unions } = nodeOf(schema, this.#root);
    const branches = unions.flat().flatMap((branch) => nodeOf(branch, this.#root).kinds);
    const list = [...kinds, ...branches].find((one) => one.kind === "list");
    return (at) => list?.first[at] ?? list?.rest;
  }
}
