import { anything, type AnswerShape } from "./answer-shape.ts";
import type { JsonSchema } from "../shape/json-schema.ts";
import { nodeOf, type SchemaNode } from "../shape/schema-node.ts";

/**
 * Makes shapes when they are needed. Members and items can wait until all that holds them is there, and so may hold it
 * themselves.
 */
export abstract class LaterShapes {
  protected readonly root: JsonSchema;
  readonly #bySchema = new Map<JsonSchema, AnswerShape>();
  /** How shapes will be made. */
  readonly #waiting = new Map<AnswerShape, () => AnswerShape>();
  /** Shapes that are being made: a schema that is a branch or a part of itself adds nothing to itself. */
  readonly #open = new Set<AnswerShape>();
  /** The parts of joined members. Joined again, members have no more parts than there are at all. */
  readonly #parts = new Map<AnswerShape, readonly AnswerShape[]>();
  readonly #joined = new Map<string, AnswerShape>();
  readonly #ids = new Map<AnswerShape, number>();

  constructor(root: JsonSchema) {
    this.root = root;
  }

  protected abstract read(node: SchemaNode): AnswerShape;

  protected abstract join(one: AnswerShape, other: AnswerShape): AnswerShape;

  /** Returns the shape of the whole document, when all shapes are made: those, too, that others add meanwhile. */
  whole(): AnswerShape {
    const top = this.of(this.root);
    for (const shape of this.#waiting.keys()) this.now(shape);
    return top;
  }

  /** Returns the shape of a member or an item: the same one each time. */
  of(value: unknown): AnswerShape {
    const node = nodeOf(value, this.root);
    let shape = this.#bySchema.get(node.schema);
    if (shape === undefined) this.#bySchema.set(node.schema, (shape = this.later(() => this.read(node))));
    return shape;
  }

  /** Returns the shapes of branches or parts, which have to be there first. */
  made(schemas: readonly unknown[]): AnswerShape[] {
    return schemas.map((schema) => this.now(this.of(schema))).filter((shape) => !this.#open.has(shape));
  }

  later(make: () => AnswerShape): AnswerShape {
    const shape: AnswerShape = { ...anything };
    this.#waiting.set(shape, make);
    return shape;
  }

  /** Makes a shape, unless it is there or being made. */
  now(shape: AnswerShape): AnswerShape {
    const make = this.#waiting.get(shape);
    if (make === undefined) return shape;
    this.#waiting.delete(shape);
    this.#open.add(shape);
    Object.assign(shape, make());
    this.#open.delete(shape);
    return shape;
  }

  /** Returns the shape of a member or an item that has both shapes. */
  both(one: AnswerShape, other: AnswerShape): AnswerShape {
    const parts = [...new Set([one, other].flatMap((shape) => this.#parts.get(shape) ?? [shape]))];
    if (parts.length === 1) return one;
    const ids = parts.map((part) => this.#idOf(part));
    const key = ids.toSorted((a, b) => a - b).join();
    let shape = this.#joined.get(key);
    if (shape === undefined) {
      shape = this.later(() => parts.map((part) => this.now(part)).reduce((all, part) => this.join(all, part)));
      this.#joined.set(key, shape);
      this.#parts.set(shape, parts);
    }
    return shape;
  }

  #idOf(shape: AnswerShape): number {
    let id = this.#ids.get(shape);
    if (id === undefined) this.#ids.set(shape, (id = this.#ids.size));
    return id;
  }
}
