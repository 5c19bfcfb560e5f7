import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { canonicalJson, type StepsLeft } from "../value/equal-json.ts";
import { isObject } from "../value/merge-patch.ts";
import { pointerOf } from "../value/json-pointer.ts";
import { schemaMembersOf, type SchemaMembers } from "../shape/schema-members.ts";
import { nodeOf, objectIn } from "../shape/schema-node.ts";
import type { JsonSchema } from "../shape/json-schema.ts";
import type { Failure } from "./issues.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Leaves out the members that are read-only: GET has sent them, and the schema of PUT does not name them. Members that
 * were changed or taken away are listed. An item of a list is compared with all items of that list before: a patch may
 * have moved it. One of them has all of its read-only members, so that they are not swapped one by one.
 */
export class ReadOnlyMembers {
  readonly #root: JsonSchema;
  readonly #known = new Map<unknown, SchemaMembers>();

  /** @param root what content is, as JSON Schema. */
  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /**
   * Returns the content that is left of a patched value, and the members that must not change.
   * @throws {HTTPError} 413 when items have read-only members in too many combinations to compare them.
   */
  leaveOut(patched: unknown, before: unknown): { readonly content: unknown; readonly failures: readonly Failure[] } {
    const failures: Failure[] = [];
    const earlier = new Earlier([before], { steps: mostSteps });
    const content = this.#left(patched, earlier, true, this.#root, [], failures);
    return { content, failures };
  }

  #left(
    value: unknown,
    before: Earlier,
    isAlone: boolean,
    schema: unknown,
    path: readonly PropertyKey[],
    failures: Failure[],
  ): unknown {
    if (Array.isArray(value)) {
      const items = before.items();
      const itemAt = this.#itemsOf(schema);
      return value.map((item, at) => this.#left(item, items, false, itemAt(at), [...path, at], failures));
    }
    const members = this.#membersOf(schema);
    if (!isObject(value) || members === null) return value;
    const isReadOnly = (name: string): boolean => !members.named.has(name) && before.names.has(name);
    const refuse = (name: string): void =>
      void failures.push({ in: "content", pointer: pointerOf([...path, name]), detail: "Is read-only" });
    if (isAlone) [...before.names].filter((name) => !Object.hasOwn(value, name) && isReadOnly(name)).forEach(refuse);
    const kept = Object.keys(value).filter(isReadOnly);
    const same = before.with(kept, value);
    if (same.length === 0) {
      const changed = kept.filter((name) => before.with([name], value).length === 0);
      // Where each was there, and no item had all of them, nobody knows which one was changed.
      (changed.length === 0 ? kept : changed).forEach(refuse);
    }
    const known = same.length === 0 ? before.objects : same;
    const left = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (isReadOnly(name)) return [];
      const earlier = before.inside(known, name);
      return [[name, this.#left(member, earlier, isAlone, members.named.get(name), [...path, name], failures)]];
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

/** So many values before the patch are looked at: once for each combination of names that an item of a list has. */
const mostSteps = 500_000;

/** The values that may have stood at a place before it was patched, found by what their members were. */
class Earlier {
  readonly all: readonly unknown[];
  readonly objects: readonly JsonObject[];
  readonly names: ReadonlySet<string>;
  readonly steps: StepsLeft;
  #items: Earlier | null = null;
  readonly #inside = new Map<readonly JsonObject[], Map<string, Earlier>>();
  /** By names: the objects that have them, by the text of their values. */
  readonly #byNames = new Map<string, Map<string, JsonObject[]>>();

  constructor(all: readonly unknown[], steps: StepsLeft) {
    this.all = all;
    this.objects = all.filter((one) => isObject(one));
    this.names = new Set(this.objects.flatMap((object) => Object.keys(object)));
    this.steps = steps;
  }

  items(): Earlier {
    return (this.#items ??= new Earlier(this.all.filter((one) => Array.isArray(one)).flat(), this.steps));
  }

  /** Returns the objects whose members of these names are as those of a value. */
  with(names: readonly string[], value: JsonObject): readonly JsonObject[] {
    if (names.length === 0) return this.objects;
    const sorted = names.toSorted();
    const textOf = (object: JsonObject): string => canonicalJson(sorted.map((name) => object[name]));
    const key = JSON.stringify(sorted);
    let found = this.#byNames.get(key);
    if (found === undefined) {
      this.#charge(this.objects.length * names.length);
      found = new Map();
      for (const object of this.objects.filter((one) => sorted.every((name) => Object.hasOwn(one, name)))) {
        const text = textOf(object);
        const alike = found.get(text);
        if (alike === undefined) found.set(text, [object]);
        else alike.push(object);
      }
      this.#byNames.set(key, found);
    }
    return found.get(textOf(value)) ?? [];
  }

  /** Returns what some of the objects had at a name: the same for all items that may have been any of them. */
  inside(objects: readonly JsonObject[], name: string): Earlier {
    const known = this.#inside.get(objects) ?? new Map<string, Earlier>();
    this.#inside.set(objects, known);
    let earlier = known.get(name);
    if (earlier === undefined) {
      this.#charge(objects.length);
      const values = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : []));
      known.set(name, (earlier = new Earlier(values, this.steps)));
    }
    return earlier;
  }

  #charge(steps: number): void {
    this.steps.steps -= steps;
    if (this.steps.steps < 0) throw refusal(Status.ContentTooLarge, "The patch needs too many steps");
  }
}
