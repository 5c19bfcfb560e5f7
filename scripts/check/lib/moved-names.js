// What docs/from-beta-1.md says that became of names: read from its tables, and done to programs. So every program that
// the docs had tries the page.
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript5");

const spansOf = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** The rows of the table below a heading, each as its cells. */
function rowsBelow(page, heading) {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`The page has no heading "${heading}"`);
  const lines = section.split("\n## ")[0].split("\n");
  return lines.filter((line) => line.startsWith("| ") && !line.startsWith("| in beta"));
}
const cellsOf = (row) => row.split(/(?<!\\)\|/).slice(1, -1);

/** `fingerpost/client/around`, `/events` are two names: the second is beside the first. */
function entriesIn(cell) {
  const spans = spansOf(cell);
  return spans.map((span) => (span.startsWith("/") ? spans[0].replace(/\/[^/]*$/, span) : span));
}

/** A page without rows: nothing has moved. */
export const noMoves = { entries: [], shortened: false, functions: [], options: [], members: [], unread: [] };

/** The tables of the page, and the rows that have a form that no program can follow. */
export function readMoves(page) {
  const moves = { entries: [], shortened: false, functions: [], options: [], members: [], unread: [] };
  for (const row of rowsBelow(page, "Entries")) {
    const [from, names, to] = cellsOf(row);
    const [target] = spansOf(to);
    if (/any other name that ends in `\.js`/.test(from)) moves.shortened = true;
    else if (target === undefined || !entriesIn(from)[0]?.startsWith("fingerpost")) moves.unread.push(row);
    else {
      const named = /everything/.test(names) ? null : new Set(spansOf(names));
      for (const entry of entriesIn(from)) moves.entries.push({ entry, names: named, target });
    }
  }
  for (const row of rowsBelow(page, "Functions")) {
    const [from, to] = cellsOf(row).map((cell) => /`(\w+)(?:\(([^`]*)\))?`(?: of `(fingerpost[^`]*)`)?/.exec(cell));
    if (from === null || to === null) moves.unread.push(row);
    else {
      const parameters = from[2] === undefined || from[2] === "" ? null : from[2].split(",").length;
      moves.functions.push({ name: from[1], parameters, entry: from[3], now: to[1] });
    }
  }
  for (const row of rowsBelow(page, "Options")) {
    const [from, to] = cellsOf(row);
    const [, name, callee] = /^ `(\w+)` of `\.?(\w+)(?:\(\))?` $/.exec(from) ?? [];
    const [, now] = /^ `(\w+)`/.exec(to) ?? [];
    if (name === undefined || now === undefined) moves.unread.push(row);
    else moves.options.push({ name, callee, now });
  }
  for (const row of rowsBelow(page, "Members of classes")) {
    const member = memberOf(cellsOf(row));
    if (member === null) moves.unread.push(row);
    else moves.members.push(member);
  }
  return moves;
}

/** A row about what classes have: a value, the name of a member inside it, a method, or a list that is one now. */
function memberOf([from, to]) {
  const [before, after] = [from, to].map((cell) => /^ `(.+?)(?: as const)?`/.exec(cell)?.[1] ?? "");
  const [, name, value] = /^(\w+): (.+)$/.exec(before) ?? [];
  const [, inner, given] = /^\{ (\w+): (.+) \}$/.exec(value ?? "") ?? [];
  if (inner !== undefined && after.startsWith(`${name}: { `)) {
    const now = /^\{ (\w+): /.exec(after.slice(name.length + 2))[1];
    return { kind: "inner", name, inner, given, now };
  }
  if (name !== undefined) return { kind: "value", name, value, now: after };
  const [, method] = /^this\.(\w+)\(/.exec(before) ?? [];
  if (method !== undefined) return { kind: "method", name: method, now: /^this\.(\w+)\(/.exec(after)[1] };
  const [, spread] = /\(\.\.\.(\w+)\(/.exec(before) ?? [];
  return spread === undefined ? null : { kind: "list", name: spread };
}

/** Whether what the compiler misses in a program is what a row says that no program can follow. */
export function isTold({ unread }, fault) {
  const [, missed] = /Property '(\w+)' does not exist/.exec(fault) ?? [];
  return unread.some((row) => spansOf(cellsOf(row)[0]).includes(missed));
}

const replaced = (part, text) => [{ at: part.getStart(), end: part.end, text }];

/** Changes what classes have. */
function memberEdits({ members }, node) {
  const rowOf = (kind, name) => members.find((row) => row.kind === kind && row.name === name);
  if (ts.isSpreadElement(node) && ts.isCallExpression(node.expression))
    return rowOf("list", node.expression.expression.getText()) === undefined
      ? []
      : replaced(node, node.expression.getText());
  if (ts.isPropertyAccessExpression(node)) {
    const row = rowOf("method", node.name.text);
    return row === undefined ? [] : replaced(node.name, row.now);
  }
  if (!ts.isPropertyAssignment(node)) return [];
  const text = node.initializer.getText().replace(/ as const$/, "");
  const value = members.find((row) => row.kind === "value" && row.name === node.name.getText() && row.value === text);
  if (value !== undefined) return replaced(node, value.now);
  const holder = node.parent.parent;
  const inner = members.find((row) => row.kind === "inner" && row.inner === node.name.getText());
  const isHeld = inner !== undefined && ts.isPropertyAssignment(holder) && holder.name.getText() === inner.name;
  return isHeld ? replaced(node.name, inner.now) : [];
}

/** Where a name of an entry is now. The entry itself, if the page has no row for it. */
export function targetOf(moves, entry, name) {
  const rows = moves.entries.filter((row) => row.entry === entry || `${row.entry}.js` === entry);
  const row = rows.find(({ names }) => names?.has(name)) ?? rows.find(({ names }) => names === null);
  if (row !== undefined) return row.target;
  return moves.shortened && entry.endsWith(".js") ? entry.slice(0, -".js".length) : entry;
}

/** Changes a program by what the page says, as a person would who reads it. */
export function moved(moves, code) {
  const source = ts.createSourceFile("program.ts", code, ts.ScriptTarget.Latest, true);
  const edits = [];
  const isOurs = (node) => node !== undefined && ts.isStringLiteral(node) && /^fingerpost(?:\/|$)/.test(node.text);
  const added = calledUnderOtherNames(moves, source, edits);
  for (const statement of source.statements) {
    if (!(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) continue;
    if (isOurs(statement.moduleSpecifier)) edits.push(importEdit(moves, statement, added));
  }
  const visit = (node) => {
    const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const argument = isImport
      ? node.arguments[0]
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : undefined;
    if (isOurs(argument))
      edits.push({ at: argument.getStart(), end: argument.end, text: `"${targetOf(moves, argument.text, "*")}"` });
    if (ts.isCallExpression(node)) edits.push(...optionEdits(moves, node));
    edits.push(...memberEdits(moves, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  let text = code;
  for (const { at, end, text: now } of edits.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + now + text.slice(end);
  return text;
}

/** Renames calls of functions that only one form of has another name; gives what is to be imported besides. */
function calledUnderOtherNames({ functions }, source, edits) {
  const added = new Map();
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const called = node.expression;
      const row = functions.find(
        ({ name, parameters }) => name === called.text && parameters === node.arguments.length,
      );
      if (row !== undefined) {
        edits.push({ at: called.getStart(), end: called.end, text: row.now });
        added.set(row.name, row.now);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return added;
}

/** The text of an import or export of the package, by its new entries. */
function importEdit({ functions, ...moves }, statement, added) {
  const entry = statement.moduleSpecifier.text;
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement.exportClause;
  const named = ts.isImportDeclaration(statement) ? clause?.namedBindings : clause;
  const edit = (text) => ({ at: statement.getStart(), end: statement.end, text });
  if (named === undefined || !(ts.isNamedImports(named) || ts.isNamedExports(named))) {
    const { moduleSpecifier } = statement;
    return {
      at: moduleSpecifier.getStart(),
      end: moduleSpecifier.end,
      text: JSON.stringify(targetOf(moves, entry, "*")),
    };
  }
  const groups = new Map();
  for (const element of named.elements) {
    const name = (element.propertyName ?? element.name).text;
    const target = targetOf(moves, entry, name);
    const renamed = functions.find(
      (row) => row.name === name && row.parameters === null && (row.entry ?? entry) === entry,
    );
    const text =
      renamed === undefined
        ? element.getText()
        : element.getText().replace(name, `${renamed.now} as ${element.name.text}`);
    const more = added.has(name) ? [added.get(name)] : [];
    groups.set(target, [...(groups.get(target) ?? []), text, ...more]);
  }
  const word = ts.isImportDeclaration(statement) ? "import" : "export";
  const kind = clause.isTypeOnly || statement.isTypeOnly ? " type" : "";
  return edit(
    [...groups].map(([target, names]) => `${word}${kind} { ${names.join(", ")} } from "${target}";`).join(" "),
  );
}

/** Renames options in the objects that a function is called with. */
function optionEdits({ options }, call) {
  const { expression } = call;
  const callee = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  const rows = options.filter((row) => row.callee === callee);
  if (rows.length === 0) return [];
  return call.arguments.filter(ts.isObjectLiteralExpression).flatMap(({ properties }) =>
    properties.flatMap((property) => {
      const row = rows.find(({ name }) => property.name?.getText() === name);
      if (row === undefined) return [];
      const { name } = property;
      const text = ts.isShorthandPropertyAssignment(property) ? `${row.now}: ${name.text}` : row.now;
      return [{ at: name.getStart(), end: name.end, text }];
    }),
  );
}
