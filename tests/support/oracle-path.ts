/**
 * What the URL parser says that the path of a request target is, with one form of escapes; or the status of a refusal.
 */
export function pathOf(target: string): string | 400 | 404 | 414 {
  const isOrigin = target.startsWith("/");
  if (!isOrigin && !/^[\0- ]*[a-z][a-z0-9+.-]*:/i.test(target.replace(/[\t\n\r]/g, ""))) return 404;
  let url: URL;
  try {
    url = new URL(isOrigin ? `http://host${target}` : target);
  } catch {
    return 400;
  }
  const path = url.pathname === "" && url.href.startsWith(`${url.protocol}//`) ? "/" : url.pathname;
  if (!path.startsWith("/")) return 404;
  return canonicalPathOf(path).length > 8192 ? 414 : canonicalPathOf(path);
}

/**
 * The path that the URL parser means, in canonical form.
 *
 * The parser of Node 20 and 22 leaves dot segments behind a segment that begins with a dot (ada-url/ada#935), but not
 * behind an escape: one is put in front, and goes away again with a dot segment too many.
 */
export function canonicalPathOf(pathname: string): string {
  const { pathname: again } = new URL(`http://host/%${pathname}`);
  return canonical(again.startsWith("/%/") ? again.slice(2) : again);
}

/** Decodes escapes of unreserved characters and of `^`, unless they stand behind a `%` that they could complete. */
export function canonical(path: string): string {
  return path
    .replace(/(?<!%[0-9a-f]?)%(?:2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5[ef]|7e)/gi, decodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Literal text as the URL parser writes it between other characters. */
export function encoded(literal: string): string {
  const safe = literal.replace(/[?#\\\t\n\r]/g, (character) => encodeURIComponent(character));
  return canonical(new URL(`http://host/-${safe}-`).pathname.slice(2, -1));
}
