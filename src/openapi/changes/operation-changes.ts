import {
  listOf,
  membersOf,
  namesOf,
  resolved,
  textOf,
  verdictOf,
  type Change,
  type Effect,
  type Members,
  type Side,
  type Verdict,
} from "./change.ts";
import { NormalSchemas } from "./normal-schema.ts";
import { SchemaComparison } from "./schema-changes.ts";
import { securityChanges } from "./security-changes.ts";

/** A difference between two versions of an operation. */
export type OperationChange = Omit<Change, "operation">;

const describing = ["summary", "description", "tags", "deprecated", "externalDocs", "examples", "x-sunset"];

export class OperationComparison {
  readonly #before: Members;
  readonly #after: Members;
  /** Whether the application sends the request, as it does for webhooks. */
  readonly isSent: boolean;
  readonly #compared: Readonly<Record<Side, SchemaComparison>>;

  constructor(before: Members, after: Members, isSent: boolean = false) {
    this.#before = before;
    this.#after = after;
    this.isSent = isSent;
    const [older, newer] = [new NormalSchemas(before), new NormalSchemas(after)];
    this.#compared = {
      request: new SchemaComparison(older, newer, "request"),
      answer: new SchemaComparison(older, newer, "answer"),
    };
  }

  /** Lists the differences between two versions of an operation. */
  *compare(before: Members, after: Members): Generator<OperationChange> {
    yield* this.#words(before, after);
    if (!this.isSent) yield* this.#security(before, after);
    yield* this.#parameters(before, after);
    yield* this.#content(before, after);
    yield* this.#answers(before, after);
    yield* this.#callbacks(before, after);
  }

  /** Says what a change of a request, or of an answer, means. For webhooks the sides are the other way round. */
  #change(side: Side, verdict: Verdict, place: string, what: string): OperationChange {
    return { verdict, for: (side === "request") === this.isSent ? "readers" : "callers", place, what };
  }

  #found(side: Side, effect: Effect, place: string, what: string): OperationChange {
    return this.#change(side, verdictOf(this.#sideOf(side), effect), place, what);
  }

  #sideOf(side: Side): Side {
    if (!this.isSent) return side;
    return side === "request" ? "answer" : "request";
  }

  *#schemas(
    side: Side,
    before: unknown,
    after: unknown,
    place: string,
    isText: boolean = false,
  ): Generator<OperationChange> {
    const changes = this.#compared[this.#sideOf(side)].compare(before ?? true, after ?? true, place, isText);
    for (const { verdict, place: at, what, schema } of changes) {
      const change = this.#change(side, verdict, at, what);
      yield schema === undefined ? change : { ...change, schema };
    }
  }

  *#words(before: Members, after: Members): Generator<OperationChange> {
    yield* this.#described("request", before, after, describing, "");
    const [older, newer] = [before["operationId"], after["operationId"]];
    // Clients that are generated name their methods so.
    if (older !== newer) {
      yield this.#found("request", "unclear", "", `operationId ${textOf(newer)}, was ${textOf(older)}`);
    }
  }

  *#security(before: Members, after: Members): Generator<OperationChange> {
    for (const [verdict, what] of securityChanges(before, after, this.#before, this.#after)) {
      yield this.#change("request", verdict, "security", what);
    }
  }

  *#parameters(before: Members, after: Members): Generator<OperationChange> {
    const [older, newer] = [parametersOf(before, this.#before), parametersOf(after, this.#after)];
    for (const key of new Set([...older.keys(), ...newer.keys()])) {
      const [was, is] = [older.get(key), newer.get(key)];
      const { name, in: part } = (is ?? was)!;
      const place = `${String(part)} ${String(name)}`;
      yield* this.#presence(was, is, place);
      if (was !== undefined && is !== undefined) yield* this.#parameter(was, is, place);
    }
  }

  /** What may be left out by a request, or must be there. */
  *#presence(before: Members | undefined, after: Members | undefined, place: string): Generator<OperationChange> {
    // What is sent all the same may be ignored, or refused.
    if (after === undefined) return yield this.#found("request", "unclear", place, "is gone");
    const isRequired = after["required"] === true;
    const effect = isRequired ? "narrows" : "widens";
    if (before === undefined)
      yield this.#found("request", effect, place, isRequired ? "is new and required" : "is new");
    else if ((before["required"] === true) !== isRequired) {
      yield this.#found("request", effect, place, isRequired ? "is required now" : "is optional now");
    }
  }

  *#parameter(before: Members, after: Members, place: string): Generator<OperationChange> {
    const { in: part, name, style: written = styles[String(part)] } = after;
    if (before["name"] !== name && part === "path") {
      yield this.#found("request", "describes", place, `is the param that was named ${textOf(before["name"])}`);
    }
    for (const [member, usual] of [
      ["style", styles[String(part)]],
      ["explode", written === "form"],
      ["allowReserved", false],
    ] as const) {
      const [older, newer] = [before[member] ?? usual, after[member] ?? usual];
      if (older === newer) continue;
      yield this.#found("request", "replaces", place, `${member} ${textOf(newer)}, was ${textOf(older)}`);
    }
    const [mayBeEmpty, isEmpty] = [before["allowEmptyValue"] === true, after["allowEmptyValue"] === true];
    if (mayBeEmpty !== isEmpty) {
      yield this.#found("request", isEmpty ? "widens" : "narrows", place, `may ${isEmpty ? "" : "not "}be empty now`);
    }
    yield* this.#described("request", before, after, ["description", "deprecated", "example", "examples"], place);
    yield* this.#schemas("request", before["schema"], after["schema"], place, true);
    yield* this.#media("request", membersOf(before["content"]), membersOf(after["content"]), place);
  }

  *#described(
    side: Side,
    before: Members,
    after: Members,
    names: readonly string[],
    place: string,
  ): Generator<OperationChange> {
    for (const name of names) {
      if (textOf(before[name]) !== textOf(after[name])) yield this.#found(side, "describes", place, `${name} differs`);
    }
  }

  *#content(before: Members, after: Members): Generator<OperationChange> {
    const [was, is] = [contentOf(before["requestBody"], this.#before), contentOf(after["requestBody"], this.#after)];
    if (was !== undefined && is === undefined) yield this.#found("request", "replaces", "content", "is gone");
    else if (is !== undefined) yield* this.#presence(was, is, "content");
    if (was === undefined || is === undefined) return;
    yield* this.#described("request", was, is, ["description"], "content");
    yield* this.#media("request", membersOf(was["content"]), membersOf(is["content"]), "content");
  }

  *#media(side: Side, before: Members, after: Members, place: string): Generator<OperationChange> {
    const types = namesOf(before, after);
    for (const type of types) {
      const [was, is] = [before[type], after[type]];
      // Who takes an answer names the types that they take.
      if (was === undefined) yield this.#change(side, "compatible", place, `the media type ${type} is new`);
      else if (is === undefined) {
        const range = Object.keys(after).find((other) => includes(other, type));
        // A range that an answer declares now says less than the type in it that it declared before.
        const isCovered = range !== undefined && this.#sideOf(side) === "request";
        const what = `the media type ${type} is ${isCovered ? `part of ${range} now` : "gone"}`;
        yield this.#change(side, isCovered ? "compatible" : "breaking", place, what);
      } else {
        const at = types.length > 1 ? `${place} ${type}` : place;
        yield* this.#medium(side, membersOf(was), membersOf(is), at);
      }
    }
  }

  *#medium(side: Side, before: Members, after: Members, place: string): Generator<OperationChange> {
    yield* this.#schemas(side, before["schema"], after["schema"], place);
    for (const items of ["itemSchema", "x-itemSchema"]) {
      yield* this.#schemas(side, before[items], after[items], `${place}[]`);
    }
    yield* this.#described(side, before, after, ["example", "examples"], place);
    if (textOf(before["encoding"]) !== textOf(after["encoding"])) {
      yield this.#found(side, "unclear", place, "encoding differs");
    }
  }

  *#answers(before: Members, after: Members): Generator<OperationChange> {
    const [older, newer] = [membersOf(before["responses"]), membersOf(after["responses"])];
    for (const status of namesOf(older, newer)) {
      const [was, is] = [older[status], newer[status]];
      const isError = /^[45]/.test(status);
      if (was === undefined) {
        // A client treats an error that it does not know as the first of its class (RFC 9110 §15).
        yield this.#found("answer", isError ? "describes" : "unclear", status, "is a new answer");
      } else if (is === undefined) {
        yield this.#found("answer", isError ? "describes" : "replaces", status, "is not answered any more");
      } else {
        const [one, other] = [membersOf(resolved(was, this.#before)), membersOf(resolved(is, this.#after))];
        yield* this.#answer(one, other, status);
      }
    }
  }

  *#answer(before: Members, after: Members, status: string): Generator<OperationChange> {
    yield* this.#described("answer", before, after, ["description", "summary", "links"], status);
    yield* this.#fields(byLowerName(before["headers"]), byLowerName(after["headers"]), status);
    const [older, newer] = [membersOf(before["content"]), membersOf(after["content"])];
    if (Object.keys(older).length > 0 || Object.keys(newer).length === 0) {
      yield* this.#media("answer", older, newer, `${status} content`);
    } else yield this.#found("answer", "unclear", status, "has content now");
  }

  *#fields(before: Members, after: Members, status: string): Generator<OperationChange> {
    for (const name of namesOf(before, after)) {
      const was = membersOf(resolved(before[name], this.#before));
      const is = membersOf(resolved(after[name], this.#after));
      const place = `${status} field ${name}`;
      const [wasRequired, isRequired] = [was["required"] === true, is["required"] === true];
      if (before[name] === undefined) yield this.#found("answer", "describes", place, "is new");
      else if (after[name] === undefined) {
        yield this.#found("answer", wasRequired ? "replaces" : "unclear", place, "is gone");
      } else {
        if (wasRequired && !isRequired) yield this.#found("answer", "widens", place, "may be absent now");
        if (!wasRequired && isRequired) yield this.#found("answer", "narrows", place, "is always there now");
        if ((was["explode"] === true) !== (is["explode"] === true)) {
          yield this.#found(
            "answer",
            "replaces",
            place,
            `explode ${is["explode"] === true}, was ${was["explode"] === true}`,
          );
        }
        yield* this.#described("answer", was, is, ["description", "deprecated"], place);
        yield* this.#schemas("answer", was["schema"], is["schema"], place);
      }
    }
  }

  *#callbacks(before: Members, after: Members): Generator<OperationChange> {
    if (textOf(before["callbacks"]) === textOf(after["callbacks"])) return;
    yield this.#found("answer", "unclear", "callbacks", "differ");
  }
}

/** The usual way to write a parameter (OpenAPI 3.1 §4.8.12). */
const styles: Readonly<Record<string, string>> = { path: "simple", header: "simple", query: "form", cookie: "form" };

function parametersOf(operation: Members, document: Members): Map<string, Members> {
  const parameters = listOf(operation["parameters"]).map((one) => membersOf(resolved(one, document)));
  return new Map(
    parameters.map((one) => {
      const { name, in: part, place = name } = one;
      return [`${String(part)} ${part === "header" ? String(name).toLowerCase() : String(place)}`, one];
    }),
  );
}

/** The content of a request, which may be shared; `undefined` where there is none. */
function contentOf(content: unknown, document: Members): Members | undefined {
  return content === undefined ? undefined : membersOf(resolved(content, document));
}

/** Names of fields do not differ by case (RFC 9110 §5.1). */
function byLowerName(fields: unknown): Members {
  return Object.fromEntries(Object.entries(membersOf(fields)).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns whether a media range, such as `image/*`, includes a media type. */
function includes(range: string, type: string): boolean {
  return range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}
