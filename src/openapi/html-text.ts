/** Escapes a string for HTML, in elements and in quoted attributes. */
export function htmlText(content: string): string {
  return content.replaceAll(
    /[&<>"']/g,
    (character) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }[character]!};`,
  );
}
