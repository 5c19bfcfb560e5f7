/** Writes a text as HTML has it, in elements and in attributes with quotes. */
export function htmlText(content: string): string {
  return content.replaceAll(
    /[&<>"']/g,
    (character) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }[character]!};`,
  );
}
