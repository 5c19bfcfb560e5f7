import { listOf, memberOf, membersOf, namesOf, textOf, type Effect, type Members } from "./change.ts";
import {
  constraint,
  finding,
  inside,
  isOpen,
  isTyped,
  presence,
  told,
  type Comparison,
  type Finding,
} from "./finding.ts";
import { limitChanges } from "./keyword-changes.ts";
import type { NormalSchemas } from "./normal-schema.ts";
import { joined, memberSchemas, namedSchemas } from "./schema-keywords.ts";

/** Lists the differences of what two schemas say of members. */
export function* memberChanges(comparison: Comparison, before: Members, after: Members): Generator<Finding> {
  const [older, newer] = [membersOf(before["properties"]), membersOf(after["properties"])];
  const [needed, needs] = [new Set(listOf(before["required"])), new Set(listOf(after["required"]))];
  const isHidden = (schema: unknown, normals: NormalSchemas): boolean =>
    normals.described(schema)[comparison.side === "request" ? "readOnly" : "writeOnly"] === true;
  for (const name of new Set([...namesOf(older, newer), ...needed, ...needs] as string[])) {
    const [one, other] = [namedSchemas(before, name), namedSchemas(after, name)];
    const at = `.${name}`;
    const wasHidden = one.length > 0 && isHidden(one[0], comparison.before);
    const nowHidden = other.length > 0 && isHidden(other[0], comparison.after);
    const [was, is] = [wasHidden ? [] : one, nowHidden ? [] : other];
    if (was.length === 0 && is.length === 0 && (wasHidden || nowHidden)) {
      // What the other side has alone is nothing to this one.
      if (textOf(one) !== textOf(other) || needed.has(name) !== needs.has(name)) {
        yield { effect: "describes", place: at, what: "differs, and only the other side has it" };
      }
      continue;
    }
    const others = [before, after].map((schema) => schema["additionalProperties"] ?? true);
    const isNew = was.length === 0 && is.length > 0 && (isOpen(others[0]) || comparison.before.isNever(others[0]));
    const isGone = is.length === 0 && was.length > 0 && (isOpen(others[1]) || comparison.after.isNever(others[1]));
    if (isNew) yield added(comparison, at, joined(is), before, needs.has(name), isTyped(before, after));
    else if (isGone) yield gone(comparison, at, joined(was), after, needed.has(name), isTyped(before, after));
    else {
      if (was.length > 0 || is.length > 0) {
        yield* inside(comparison, at, joined(memberSchemas(before, name)), joined(memberSchemas(after, name)));
      }
      if (needed.has(name) === needs.has(name)) continue;
      const isNeeded = needs.has(name);
      yield {
        ...finding(isNeeded ? "narrows" : "widens", isNeeded ? "is required now" : "is optional now"),
        place: at,
      };
    }
  }
  yield* patternChanges(comparison, before, after);
  yield* otherChanges(comparison, before, after);
  yield* constraint(comparison, "propertyNames", before, after);
  yield* dependencyChanges(comparison, before, after);
}

function added(
  comparison: Comparison,
  place: string,
  schema: unknown,
  before: Members,
  isRequired: boolean,
  isObject: boolean,
): Finding {
  const isClosed =
    before["additionalProperties"] !== undefined && comparison.before.isNever(before["additionalProperties"]);
  if (comparison.after.isNever(schema))
    return { effect: isClosed ? "describes" : "narrows", place, what: "is refused now" };
  const isNamed = isObject || before["properties"] !== undefined;
  if (comparison.side === "answer") {
    return {
      effect: isClosed && !isNamed ? "unclear" : isClosed || isObject ? "grows" : "narrows",
      place,
      what: "is new",
    };
  }
  if (isRequired) return { effect: "narrows", place, what: "is new and required" };
  // Members that an object did not name may have been sent, and ignored.
  const practice = isObject || isOpen(schema) ? "grows" : isNamed ? "unclear" : "narrows";
  return { effect: isClosed ? "widens" : practice, place, what: "is new" };
}

function gone(
  comparison: Comparison,
  place: string,
  schema: unknown,
  after: Members,
  isRequired: boolean,
  isObject: boolean,
): Finding {
  const others = after["additionalProperties"] ?? after["unevaluatedProperties"] ?? true;
  const isClosed = comparison.after.isNever(others);
  if (comparison.before.isNever(schema))
    return { effect: isClosed ? "describes" : "widens", place, what: "may be there now" };
  const isAnswer = comparison.side === "answer";
  if (isAnswer ? isRequired : isClosed) return { effect: "replaces", place, what: "is gone" };
  // A member that is ignored, or that was optional, is missed by some.
  const practice = isAnswer && !isObject && !isOpen(schema) ? "widens" : "drops";
  return { effect: isClosed ? "unclear" : practice, place, what: "is gone" };
}

function* patternChanges(comparison: Comparison, before: Members, after: Members): Generator<Finding> {
  const [older, newer] = [membersOf(before["patternProperties"]), membersOf(after["patternProperties"])];
  const names = namesOf(older, newer);
  for (const pattern of names) {
    const [one, other] = [memberOf(older, pattern), memberOf(newer, pattern)];
    const where = `patternProperties of ${JSON.stringify(pattern)}`;
    const [was, is] = [one ?? before["additionalProperties"] ?? true, other ?? after["additionalProperties"] ?? true];
    if (one !== undefined && other !== undefined) yield* inside(comparison, ` ${where}`, one, other);
    else if (comparison.before.isNever(was))
      yield finding(one === undefined ? opened(comparison, other) : "widens", `${where} is new`);
    else if (comparison.after.isNever(is))
      yield finding("narrows", `${where} is ${other === undefined ? "gone" : "false now"}`);
    else yield* inside(comparison, ` ${where}`, was, is);
  }
  const isMixed = Object.keys(older).length > 0 && Object.keys(newer).length > 0;
  if (isMixed && names.some((name) => !Object.hasOwn(older, name) || !Object.hasOwn(newer, name))) {
    yield finding("unclear", "several patternProperties may be about one member");
  }
}

/** Readers ignore members that they do not know, but may go through all members of a map. */
function opened(comparison: Comparison, schema: unknown): Effect {
  return comparison.side === "request" ? "widens" : isOpen(schema) ? "grows" : "unclear";
}

function* otherChanges(comparison: Comparison, before: Members, after: Members): Generator<Finding> {
  const [older, newer] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
  const [wasClosed, isClosed] = [comparison.before.isNever(older), comparison.after.isNever(newer)];
  if ((wasClosed && isClosed) || (isOpen(older) && isOpen(newer))) return;
  if (wasClosed) yield finding(opened(comparison, newer), "may have other members now");
  else if (isClosed) yield finding("narrows", "has no other members any more");
  else if (isOpen(older)) yield finding("narrows", "other members are of one schema now");
  else if (isOpen(newer)) yield finding("widens", "other members are of any kind now");
  else yield* inside(comparison, ".*", older, newer);
}

function* dependencyChanges(comparison: Comparison, before: Members, after: Members): Generator<Finding> {
  for (const keyword of ["dependentRequired", "dependentSchemas"]) {
    const [older, newer] = [membersOf(before[keyword]), membersOf(after[keyword])];
    for (const name of namesOf(older, newer)) {
      const [one, other] = [memberOf(older, name), memberOf(newer, name)];
      const where = `${keyword} of ${JSON.stringify(name)}`;
      if (one === undefined || other === undefined) yield presence(where, one);
      else if (keyword === "dependentSchemas") yield* inside(comparison, ` ${where}`, one, other);
      else {
        const isNarrower = listOf(other).some((member) => !listOf(one).includes(member));
        const isWider = listOf(one).some((member) => !listOf(other).includes(member));
        const effect = isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : "widens";
        if (isNarrower || isWider) yield finding(effect, `${where} differs`);
      }
    }
  }
}

/** Lists the differences of what two schemas say of items. */
export function* itemChanges(comparison: Comparison, before: Members, after: Members): Generator<Finding> {
  const [older, newer] = [listOf(before["prefixItems"]), listOf(after["prefixItems"])];
  const [one, other] = [before["items"] ?? true, after["items"] ?? true];
  const length = Math.min(...[before, after].map(({ maxItems = Infinity }) => maxItems as number));
  const own = Math.max(older.length, newer.length);
  for (let at = 0; at < Math.min(own, length); at++) {
    yield* inside(comparison, `[${at}]`, older[at] ?? one, newer[at] ?? other);
  }
  if (own < length) yield* inside(comparison, "[]", one, other);
  const [was, is] = [before["contains"], after["contains"]];
  if (was === undefined && is === undefined) return;
  if (was === undefined || is === undefined) return yield presence("contains", was);
  const found = comparison.findings(was, is);
  const isLimited = before["maxContains"] !== undefined || after["maxContains"] !== undefined;
  if (isLimited && found.some(({ effect }) => effect !== "describes")) yield finding("unclear", "contains differs");
  else yield* inside(comparison, " contains", was, is);
  yield* told(limitChanges(before, after, ["contains"]));
}
