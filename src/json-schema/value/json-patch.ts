import { ownOf } from "../../http/javascript/property.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { isEqualJson, type StepsLeft } from "./equal-json.ts";
import { isObject } from "./merge-patch.ts";

/** So many operations a patch may have: each may look at the whole document. */
const mostOperations = 1000;

/**
 * So many members and entries the operations of a patch may look at or move together. A `test` of an object reads all
 * of its names, and 1,000 of them read 90 million names of a document of 90,000.
 */
const mostSteps = 500_000;

/** As deep as content may be nested: what comes after it calls itself for each level. */
const deepest = 512;

/**
 * Applies a JSON Patch (RFC 6902) to a document, which it may change: all of the operations, or none that anybody sees.
 *
 * @param maxBytes how much text copies may add: 18 of them make 4 MB of 9 bytes.
 * @throws {HTTPError} 400 when it is not a patch.
 * @throws {HTTPError} 409 when an operation leads to a value that is not there, or a test fails (RFC 5789 §2.2).
 * @throws {HTTPError} 413 when it has more than 1,000 operations or takes too many steps.
 * @throws {HTTPError} 413 when its copies are larger than `maxBytes`, or when it nests the document too deep.
 */
export function jsonPatched(document: unknown, patch: unknown, maxBytes: number): unknown {
  if (!Array.isArray(patch)) throw refusal(Status.BadRequest, "A JSON Patch must be a list");
  if (patch.length > mostOperations) {
    throw refusal(Status.ContentTooLarge, `The patch has more than ${mostOperations} operations`);
  }
  const run = new PatchRun(document, maxBytes);
  for (const step of patch.map(stepOf)) run.apply(step);
  // Once for all operations: to measure after each of them costs operations times the size of the document.
  if (depthOf(run.document) > deepest) throw nestedTooDeep();
  return run.document;
}

/** An operation that was read: its pointers as the tokens below a member that holds the document. */
interface PatchStep {
  readonly op: string;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: unknown;
  /** The place of the operation in the patch. Errors say nothing else of what was sent. */
  readonly at: number;
}

const operations: ReadonlySet<unknown> = new Set(["add", "remove", "replace", "move", "copy", "test"]);

function stepOf(operation: unknown, at: number): PatchStep {
  if (!isObject(operation)) throw refusal(Status.BadRequest, `Operation ${at} must be an object`);
  const own = ownOf({ ...operation });
  const { op, value } = own;
  if (!operations.has(op)) {
    throw refusal(Status.BadRequest, `Operation ${at} must be add, remove, replace, move, copy or test`);
  }
  const pointer = (member: "path" | "from"): string[] => {
    const text = own[member];
    // RFC 6901 §3.
    if (typeof text === "string" && /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)) {
      return text.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    throw refusal(Status.BadRequest, `Operation ${at} needs a ${member} that is a JSON Pointer`);
  };
  const hasSource = op === "move" || op === "copy";
  if (!hasSource && op !== "remove" && value === undefined) {
    throw refusal(Status.BadRequest, `Operation ${at} needs a value`);
  }
  const path = pointer("path");
  const from = hasSource ? pointer("from") : path;
  if (op === "move" && from.length < path.length && from.every((token, index) => token === path[index])) {
    throw refusal(Status.BadRequest, `Operation ${at} moves a value into itself`);
  }
  return { op: op as string, path, from, value, at };
}

function nestedTooDeep(): HTTPError {
  return refusal(Status.ContentTooLarge, "The patch nests the content too deep");
}

function leadsNowhere({ at }: PatchStep): HTTPError {
  return refusal(Status.Conflict, `Operation ${at} leads to a value that does not exist`);
}

type Container = unknown[] | Record<string, unknown>;

class PatchRun {
  /** The document is the member of an object: so it can be replaced like others. */
  readonly #holder: Record<string, unknown>;
  #copiesLeft: number;
  readonly #left: StepsLeft = { steps: mostSteps };

  constructor(document: unknown, maxBytes: number) {
    this.#holder = { "": document };
    this.#copiesLeft = maxBytes;
  }

  get document(): unknown {
    return this.#holder[""];
  }

  /** @throws {HTTPError} 413 when the operations so far have taken too many steps; else as `jsonPatched()` does. */
  apply(step: PatchStep): void {
    this.#perform(step);
    if (this.#left.steps < 0) throw refusal(Status.ContentTooLarge, "The patch needs too many steps");
  }

  #perform(step: PatchStep): void {
    const { op, path, from, value, at } = step;
    switch (op) {
      case "add":
        return this.#add(step, copyOf(value));
      case "replace":
        this.#valueAt(path, step);
        // A value of a list is replaced where it stands.
        return this.#put(path, copyOf(value), step);
      case "test":
        if (isEqualJson(this.#valueAt(path, step), value, this.#left)) return undefined;
        throw refusal(Status.Conflict, `Operation ${at} is a test that fails`);
      case "remove":
        return void this.#remove(path, step);
      case "copy": {
        const source = this.#valueAt(from, step);
        // `JSON.stringify()` calls itself for each level.
        if (depthOf(source) > deepest) throw nestedTooDeep();
        const text = JSON.stringify(source);
        this.#copiesLeft -= text.length;
        if (this.#copiesLeft < 0) throw refusal(Status.ContentTooLarge, "The patch makes the content too large");
        return this.#add(step, JSON.parse(text));
      }
      default: {
        if (from.join("/") === path.join("/")) return void this.#valueAt(path, step);
        return this.#add(step, this.#remove(from, step));
      }
    }
  }

  #add(step: PatchStep, value: unknown): void {
    const { path } = step;
    const container = this.#containerOf(path, step);
    const token = path.at(-1)!;
    if (!Array.isArray(container)) return this.#put(path, value, step);
    const index = token === "-" ? container.length : indexIn(token, container.length, step);
    this.#shift(container, index);
    container.splice(index, 0, value);
  }

  /** Sets a member. What is there is replaced. */
  #put(path: readonly string[], value: unknown, step: PatchStep): void {
    // Defined: a name may be one of the prototype's.
    const property = ownOf({ value, writable: true, enumerable: true, configurable: true });
    Object.defineProperty(this.#containerOf(path, step), path.at(-1)!, property);
  }

  /** Charges for the entries of a list that move by one place: some 64 move in the time of a step. */
  #shift(list: readonly unknown[], index: number): void {
    this.#left.steps -= (list.length - index) / 64;
  }

  #remove(path: readonly string[], step: PatchStep): unknown {
    if (path.length === 1) throw refusal(Status.Conflict, `Operation ${step.at} removes the whole content`);
    const container = this.#containerOf(path, step);
    const token = path.at(-1)!;
    const value = memberOf(container, token, step);
    if (Array.isArray(container)) {
      this.#shift(container, Number(token));
      container.splice(Number(token), 1);
    } else delete container[token];
    return value;
  }

  #valueAt(path: readonly string[], step: PatchStep): unknown {
    return memberOf(this.#containerOf(path, step), path.at(-1)!, step);
  }

  #containerOf(path: readonly string[], step: PatchStep): Container {
    let at: unknown = this.#holder;
    for (const token of path.slice(0, -1)) at = memberOf(at, token, step);
    if (typeof at === "object" && at !== null) return at as Container;
    throw leadsNowhere(step);
  }
}

function memberOf(container: unknown, token: string, step: PatchStep): unknown {
  if (Array.isArray(container)) return container[indexIn(token, container.length - 1, step)] as unknown;
  if (isObject(container) && Object.hasOwn(container, token)) return container[token];
  throw leadsNowhere(step);
}

/** Reads the index of a list (RFC 6901 §4). */
function indexIn(token: string, last: number, step: PatchStep): number {
  if (/^(?:0|[1-9]\d*)$/.test(token) && Number(token) <= last) return Number(token);
  throw leadsNowhere(step);
}

/** The patch stays as it is: it may be applied again. */
function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** How deep lists and objects of a value are nested. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; ; depth++) {
    const inside = level.filter((one) => typeof one === "object" && one !== null) as object[];
    if (inside.length === 0) return depth;
    level = inside.flatMap((one) => Object.values(one) as unknown[]);
  }
}
