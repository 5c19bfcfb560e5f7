// Takes the types out of a TypeScript program and leaves the rest as it is written, blank lines and comments included.
// For programs of erasable syntax only, as those of the docs.
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript5");

/** The program in JavaScript. */
export function eraseTypes(code) {
  const source = ts.createSourceFile("program.ts", code, ts.ScriptTarget.Latest, true);
  const ranges = [];
  const drop = (from, to) => void ranges.push([from, to]);
  const dropNode = (node) => drop(node.getStart(), node.getEnd());
  /** From the sign in front of it, such as a colon, to its end. */
  const dropFrom = (sign, node) => {
    const before = code.lastIndexOf(sign, node.getStart());
    drop(before, node.getEnd());
  };
  const dropTypes = (list) => {
    if (list === undefined || list.length === 0) return;
    drop(code.lastIndexOf("<", list[0].getStart()), code.indexOf(">", list.at(-1).getEnd()) + 1);
  };
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return dropLines(node);
    if (ts.isImportDeclaration(node)) return visitImport(node);
    if (ts.isExportDeclaration(node) && node.isTypeOnly) return dropLines(node);
    if (ts.isFunctionDeclaration(node) && node.body === undefined) return dropLines(node);
    if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) return dropSpaced(node);
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      visit(node.expression);
      return drop(node.expression.getEnd(), node.getEnd());
    }
    if (ts.isNonNullExpression(node)) drop(node.expression.getEnd(), node.getEnd());
    if (ts.isModifier(node) && typeModifiers.has(node.kind)) return drop(node.getStart(), nextStart(node));
    if (ts.isPropertyDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword))
      return dropLines(node);
    if (node.questionToken !== undefined && (ts.isParameter(node) || ts.isPropertyDeclaration(node)))
      dropNode(node.questionToken);
    if (node.exclamationToken !== undefined) dropNode(node.exclamationToken);
    const isType = ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node);
    if (isType || ts.isTypeParameterDeclaration(node)) return undefined;
    dropTypes(node.typeParameters);
    dropTypes(node.typeArguments);
    if (node.type !== undefined && ts.isTypeNode(node.type)) dropFrom(":", node.type);
    return ts.forEachChild(node, visit);
  };
  const nextStart = (node) => /\S/.exec(code.slice(node.getEnd())).index + node.getEnd();
  const dropSpaced = (node) => drop(node.getStart(), nextStart(node));
  const dropLines = (node) => {
    const end = code.indexOf("\n", node.getEnd());
    const next = end === -1 ? code.length : end + 1;
    drop(node.getStart(), next + (code.startsWith("\n", next) ? 1 : 0));
  };
  const visitImport = (node) => {
    const { importClause } = node;
    if (importClause === undefined) return undefined;
    if (importClause.isTypeOnly) return dropLines(node);
    const elements = importClause.namedBindings?.elements ?? [];
    const values = elements.filter(({ isTypeOnly }) => !isTypeOnly);
    if (elements.length > 0 && values.length === 0 && importClause.name === undefined) return dropLines(node);
    if (values.length < elements.length) {
      const { namedBindings } = importClause;
      const names = values.map((element) => element.getText());
      const line = `{ ${names.join(", ")} }`;
      const wasLine = !namedBindings.getText().includes("\n");
      const text = wasLine || line.length < 80 ? line : `{\n${names.map((name) => `  ${name},\n`).join("")}}`;
      ranges.push([namedBindings.getStart(), namedBindings.getEnd(), text]);
    }
    return undefined;
  };
  visit(source);
  return ranges
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [from, to, instead = ""]) => text.slice(0, from) + instead + text.slice(to), code);
}

const { SyntaxKind } = ts;
const typeModifiers = new Set([
  SyntaxKind.PublicKeyword,
  SyntaxKind.PrivateKeyword,
  SyntaxKind.ProtectedKeyword,
  SyntaxKind.ReadonlyKeyword,
  SyntaxKind.AbstractKeyword,
  SyntaxKind.OverrideKeyword,
]);
