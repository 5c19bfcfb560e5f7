import type { Middleware } from "../../application/middleware.ts";

/** Fields that hold lines of several middleware, in Node's response or in `Headers`. */
interface LineFields {
  /** Returns the lines of a field, or the members of a list in one line. */
  linesOf(name: string): string[];
  append(name: string, line: string): void;
  delete(name: string): void;
}

interface OwnLines {
  readonly middleware: Middleware;
  readonly name: string;
  lines: readonly string[];
}

const known = new WeakMap<object, OwnLines[]>();

/**
 * Puts lines of a middleware into a field besides the lines of others. Replaces the lines that the middleware put there
 * before: outer middleware may call `next()` again, with the same error fields or response of Node.
 * @param holder an object that stays the same during a call, which `fields` need not do.
 */
export function putOwnLines(
  fields: LineFields,
  holder: object,
  middleware: Middleware,
  name: string,
  lines: readonly string[],
): void {
  const all = known.get(holder) ?? [];
  known.set(holder, all);
  let own = all.find((other) => other.middleware === middleware && other.name === name);
  if (own === undefined) all.push((own = { middleware, name, lines: [] }));
  if (own.lines.length > 0) {
    const others = without(fields.linesOf(name), own.lines);
    fields.delete(name);
    for (const line of others) fields.append(name, line);
  }
  own.lines = lines;
  for (const line of lines) fields.append(name, line);
}

/** Removes each line once, because others may have put the same line there. */
function without(lines: readonly string[], gone: readonly string[]): string[] {
  const left = [...gone];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
