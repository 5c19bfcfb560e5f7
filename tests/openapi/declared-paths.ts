/** Reads which methods printed client types have at each pattern. */
export function methodsAtPatterns(printed: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [, pattern, members] of printed.matchAll(/^ {2}readonly "([^"]+)": \{\n([^]*?)^ {2}\};$/gm))
    found[pattern!] = Array.from(members!.matchAll(/^ {4}([A-Z]+)\(/gm), ([, method]) => method!);
  return found;
}
