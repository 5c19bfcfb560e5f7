// What a report of the interface exports, and whether a later report still gives it: the compiler decides.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compile } from "./compiled-programs.js";

const ts = createRequire(import.meta.url)("typescript5");

const known = new Map();

/**
 * The exported names of a report: whether each is a value, how many type arguments it needs, its members, and whether
 * it or some of its members were experimental.
 */
export function exportsOf(report) {
  if (!known.has(report)) known.set(report, readExports(report));
  return known.get(report);
}

function readExports(report) {
  const source = ts.createSourceFile("report.d.ts", report, ts.ScriptTarget.Latest, true);
  const declared = new Map();
  const exported = new Map();
  const marks = new Map();
  for (const statement of source.statements) {
    const [, mark] = /\/\/ (.+)\n$/.exec(report.slice(statement.pos, statement.getStart())) ?? [];
    if (ts.isExportDeclaration(statement)) {
      for (const { name, propertyName } of statement.exportClause?.elements ?? [])
        exported.set(name.text, (propertyName ?? name).text);
      for (const { name } of statement.exportClause?.elements ?? []) marks.set(name.text, mark);
      continue;
    }
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.text)
      : [statement.name?.text];
    for (const name of names) {
      add(declared, name, statement);
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
      if (isExported) exported.set(name, name);
      if (isExported) marks.set(name, mark);
    }
  }
  return new Map(
    [...exported].map(([name, declaredAs]) => {
      const found = declared.get(declaredAs) ?? nothing;
      // A type that is another under a new name has its members.
      const mark = marks.get(name) ?? "";
      const own = new Set(/experimental: (.+)/.exec(mark)?.[1].split(", "));
      const members = declared.get(found.alias)?.members ?? found.members;
      return [
        name,
        {
          ...found,
          members,
          isStable: mark.startsWith("stable"),
          isExperimental: mark === "experimental",
          experimental: own,
        },
      ];
    }),
  );
}

const nothing = { isValue: true, isType: false, parameters: null, members: new Set() };

/** A name may be declared several times: overloads, and an interface beside a constant. */
function add(declared, name, statement) {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const isClass = ts.isClassDeclaration(statement);
  const body = ts.isTypeAliasDeclaration(statement) ? statement.type : statement;
  const members = isClass || isType ? (body.members ?? []) : [];
  const before = declared.get(name) ?? { ...nothing, isValue: false };
  const { typeParameters } = statement;
  declared.set(name, {
    isValue: before.isValue || !isType,
    isType: before.isType || isType || isClass,
    parameters:
      isType || isClass ? (typeParameters ?? []).filter((one) => one.default === undefined).length : before.parameters,
    isGeneric: (isType || isClass) && typeParameters !== undefined,
    alias:
      ts.isTypeAliasDeclaration(statement) && ts.isTypeReferenceNode(body) ? body.typeName.getText() : before.alias,
    text: `${before.text ?? ""}${statement.getText()}`,
    members: new Set([...before.members, ...members.flatMap((member) => member.name?.getText() ?? [])]),
  });
}

/**
 * The exports that no longer do what they did. Of a value, the new one must be usable wherever the old one was. Of a
 * type without parameters, one of the two must be usable as the other. A generic type must take as many arguments.
 * Some types the compiler cannot even compare with a copy of their own: those are `unclear`, if their text differs.
 */
export function narrowedExports(root, before, reports, pairs) {
  const folder = mkdtempSync(join(root, "node_modules", ".interface-"));
  try {
    const rooms = { old: Object.entries(before), copy: Object.entries(before), new: Object.entries(reports) };
    for (const [room, texts] of Object.entries(rooms)) {
      mkdirSync(join(folder, room));
      for (const [name, text] of texts) writeFileSync(join(folder, room, `${name}.d.ts`), forUsers(text));
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const said = faultsIn(root, folder, pairs.map(programOf));
    const faulty = pairs.filter((_, at) => said[at] !== undefined);
    const copies = faulty.map((pair) => programOf({ ...pair, now: pair.name, current: pair.old, room: "copy" }));
    const control = faultsIn(root, folder, copies);
    const narrowed = pairs.flatMap((pair) => arityFaults(pair).map((text) => faultOf(pair, text)));
    const unclear = [];
    for (const [at, pair] of faulty.entries()) {
      const fault = faultOf(pair, `${pair.name} of ${pair.entry}: ${shortened(said[pairs.indexOf(pair)])}`);
      if (control[at] === undefined) narrowed.push(fault);
      else if (pair.was.text !== pair.found.text) unclear.push(`${pair.name} of ${pair.entry}`);
    }
    return { narrowed, unclear };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const faultOf = ({ was }, text) => ({ text, wasExperimental: was.isExperimental });

const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The last line of what the compiler says of each program, which is the most particular. */
function faultsIn(root, folder, programs) {
  for (const [at, code] of programs.entries()) if (code !== null) writeFileSync(join(folder, `${at}.ts`), code);
  const files = programs.flatMap((code, at) => (code === null ? [] : [`${at}.ts`]));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files, include: [] }));
  const said = [];
  for (const [, at, text] of compile(root, folder).matchAll(/^(\d+)\.ts\(\d+,\d+\): error TS\d+: (.*(?:\n .*)*)/gm))
    said[at] ??= explained(text.split("\n").at(-1).trim());
  return said;
}

/** Without constructors that take what only the package makes: nobody else calls them. */
function forUsers(report) {
  const own = [...report.matchAll(/^(?:abstract )?class (\w+)/gm)].map(([, name]) => name);
  const internal = new RegExp(String.raw`^ {4}constructor\(.*\b(?:${own.join("|")})\b.*\n`, "gm");
  return own.length === 0 ? report : report.replace(internal, "");
}

const explained = (text) =>
  text === "Type 'true' is not assignable to type 'false'."
    ? "neither of the two types can be used as the other"
    : text.replaceAll(/import\("[^"]*"\)\./g, "");

const shortened = (text) => (text.length > 240 ? `${text.slice(0, 240)} …` : text);

function arityFaults({ name, entry, was, found }) {
  const faults = [];
  if (was.isValue && !found.isValue) faults.push(`${name} of ${entry}: is a type only`);
  if (was.isType && !found.isType) faults.push(`${name} of ${entry}: is no type`);
  if (was.isType && found.isType && found.parameters > was.parameters)
    faults.push(`${name} of ${entry}: needs ${found.parameters} type arguments, where it needed ${was.parameters}`);
  return faults;
}

function programOf({ name, now, old, current, was, found, room = "new" }) {
  const imports = [
    `import type * as Old from "./old/${old}.js";`,
    `import type * as Now from "./${room}/${current}.js";`,
  ]
    .map((line) => `${line}\n`)
    .join("");
  if (was.isValue && found.isValue)
    return `${imports}declare const now: typeof Now.${now};\nexport const old: typeof Old.${name} = now;\n`;
  if (was.isType && found.isType && !was.isGeneric && !found.isGeneric) {
    const [before, after] = [`[Old.${name}]`, `[Now.${now}]`];
    const isKept = `${before} extends ${after} ? true : ${after} extends ${before} ? true : false`;
    return `${imports}export const isKept: ${isKept} = true;\n`;
  }
  return null;
}
