// Which functions that a file exports take a text: their types say so.
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { childrenOf, type Node } from "../package/syntax-tree.ts";

/**
 * Lists what a file exports, and what takes a text: a parameter says `string` or `unknown`, or has no type. Of a class,
 * parameters of its constructor and its methods count. A function of a parameter is the caller's own.
 */
export function textTakersIn(file: string): string[] {
  const program = parseAst(readFileSync(file, "utf8"), { lang: "ts" }) as unknown as { readonly body: readonly Node[] };
  return program.body.flatMap(({ type, declaration }) => {
    if (type !== "ExportNamedDeclaration" || declaration === null) return [];
    const { id, declarations } = declaration as unknown as {
      readonly id?: Node;
      readonly declarations?: readonly Node[];
    };
    const named = declarations ?? [{ ...(declaration as Node), id } as Node];
    return named.filter((one) => takesText(one)).map((one) => String((one["id"] as Node)["name"]));
  });
}

function takesText(node: Node): boolean {
  const { type, params, body, accessibility, init } = node as Node & {
    readonly params?: readonly Node[];
    readonly body?: Node & { readonly body?: readonly Node[] };
    readonly accessibility?: string;
    readonly init?: Node | null;
  };
  if (type === "ClassDeclaration" || type === "ClassExpression") {
    return (body!.body ?? []).some(({ type: kind, key, value }) => {
      const isOwn = (key as Node | undefined)?.type === "PrivateIdentifier";
      return kind === "MethodDefinition" && !isOwn && accessibility !== "private" && takesText(value as Node);
    });
  }
  if (init !== undefined && init !== null) return takesText(init);
  return (params ?? []).some((param) => saysText(param));
}

/** Whether the type of a parameter has a text in it, besides what functions there take. */
function saysText(node: Node): boolean {
  if (node.type === "TSStringKeyword" || node.type === "TSUnknownKeyword") return true;
  if (/^TS(?:Function|Constructor)Type$/.test(node.type)) return false;
  return childrenOf(node).some(saysText);
}
