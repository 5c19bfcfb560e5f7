// Counts the way of a parameter through the code: its stays, rooms and climbs.
//
// - A stay is a function that gets the parameter and does something with it: reads a member, takes it apart, branches
//   on it, iterates it, waits for it, calls it or looks it up in a table. A function that only passes it on, returns
//   it or keeps it is no stay.
// - An arrow leads from a function to one that it passes the parameter to: as it is, as a member of an object literal,
//   or in an instance whose constructor kept it. A climb is an arrow to a file on a higher floor than the caller's.
// - A room is a folder of `src`, as imports.js has them; the rooms of a way are those of its stays.
// - Floors follow from the imports: a folder is one above the highest folder that it imports, types included. A file
//   that is an entry of the package is a folder of its own, as in imports.js.
//
// A function is what is declared by `function`, as a method or accessor of a class, as an arrow function that a
// constant is, or as a function that is a member of an object literal. Other functions inside of it belong to it. What
// a function returns is another value. A call is followed to what its name means in its file: a function or class
// there, an import, a method of `this`, of a class that an annotation or `new` names, or else the only method or member
// function in all of `src` of that name, with parameters of the same names. Calls through handlers of users, tables and
// interfaces with several implementations end there, and so do names that objects of the platform have. What a `throw`
// or an error takes is not on the way. Where a way begins at a constructor, each method of its instance gets what it
// keeps.
//
//   node scripts/check/walk.js                                  prints the named ways, with their limits
//   node scripts/check/walk.js perform.ts:perform:request       prints each stay of one way
//   node scripts/check/walk.js key                              prints each stay of a named way
//   node scripts/check/walk.js --root=DIR                       looks at another checkout
//   node scripts/check/walk.js --hold                           fails above the limits
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

/**
 * Ways by name: where they begin, as function and parameter, and the most stays and climbs. A beginning is found by the
 * name of its function wherever that is; of several names the first one that there is counts.
 */
const ways = {
  request: { from: ["perform:request"], stays: 12, climbs: 3 },
  // Middleware of sessions around an operation with a key.
  key: {
    from: [
      "Dispatcher.answer:input",
      "Sessions.ALL:input",
      "perform:request",
      "keyedWriteOf:call|writeOf:call",
      "WriteRun.constructor:write|LineWrite.constructor:call",
    ],
    stays: 27,
    climbs: 5,
  },
  // The message of Node, then the request, then what reads it, then its chunks.
  upload: {
    from: [
      "chunksOf:message",
      "push:chunk",
      "FormReader.read:input",
      "MultipartReader.constructor:source",
      "MultipartReader.#begin:chunk",
      "Part.constructor:reader",
      "memory.ts:store:content",
    ],
    stays: 14,
    climbs: 3,
  },
  // The request, from its check until the server of Node or Bun has taken it.
  handshake: {
    from: [
      "semantics/socket.ts:check:request",
      "semantics/socket.ts:accept:request",
      "takeAccepted:request",
      "settleHandshake:request",
      "completedByBun:request|complete:request",
    ],
    stays: 7,
    climbs: 2,
  },
};

const wishes = process.argv.slice(2);
const option = (name) => wishes.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
const root = option("root") ?? fileURLToPath(new URL("../..", import.meta.url));
const src = join(root, "src");

// --- The sources ---

const files = new Map();
for (const path of readdirSync(src, { recursive: true }).map((one) => normalize(one).replaceAll("\\", "/"))) {
  if (!path.endsWith(".ts") || path.endsWith(".test.ts")) continue;
  const program = parseAst(readFileSync(join(src, path), "utf8"), { lang: "ts" });
  files.set(path, { path, program, imports: new Map(), functions: new Map(), classes: new Map(), targets: [] });
}

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = new Set(
  Object.values(exports).flatMap(({ default: built }) => built?.replace(/^\.\/dist\/(.+)\.js$/, "$1.ts") ?? []),
);
const folderOf = (path) => (entries.has(path) ? path : dirname(path));

/** Names of methods that objects of the platform have: who calls one of these without naming a class means theirs. */
const platform = new Set(
  [Object, Function, Array, Map, Promise, String, RegExp, Headers, Request, URLSearchParams, ReadableStream, Blob]
    .flatMap((one) => [...Object.getOwnPropertyNames(one), ...Object.getOwnPropertyNames(one.prototype)])
    .filter((name) => name !== "constructor"),
);

/** All methods by name, for calls of objects whose class nobody names. */
const methods = new Map();
function collect(file) {
  for (const statement of file.program.body) {
    if (statement.source?.value?.startsWith(".")) {
      const target = normalize(join(dirname(file.path), statement.source.value));
      if (files.has(target)) file.targets.push(target);
      for (const one of statement.specifiers ?? [])
        file.imports.set(one.local.name, { target, name: one.imported?.name ?? "default" });
    }
    const declared = statement.declaration ?? statement;
    if (declared.type === "FunctionDeclaration") addFunction(file, declared.id.name, declared);
    if (declared.type === "VariableDeclaration") {
      for (const { id, init } of declared.declarations)
        if (id.type === "Identifier" && isFunction(init)) addFunction(file, id.name, init);
    }
    if (declared.type === "ClassDeclaration") addClass(file, declared);
  }
}

/** Adds functions that are members of object literals, and classes inside of functions, wherever those are. */
function collectMembers(file, node) {
  if (typeof node !== "object" || node === null) return;
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const one of child) collectMembers(file, one);
    else collectMembers(file, child);
  }
  if (/^Class(?:Declaration|Expression)$/.test(node.type) && node.id && !file.classes.has(node.id.name))
    addClass(file, node);
  if (node.type !== "ObjectExpression") return;
  for (const { key, value } of node.properties) {
    const name = nameOf(key);
    if (typeof name !== "string" || !isFunction(value)) continue;
    const made = { file: file.path, name: `{ ${name} }`, node: value, of: null };
    methods.set(name, [...(methods.get(name) ?? []), made]);
  }
}

function isFunction(node) {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

function addFunction(file, name, node, of = null) {
  const made = { file: file.path, name: of === null ? name : `${of.name}.${name}`, node, of };
  if (of === null) file.functions.set(name, made);
  return made;
}

function addClass(file, node) {
  const made = {
    file: file.path,
    name: node.id.name,
    base: node.superClass?.name ?? null,
    methods: new Map(),
    kept: new Set(),
    types: new Map(),
  };
  for (const member of node.body.body) {
    const name = nameOf(member.key);
    const value = member.value;
    if (member.typeAnnotation) made.types.set(name, typeOf(member));
    if (value?.type === "NewExpression") made.types.set(name, value.callee.name);
    if (!isFunction(value)) continue;
    const method = addFunction(file, name, value, made);
    method.kind = member.kind;
    made.methods.set(name, method);
    methods.set(name, [...(methods.get(name) ?? []), method]);
  }
  file.classes.set(made.name, made);
}

function nameOf(key) {
  if (key?.type === "PrivateIdentifier") return `#${key.name}`;
  return key?.name ?? key?.value;
}

/** The name of the class that an annotation names, without `null` and `undefined`. */
function typeOf({ typeAnnotation }) {
  const type = typeAnnotation?.typeAnnotation ?? typeAnnotation;
  const types = type?.type === "TSUnionType" ? type.types : [type];
  return types.map((one) => one?.typeName?.name).find((one) => one !== undefined);
}

for (const file of files.values()) {
  collect(file);
  collectMembers(file, file.program);
}

// --- Floors ---

const below = new Map();
for (const { path, targets } of files.values()) {
  const own = folderOf(path);
  const others = targets.map(folderOf).filter((one) => one !== own);
  below.set(own, new Set([...(below.get(own) ?? []), ...others]));
}
const floors = new Map();
function floorOf(folder) {
  if (!floors.has(folder)) {
    floors.set(folder, 0);
    floors.set(folder, Math.max(0, ...[...(below.get(folder) ?? [])].map((one) => floorOf(one) + 1)));
  }
  return floors.get(folder);
}

// --- What names mean ---

function resolved(path, name, kind) {
  const file = files.get(path);
  const own = file?.[kind].get(name);
  if (own !== undefined) return own;
  const imported = file?.imports.get(name);
  return imported === undefined ? undefined : resolved(imported.target, imported.name, kind);
}

const functionOf = (path, name) => resolved(path, name, "functions");
const classOf = (path, name) => (name === undefined ? undefined : resolved(path, name, "classes"));

function methodOf(Class, name) {
  for (let one = Class; one !== undefined && one !== null; one = classOf(one.file, one.base))
    if (one.methods.has(name)) return one.methods.get(name);
  return undefined;
}

// --- The walk ---

/** Strips what changes no value. */
function bare(node) {
  let inner = node;
  while (
    [
      "TSNonNullExpression",
      "TSAsExpression",
      "ParenthesizedExpression",
      "TSSatisfiesExpression",
      "ChainExpression",
    ].includes(inner?.type)
  )
    inner = inner.expression;
  return inner;
}

/** Whether a call looks its first argument up in a table, or writes it there as a key. */
function isLookUp({ type, property }) {
  return type === "MemberExpression" && ["get", "set", "has", "delete"].includes(nameOf(property));
}

class Walk {
  stays = [];
  climbs = [];
  #seen = new Set();

  /** Enters a function with what its parameters hold: `true` for the value, or the members that hold it. */
  enter(fn, held) {
    const whole = [...held].map(([at, what]) => [at, what === true ? what : [...what]]);
    const key = `${fn.file}:${fn.name}:${JSON.stringify(whole)}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    new Visit(this, fn, held).run();
  }

  stay(fn) {
    if (!this.stays.some((one) => one.file === fn.file && one.name === fn.name)) this.stays.push(fn);
  }

  arrow(from, to) {
    const [one, other] = [from, to].map(({ file }) => floorOf(folderOf(file)));
    const text = `${from.file} ${from.name} (${one}) → ${to.file} ${to.name} (${other})`;
    if (other > one && !this.climbs.includes(text)) this.climbs.push(text);
  }
}

class Visit {
  #values = new Set();
  /** Names of objects, and their members that hold the value. */
  #holders = new Map();
  #types = new Map();
  #does = false;

  constructor(walk, fn, held) {
    this.walk = walk;
    this.fn = fn;
    for (const [at, param] of fn.node.params.entries()) {
      const pattern = param.type === "AssignmentPattern" ? param.left : param;
      if (pattern.type === "Identifier") this.#types.set(pattern.name, typeOf(pattern));
      if (held.has(at)) this.#bind(pattern, held.get(at));
    }
    if (held.has("this")) fn.of.kept = new Set([...fn.of.kept, ...held.get("this")]);
  }

  #bind(pattern, what) {
    if (pattern.type === "Identifier") {
      if (what === true) this.#values.add(pattern.name);
      else this.#holders.set(pattern.name, what);
    } else if (pattern.type === "ObjectPattern") {
      if (what === true) this.#does = true;
      else
        for (const { key, value } of pattern.properties)
          if (key !== undefined && what.has(nameOf(key)))
            this.#bind(value.type === "AssignmentPattern" ? value.left : value, true);
    }
  }

  run() {
    this.#visit(this.fn.node.body);
    if (this.#does) this.walk.stay(this.fn);
  }

  #isValue(given) {
    const node = bare(given);
    if (node?.type === "Identifier") return this.#values.has(node.name);
    if (node?.type !== "MemberExpression") return false;
    const object = bare(node.object);
    const member = nameOf(node.property);
    if (object.type === "ThisExpression") return this.fn.of?.kept.has(member) === true;
    return object.type === "Identifier" && this.#holders.get(object.name)?.has(member) === true;
  }

  /** The members of what is no value itself by which it holds the value, or null. */
  #heldBy(given) {
    const node = bare(given);
    if (node?.type === "Identifier") return this.#holders.get(node.name) ?? null;
    if (node?.type === "ObjectExpression") {
      const names = node.properties.filter(({ value }) => value && this.#isValue(value)).map(({ key }) => nameOf(key));
      return names.length > 0 ? new Set(names) : null;
    }
    if (node?.type === "ThisExpression" && this.fn.of && this.fn.of.kept.size > 0) return this.fn.of.kept;
    return null;
  }

  #visit(node) {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) this.#visit(one);
      return;
    }
    this.#look(node);
    // Who refuses passes nothing on.
    if (node.type === "ThrowStatement" || (node.type === "NewExpression" && node.callee.name?.endsWith("Error")))
      return;
    for (const [name, child] of Object.entries(node))
      if (name !== "typeAnnotation" && name !== "returnType") this.#visit(child);
  }

  #look(node) {
    switch (node.type) {
      case "VariableDeclarator":
        this.#declare(node);
        break;
      case "AssignmentExpression":
        if (node.operator === "=" && this.#isValue(node.right)) this.#assign(node.left);
        break;
      case "MemberExpression":
        if (this.#isValue(node.object)) this.#does = true;
        else this.#get(node);
        break;
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement":
        if (this.#isValue(node.test)) this.#does = true;
        break;
      case "LogicalExpression":
      case "BinaryExpression":
        if (this.#isValue(node.left) || (node.type === "BinaryExpression" && this.#isValue(node.right)))
          this.#does = true;
        break;
      case "UnaryExpression":
      case "SpreadElement":
      case "AwaitExpression":
        if (this.#isValue(node.argument)) this.#does = true;
        break;
      case "ForOfStatement":
        if (this.#isValue(node.right)) this.#does = true;
        break;
      case "YieldExpression":
        if (node.delegate && this.#isValue(node.argument)) this.#does = true;
        break;
      case "TemplateLiteral":
        if (node.expressions.some((one) => this.#isValue(one))) this.#does = true;
        break;
      case "CallExpression":
      case "NewExpression":
        this.#call(node);
        break;
      default:
    }
  }

  #declare({ id, init }) {
    if (init === null || init === undefined) return;
    const bound = bare(init);
    if (this.#isValue(init)) this.#bind(id, true);
    else {
      const holding = this.#heldBy(init) ?? (bound.type === "NewExpression" ? this.#keptBy(bound) : null);
      if (holding !== null) this.#bind(id, holding);
    }
    if (id.type === "Identifier") {
      const made = bound.type === "NewExpression" ? bound.callee.name : undefined;
      this.#types.set(id.name, made ?? typeOf(id) ?? this.#types.get(id.name));
    }
  }

  #assign(left) {
    const target = bare(left);
    if (target.type === "Identifier") this.#values.add(target.name);
    const isOwn = target.type === "MemberExpression" && bare(target.object).type === "ThisExpression";
    if (isOwn && this.fn.of) this.fn.of.kept.add(nameOf(target.property));
  }

  /** The members by which a new instance keeps the value. */
  #keptBy(node) {
    const Class = classOf(this.fn.file, node.callee.name);
    const constructor = Class && methodOf(Class, "constructor");
    if (constructor === undefined) return null;
    const held = this.#heldIn(node.arguments);
    if (held.size === 0) return null;
    this.walk.enter(constructor, held);
    return Class.kept.size > 0 ? Class.kept : null;
  }

  /** What arguments hold, by their places. */
  #heldIn(args) {
    const held = new Map();
    for (const [at, arg] of args.entries()) {
      if (this.#isValue(arg)) held.set(at, true);
      else {
        const holding = this.#heldBy(arg) ?? (bare(arg)?.type === "NewExpression" ? this.#keptBy(bare(arg)) : null);
        if (holding !== null) held.set(at, holding);
      }
    }
    return held;
  }

  #call(node) {
    const callee = bare(node.callee);
    if (this.#isValue(callee)) this.#does = true;
    const held = this.#heldIn(node.arguments);
    // A method of an instance that keeps the value gets it, too.
    if (callee.type === "MemberExpression") {
      const keeping = this.#heldBy(callee.object);
      if (keeping !== null && !this.#isValue(callee.object)) held.set("this", keeping);
    }
    if (held.size === 0) return;
    if (held.get(0) === true && isLookUp(callee)) this.#does = true;
    const target = this.#targetOf(node, callee, held);
    if (target === undefined || target === this.fn) return;
    if (held.has("this") && (target.of === null || (held.size === 1 && target.of.kept.size === 0))) held.delete("this");
    if (held.size === 0) return;
    this.walk.arrow(this.fn, target);
    this.walk.enter(target, held);
  }

  /** Follows an accessor of an instance that keeps the value. */
  #get({ object, property }) {
    const keeping = this.#heldBy(object);
    const accessor = keeping && methodOf(this.#classOf(object), nameOf(property));
    if (!accessor || accessor.kind !== "get") return;
    this.walk.arrow(this.fn, accessor);
    this.walk.enter(accessor, new Map([["this", keeping]]));
  }

  #targetOf(node, callee, held) {
    const { file, of } = this.fn;
    if (callee.type === "Identifier") {
      const Class = node.type === "NewExpression" ? classOf(file, callee.name) : undefined;
      return Class === undefined ? functionOf(file, callee.name) : methodOf(Class, "constructor");
    }
    if (callee.type === "Super") return of && methodOf(classOf(file, of.base), "constructor");
    if (callee.type !== "MemberExpression") return undefined;
    const name = nameOf(callee.property);
    const Class = this.#classOf(callee.object);
    const own = Class && methodOf(Class, name);
    if (own !== undefined) return own;
    const all = platform.has(name) ? [] : (methods.get(name) ?? []);
    if (all.length === 1) return all[0];
    const fitting = all.filter(({ node: { params } }) => this.#fits(params, node.arguments, held));
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** Whether parameters take so many arguments, and call those that hold the value as they are called here. */
  #fits(params, args, held) {
    if (args.length > params.length) return false;
    return [...held.keys()].every((at) => {
      const arg = bare(args[at]);
      const param = params[at]?.left ?? params[at];
      if (at === "this" || param?.type !== "Identifier") return param?.type === "ObjectPattern";
      return (arg.name ?? nameOf(arg.property)) === param.name;
    });
  }

  #classOf(given) {
    const node = bare(given);
    const { file, of } = this.fn;
    if (node.type === "ThisExpression") return of ?? undefined;
    if (node.type === "NewExpression") return classOf(file, node.callee.name);
    if (node.type === "Identifier") return classOf(file, this.#types.get(node.name)) ?? classOf(file, node.name);
    if (node.type === "MemberExpression" && bare(node.object).type === "ThisExpression")
      return classOf(file, of?.types.get(nameOf(node.property)));
    return undefined;
  }
}

// --- Ways ---

const everyFunction = [...files.values()].flatMap(({ functions, classes }) => [
  ...functions.values(),
  ...[...classes.values()].flatMap((one) => [...one.methods.values()]),
]);
everyFunction.push(...[...methods.values()].flat().filter((one) => one.of === null));

/** Finds where a way begins: `file:function:parameter`, of which the file may be left out, or a part of its path. */
function beginningOf(text) {
  for (const one of text.split("|")) {
    const parts = one.split(":");
    const param = parts.pop();
    const name = parts.pop();
    const where = (parts.pop() ?? "").replace(/^src\//, "");
    for (const fn of everyFunction) {
      if ((fn.name !== name && fn.name !== `{ ${name} }`) || !fn.file.endsWith(where)) continue;
      for (const [at, given] of fn.node.params.entries()) {
        const pattern = given.left ?? given;
        if (pattern.name === param) return { fn, held: new Map([[at, true]]) };
        const isMember = pattern.properties?.some(({ key }) => key !== undefined && nameOf(key) === param);
        if (isMember === true) return { fn, held: new Map([[at, new Set([param])]]) };
      }
    }
  }
  throw new Error(`No function has the parameter of ${text}: name what took its place, in walk.js`);
}

function walked(beginnings) {
  for (const { classes } of files.values()) for (const Class of classes.values()) Class.kept = new Set();
  const walk = new Walk();
  for (const { fn, held } of beginnings.map(beginningOf)) {
    walk.enter(fn, held);
    if (fn.of === null || fn.of.kept.size === 0 || !fn.name.endsWith(".constructor")) continue;
    // What an instance keeps is for all of its methods.
    for (const method of fn.of.methods.values()) if (method !== fn) walk.enter(method, new Map([["this", fn.of.kept]]));
  }
  const rooms = new Set(walk.stays.map(({ file }) => folderOf(file)));
  const filesOf = new Set(walk.stays.map(({ file }) => file));
  return { ...walk, rooms: rooms.size, files: filesOf.size };
}

const [wanted] = wishes.filter((one) => !one.startsWith("--"));
let isAbove = false;
for (const [name, way] of Object.entries(
  wanted === undefined ? ways : { [wanted]: ways[wanted] ?? { from: [wanted] } },
)) {
  const { stays, climbs, rooms, files: count } = walked(way.from);
  if (wanted !== undefined) {
    for (const [at, { file, name: of }] of stays.entries()) console.log(`${String(at + 1).padStart(3)} ${file} ${of}`);
    for (const climb of climbs) console.log(`  ^ ${climb}`);
  }
  const limits = way.stays === undefined ? "" : `; at most ${way.stays} stays and ${way.climbs} climbs`;
  console.log(
    `walk: ${name}: ${stays.length} stays in ${count} files, ${rooms} rooms, ${climbs.length} climbs${limits}`,
  );
  isAbove ||= stays.length > way.stays || climbs.length > way.climbs;
}
console.log(`walk: ${new Set(files.keys()).size} files on ${Math.max(...[...below.keys()].map(floorOf)) + 1} floors`);
if (isAbove && wishes.includes("--hold")) process.exit(1);
