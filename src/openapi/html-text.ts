/** Escapes a string for HTML, in elements and in quoted attributes. */
export function htmlText(content: string): string {
  return elementText(content).replaceAll(/["']/g, (quote) => (quote === '"' ? "&quot;" : "&#39;"));
}

/** Escapes a string for an element, in which quotes mean nothing. */
export function elementText(content: string): string {
  return content.replaceAll(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character]!);
}
