import { childrenOf, isNode, isText, visit, type Node } from "./syntax-tree.ts";

/** Puts texts together: constants, and functions that do nothing but return one text, are read where they are used. */
export class TextReader {
  /** Texts that are parts of others, or no messages. */
  readonly used = new Set<Node>();
  /** The classes of errors whose message is a constant. */
  readonly classes = new Map<Node, string>();
  readonly #values = new Map<string, Node>();
  /** What loops go through, by the names that they give to it. */
  readonly #lists = new Map<string, Node[]>();

  /** Beginnings that callers in other files pass in, by the names of parameters. */
  readonly #given: ReadonlyMap<string, string>;

  constructor(program: Node, given: ReadonlyMap<string, string> = new Map()) {
    this.#given = given;
    const ambiguous = new Set<string>();
    const define = (name: string, value: Node): void => {
      if (this.#values.has(name)) ambiguous.add(name);
      this.#values.set(name, value);
    };
    visit(program, null, (node) => {
      const { id, init, body } = node as { id?: { name?: string }; init?: Node; body?: { body?: Node[] } };
      if (node.type === "ForOfStatement") this.#defineLoop(node["left"] as Node, node["right"] as Node);
      if (node.type === "VariableDeclarator" && id?.name !== undefined && isNode(init)) define(id.name, init);
      const only = body?.body?.length === 1 ? body.body[0] : undefined;
      if (node.type === "FunctionDeclaration" && only?.type === "ReturnStatement")
        define(`${id!.name}()`, only["argument"] as Node);
      return true;
    });
    for (const name of ambiguous) this.#values.delete(name);
  }

  /** Leaves out the texts in a node, and in the constants that it names. */
  leaveOut(node: Node): void {
    // A function that is passed on has texts of its own.
    if (node.type.endsWith("FunctionExpression") || this.used.has(node)) return;
    this.used.add(node);
    const lists = node.type === "Identifier" ? this.#lists.get(node["name"] as string) : undefined;
    for (const next of [...childrenOf(node), ...(lists ?? []), ...this.#valueOf(node)]) this.leaveOut(next);
  }

  /** Has the constant that stands where a message is expected be one of that class. */
  nameClass(node: Node, errorClass: string): void {
    for (const value of this.#valueOf(node)) this.classes.set(value, errorClass);
  }

  #valueOf({ type, name }: Node): Node[] {
    const value = type === "Identifier" ? this.#values.get(name as string) : undefined;
    return value === undefined ? [] : [value];
  }

  #defineLoop(left: Node, list: Node): void {
    visit(left, null, (node) => {
      if (node.type === "Identifier")
        this.#lists.set(node["name"] as string, [...(this.#lists.get(node["name"] as string) ?? []), list]);
      return true;
    });
  }

  textsOf(node: Node): string[] {
    if (node.type === "Literal" && typeof node["value"] === "string") return [node["value"]];
    if (node.type === "BinaryExpression" && isText(node)) {
      return product([this.textsOf(node["left"] as Node), this.textsOf(node["right"] as Node)]);
    }
    if (node.type === "TemplateLiteral") {
      const quasis = node["quasis"] as { value: { cooked: string } }[];
      const expressions = node["expressions"] as Node[];
      return product(
        quasis.flatMap(({ value }, index) => [
          [value.cooked],
          ...(index < expressions.length ? [this.#partOf(expressions[index]!)] : []),
        ]),
      );
    }
    return ["{}"];
  }

  /** The texts that an expression inside a template can stand for: `{}` unless it is known in full. */
  #partOf(expression: Node): string[] {
    const { type, name, callee } = expression as { type: string; name?: string; callee?: { name?: string } };
    const value = this.#values.get(type === "CallExpression" ? `${callee?.name}()` : String(name));
    if (value === undefined) return [this.#given.get(String(name)) ?? "{}"];
    const branches = value.type === "ConditionalExpression" ? [value["consequent"], value["alternate"]] : [value];
    if (!(branches as Node[]).every(isText)) return ["{}"];
    for (const branch of branches as Node[]) this.used.add(branch);
    return (branches as Node[]).flatMap((branch) => this.textsOf(branch));
  }
}

function product(parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>((texts, part) => texts.flatMap((text) => part.map((next) => text + next)), [""]);
}
