import { byPath } from "./methods.js";
import { bySpecificity } from "./oracle.js";
import { formsOf, segmentsOf, shapeOf } from "./pattern.js";

/*
 * A candidate is a router with a loop around it (`loop.js`). Both the loop and the functions that read params are made
 * from source text, so that no two candidates share code, and with it what the engine has learned about their types.
 */

/** What a route leads to in every router: its number, and a function that reads all of its params by constant names. */
const handlerFrom = (id, read, values) => ({ id, read, values });

export class Refusal extends Error {}

/** Builds the router of an adapter. @throws {Refusal} when it cannot express the table, or refuses it. */
export async function build(adapter, table) {
  const entries = entriesOf(adapter, table);
  try {
    return await built(adapter, entries);
  } catch (error) {
    throw new Refusal(`refuses the table: ${String(error.message).slice(0, 120)}`);
  }
}

/**
 * The router of an adapter; what one that knows paths only needs besides, the handlers of each by method, is part of
 * it.
 */
export const built = (adapter, entries) => adapter.build(adapter.isPathOnly ? byPath(entries) : entries);

/** What a router is made of: methods, paths as its adapter spells them, and what they lead to. */
export function entriesOf(adapter, { routes, isOfSizes }) {
  // Routes of one path are one entry for a router that knows paths only: the names are those of the first.
  const named = new Map();
  for (const { pattern } of routes) if (!named.has(shapeOf(pattern))) named.set(shapeOf(pattern), pattern);
  const ordered = adapter.takesFirst ? routes.toSorted((a, b) => bySpecificity(segmented(a), segmented(b))) : routes;
  return ordered.flatMap((route) => {
    const pattern = adapter.isPathOnly ? named.get(shapeOf(route.pattern)) : route.pattern;
    const segments = segmentsOf(pattern);
    const handler = handlerOf(adapter, route.id, segments, isOfSizes);
    return spellingsOf(adapter, segments).map((path) => ({ method: route.method, path, handler }));
  });
}

const segmented = ({ pattern }) => ({ segments: segmentsOf(pattern) });

function spellingsOf(adapter, segments) {
  const forms = adapter.spell.optional === "expand" ? formsOf(segments) : [segments];
  return forms.map((form) => `/${form.map((segment, at) => spelled(adapter, segment, at)).join("/")}`);
}

function spelled(adapter, segment, at) {
  if (segment.kind === "static") return segment.text;
  if (segment.kind === "optional" && adapter.spell.optional === "expand") {
    return spelled(adapter, { ...segment, kind: segment.expression === undefined ? "param" : "constrained" }, at);
  }
  const spell = adapter.spell[segment.kind];
  if (spell === undefined) throw new Refusal(`cannot express "${segment.text}"`);
  return spell(nameIn(adapter, segment, at), segment.expression);
}

function nameIn(adapter, { kind, name }, at) {
  if (kind === "rest" && adapter.restName !== undefined) return adapter.restName;
  if (kind === "expression" && !adapter.isNumbered) return `e${name}`;
  return adapter.isPositional ? `p${at}` : name;
}

const shared = new Map();

/**
 * The handler of a route, with functions of its own. In tables of several sizes routes that read alike share them, at
 * every size: or what grows would be the number of functions that the engine has to call, whichever router there is.
 */
function handlerOf(adapter, id, segments, isShared) {
  const read = segments
    .map((segment, at) => ({ ...segment, name: segment.name && nameIn(adapter, segment, at) }))
    .filter(({ name }) => name !== undefined)
    .map(({ name, kind }, at) => ({ expression: adapter.param(name, at, kind), isOptional: kind === "optional" }));
  const lengths = read.map(({ expression, isOptional }) =>
    isOptional ? `((value = ${expression}) ? value.length : 0)` : `${expression}.length`,
  );
  const values = read.map(({ expression }) => `${expression} || null`);
  const source = `return [
    /* ${adapter.name}, ${isShared ? "shared" : id} */
    (found) => { let value; return ${["0", ...lengths].join(" + ")}; },
    (found) => [${values.join(", ")}],
  ];`;
  let made = isShared ? shared.get(source) : undefined;
  if (made === undefined) made = new Function(source)();
  if (isShared) shared.set(source, made);
  return handlerFrom(id, ...made);
}
