/**
 * Returns the output of a command without characters that steer a terminal or hide text in it: names of documents and
 * resources may have them. JSON and programs in it mean the same, as their strings know these escapes.
 */
export function printable(output: string): string {
  return output.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
