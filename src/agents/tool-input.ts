import { isFieldValue } from "../fields/token.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { pointerOf } from "../json-schema/value/json-pointer.ts";
import { Components } from "../openapi/components.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { isSendable } from "../semantics/operation/tools.ts";
import { groupsOf, inputsOf, nameOf, objectOf, type Input, type Part } from "./described-inputs.ts";

/** A mistake in the inputs of a call. It names the input, and never what was sent. */
export interface InputFault {
  readonly pointer: string;
  readonly detail: string;
}

export interface ToolArguments {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where none is sent. */
  readonly content: unknown;
}

/**
 * The inputs of a tool: one object of the members of path, query, fields and content. Where two have one name, each
 * part is an object by itself.
 */
export class ToolInput {
  readonly schema: JsonSchema;
  /** The names of the query, by which an answer may be made smaller. */
  readonly queryNames: readonly string[];
  readonly #inputs: readonly Input[];
  readonly #isGrouped: boolean;
  /** Whether content is text, which no schema describes. */
  readonly #isText: boolean;

  constructor(model: OperationModel, pattern: string, hidden: ReadonlySet<string>) {
    const components = new Components();
    this.#isText = model.content?.media.find(isSendable)?.schema === null;
    const flat = inputsOf(model, pattern, components, hidden, true);
    const names = flat.map(nameOf);
    this.#isGrouped = new Set(names).size < names.length;
    this.#inputs = this.#isGrouped ? inputsOf(model, pattern, components, hidden, false) : flat;
    this.queryNames = this.#inputs.flatMap(({ part, member }) => (part === "query" ? member! : []));
    const root = this.#isGrouped ? groupsOf(this.#inputs) : objectOf(this.#inputs);
    const definitions = components.finish("#/$defs/");
    this.schema = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  }

  /** Reads the inputs of a call, or says what is wrong with them. What schemas say is left to the operation. */
  read(given: Readonly<Record<string, unknown>>): ToolArguments | readonly InputFault[] {
    const faults: InputFault[] = [];
    const fault = (path: readonly string[], detail: string): void =>
      void faults.push({ pointer: pointerOf(path), detail });
    const places = this.#isGrouped ? this.#ungrouped(given, fault) : this.#placed(given, fault);
    const path: Record<string, string> = Object.create(null) as never;
    const query: Record<string, unknown> = Object.create(null) as never;
    const headers: [string, string][] = [];
    let content: unknown = this.#inputs.some(({ part, member }) => part === "content" && member !== null)
      ? {}
      : undefined;
    for (const { input, place, value } of places) {
      const { part, member, isRequired } = input;
      // Agents write null for what they leave out. Only in content it is a value.
      const isAbsent = value === undefined || (value === null && part !== "content");
      if (isAbsent && part !== "path") continue;
      switch (part) {
        case "path":
          if (isAbsent ? isRequired : !isScalar(value) || isUnsafe(String(value))) {
            fault(
              place,
              isAbsent ? "Expected a value: it is a part of the path" : "Expected text that a path can hold",
            );
          } else if (!isAbsent) path[member!] = String(value);
          break;
        case "query":
          query[member!] = value;
          break;
        case "content":
          if (member === null && this.#isText && typeof value !== "string") fault(place, "Expected text");
          else if (member === null) content = value;
          else Object.defineProperty(content, member, { value, enumerable: true });
          break;
        default: {
          const values = [value].flat();
          const text = values.every(isScalar) ? values.map(String).join(", ") : "\n";
          if (isFieldValue(text)) headers.push([member ?? "idempotency-key", text]);
          else fault(place, "Expected text that a field can hold");
        }
      }
    }
    return faults.length > 0 ? faults : { path, query, headers, content };
  }

  /** The place of a fault in the inputs, by its place in the request. The whole where the fault is in no input. */
  pointerOf({ in: part, pointer }: { readonly in: unknown; readonly pointer: string }): string {
    const group = groupNames.get(part);
    if (group === undefined) return "#";
    const isWhole = this.#inputs.some((input) => input.part === "content" && input.member === null);
    const prefix = this.#isGrouped || (group === "content" && isWhole) ? `/${group}` : "";
    return `#${prefix}${pointer.slice(1)}`;
  }

  /** The inputs of a call where each is a member of one object. */
  #placed(given: Readonly<Record<string, unknown>>, fault: Faulting): Placed[] {
    const known = new Map(this.#inputs.map((input) => [nameOf(input), input]));
    refuseOthers(given, [...known.keys()], [], fault);
    return [...known].map(([name, input]) => ({ input, place: [name], value: ownValue(given, name) }));
  }

  /** The inputs of a call where each part is an object. */
  #ungrouped(given: Readonly<Record<string, unknown>>, fault: Faulting): Placed[] {
    const parts = [...new Set(this.#inputs.map(({ part }) => part))];
    refuseOthers(given, parts, [], fault);
    return parts.flatMap((part) => {
      const inputs = this.#inputs.filter((input) => input.part === part);
      const value = ownValue(given, part);
      const [first] = inputs as [Input];
      if (first.member === null) return [{ input: first, place: [part], value }];
      const isGroup = value === undefined || value === null || isPlainObject(value);
      if (!isGroup) fault([part], "Expected an object");
      const group = (isPlainObject(value) ? value : {}) as Readonly<Record<string, unknown>>;
      refuseOthers(group, inputs.map(nameOf), [part], fault);
      return inputs.map((input) => ({ input, place: [part, nameOf(input)], value: ownValue(group, nameOf(input)) }));
    });
  }
}

type Faulting = (path: readonly string[], detail: string) => void;

interface Placed {
  readonly input: Input;
  readonly place: readonly string[];
  readonly value: unknown;
}

/** The parts of a request as problem details name them. */
const groupNames: ReadonlyMap<unknown, Part> = new Map([
  ["path", "path"],
  ["query", "query"],
  ["header", "headers"],
  ["content", "content"],
]);

/** A model mends a few mistakes at a time. */
const mostFaults = 10;

/** A value that a text can say. */
function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Returns whether a URL would resolve a value, or could not hold it. */
function isUnsafe(text: string): boolean {
  return !text.isWellFormed() || /^(?:\.|%2e){0,2}$/i.test(text);
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A name that the agent made up must be told: the operation would not see it. */
function refuseOthers(given: object, known: readonly string[], above: readonly string[], fault: Faulting): void {
  const others = Object.keys(given).filter((name) => !known.includes(name));
  const inputs = known.length === 0 ? "there is none" : `the inputs are ${known.join(", ")}`;
  for (const name of others.slice(0, mostFaults)) {
    fault([...above, name.slice(0, 80)], `Expected no such input: ${inputs}`);
  }
}
