/**
 * Writes a path as a JSON Pointer in a URI fragment (RFC 6901 §6). Problem details name places so (RFC 9457 §3): `#` is
 * the whole value. A name with half of a surrogate pair, which no URI can hold, is written with U+FFFD in its place.
 */
export function pointerOf(path: readonly (PropertyKey | { readonly key: PropertyKey })[] = []): string {
  let pointer = "#";
  for (const step of path) {
    const name = String(typeof step === "object" ? step.key : step);
    pointer += isWrittenAsItIs.test(name) ? `/${name}` : `/${encodeURIComponent(tokenOf(name).toWellFormed())}`;
  }
  return pointer;
}

const isWrittenAsItIs = /^\w*$/;

/** Writes a name as a token of a JSON Pointer (RFC 6901 §3). */
export function tokenOf(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Reads a JSON Pointer that is not a fragment (RFC 6901 §3), as Ajv and TypeBox name places. */
export function pathOf(pointer: string): string[] {
  const [, ...tokens] = pointer.split("/");
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Decodes a URI fragment, which may be a JSON Pointer (RFC 6901 §6). */
export function decodedFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that does not escape anything is literal.
    return text;
  }
}
