// Reads what the entries of the package export off the declarations in dist/, with docstrings and examples.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ts = createRequire(import.meta.url)("typescript5");
const { exports: declared } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The entries under their short names: a file that has a long name besides is one entry. */
function entriesOf() {
  const byFile = new Map();
  for (const [name, { types }] of Object.entries(declared)) {
    if (types !== undefined && !byFile.has(types)) byFile.set(types, name);
  }
  return [...byFile].map(([types, name]) => ({
    types,
    specifier: `fingerpost${name.slice(1)}`,
    page: name === "." ? "semantics" : name.slice(2).replace(/^modules\/http\.(\w+)\.js$/, "$1"),
  }));
}

/** Everything that the entries export. A name that several entries have is one item, of the first of them. */
export function readApi() {
  const entries = entriesOf();
  const program = ts.createProgram(
    entries.map(({ types }) => join(root, types)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      // Names are all that is asked for: types of the language are not looked up, which takes a third of the time.
      noLib: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const items = new Map();
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  for (const entry of entries) {
    const source = program.getSourceFile(join(root, entry.types));
    if (source === undefined) throw new Error(`${entry.types} does not exist; run "npm run build" first`);
    entry.items = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map((exported) => {
      const symbol = resolved(exported);
      if (!items.has(symbol)) items.set(symbol, itemOf(exported, symbol, entry));
      return items.get(symbol);
    });
  }
  for (const item of items.values()) item.bases = basesOf(item, checker, resolved);
  showTypes(items, (node) => {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol === undefined ? undefined : resolved(symbol);
  });
  return { entries, items: [...items.values()] };
}

function itemOf(exported, { declarations }, entry) {
  const docs = declarations.map(docOf);
  return {
    name: exported.name,
    // A class that is exported as a type can neither be constructed nor asked for its static members.
    isType: exported.declarations.some(
      (specifier) => ts.isExportSpecifier(specifier) && ts.isTypeOnlyImportOrExportDeclaration(specifier),
    ),
    entry,
    declarations,
    kind: kindOf(declarations),
    doc: docs.find(({ text }) => text !== "") ?? docs[0],
    examples: docs.flatMap(({ examples }) => examples),
    shownBy: null,
  };
}

/**
 * What a class or an interface extends, and what these extend, as far as it is declared here: their members are its
 * own.
 */
function basesOf({ declarations }, checker, resolved) {
  const bases = declarations.flatMap(({ heritageClauses = [] }) =>
    heritageClauses.flatMap(({ types }) =>
      types.flatMap(({ expression }) => {
        const symbol = checker.getSymbolAtLocation(expression);
        return symbol === undefined ? [] : (resolved(symbol).declarations ?? []);
      }),
    ),
  );
  return bases.length === 0 ? [] : [...bases, ...basesOf({ declarations: bases }, checker, resolved)];
}

function kindOf(declarations) {
  if (declarations.some(ts.isFunctionDeclaration)) return "function";
  if (declarations.some(ts.isClassDeclaration)) return "class";
  return declarations.some(ts.isVariableDeclaration) ? "constant" : "type";
}

/** The docstring of a declaration or member, by its parts. */
export function docOf(node) {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  const textOf = (part) => ts.getTextOfJSDocComment(part?.comment)?.trim() ?? "";
  const named = (...names) => (comment?.tags ?? []).filter(({ tagName }) => names.includes(tagName.text));
  return {
    isExperimental: named("experimental").length > 0,
    // What is said of costs is for those who change the code.
    text: textOf(comment)
      .replace(/(?:^|\n\n)PERF: [^]*?(?=\n\n|$)/g, "")
      .trim(),
    params: named("param").map((tag) => [tag.name.getText(), textOf(tag).replace(/^- /, "")]),
    typeParams: named("typeParam").map((tag) => /^(\S+)\s*([^]*)$/.exec(textOf(tag)).slice(1)),
    returns: named("returns").map(textOf),
    throws: named("throws").map((tag) => `\`${tag.typeExpression?.type.getText() ?? "Error"}\` ${textOf(tag)}`),
    examples: named("example").map((tag) => /```\w*\n([^]*?)\n```/.exec(textOf(tag))?.[1] ?? textOf(tag)),
  };
}

/**
 * A type without an example is shown by that of the nearest name whose declaration speaks of it, over types in between.
 */
function showTypes(items, symbolAt) {
  const seen = new Map(
    [...items].filter(([, { examples }]) => examples.length > 0).map(([symbol, item]) => [symbol, item]),
  );
  for (const [symbol, from] of seen) {
    const visit = (node) => {
      const found = ts.isIdentifier(node) ? symbolAt(node) : undefined;
      if (found?.declarations !== undefined && !seen.has(found)) seen.set(found, from);
      ts.forEachChild(node, visit);
    };
    for (const declaration of symbol.declarations) visit(declaration);
  }
  for (const [symbol, item] of items) item.shownBy = seen.get(symbol) ?? null;
}

/** The text of a declaration as a user has to read it: without what is private, without docstrings. */
export function signaturesOf({ name, kind, declarations }) {
  return declarations.flatMap((declaration) => {
    if (ts.isFunctionDeclaration(declaration)) return [`function ${headOf(declaration)}`];
    if (ts.isVariableDeclaration(declaration)) return [`const ${name}: ${plain(declaration.type)}`];
    if (ts.isTypeAliasDeclaration(declaration))
      return [`type ${name}${typeParamsOf(declaration)} = ${plain(declaration.type)}`];
    if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
      if (kind === "class" && ts.isInterfaceDeclaration(declaration)) return [];
      const word = ts.isClassDeclaration(declaration) ? "class" : "interface";
      const abstract = declaration.modifiers?.some(({ kind: one }) => one === ts.SyntaxKind.AbstractKeyword);
      const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${plain(clause)}`).join("");
      return [`${abstract ? "abstract " : ""}${word} ${name}${typeParamsOf(declaration)}${heritage}`];
    }
    return [];
  });
}

/** The members of a class, an interface or an object type, those of its bases too, each with its text and docstring. */
export function membersOf({ declarations, bases, isType }) {
  const seen = new Set();
  return [declarations, bases].flatMap((some) => {
    const own = some.flatMap((declaration) => {
      const members = declaration.members ?? literalOf(declaration)?.members ?? [];
      return [...members].filter((member) => !isHidden(member, isType) && !seen.has(nameOf(member)));
    });
    for (const member of own) seen.add(nameOf(member));
    return own.map((member) => ({ text: plain(member).replace(/;$/, ""), doc: docOf(member) }));
  });
}

const nameOf = (member) => member.name?.getText() ?? ts.SyntaxKind[member.kind];

function isHidden(member, isType) {
  if (ts.isConstructorDeclaration(member)) return isType || docOf(member).text === "";
  const has = (...kinds) => member.modifiers?.some(({ kind }) => kinds.includes(kind)) === true;
  const { PrivateKeyword, DeclareKeyword, StaticKeyword } = ts.SyntaxKind;
  return (
    /^#|^"~|^httpModule$/.test(nameOf(member)) || has(PrivateKeyword, DeclareKeyword) || (isType && has(StaticKeyword))
  );
}

function literalOf(declaration) {
  return declaration.type !== undefined && ts.isTypeLiteralNode(declaration.type) ? declaration.type : undefined;
}

const typeParamsOf = ({ typeParameters = [] }) =>
  typeParameters.length === 0 ? "" : `<${typeParameters.map(plain).join(", ")}>`;

/** Name, parameters and result of a function; a line for each parameter where one line is too long. */
function headOf(declaration) {
  const name = `${declaration.name.text}${typeParamsOf(declaration)}`;
  const parameters = declaration.parameters.map(plain);
  const result = declaration.type === undefined ? "" : `: ${plain(declaration.type)}`;
  const line = `${name}(${parameters.join(", ")})${result}`;
  if (line.length <= 68 || parameters.length === 0) return line;
  return `${name}(\n${parameters.map((parameter) => `  ${parameter},\n`).join("")})${result}`;
}

/** The text of a node without comments. */
function plain(node) {
  return node
    .getText()
    .replace(/\/\*\*[^]*?\*\/\s*/g, "")
    .replace(/^ {4}/gm, "  ")
    .trim();
}
