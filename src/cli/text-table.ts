/** Lays rows out in columns that are as wide as their widest cell. The last column is not padded. */
export function tableOf(rows: readonly (readonly string[])[], indent: string = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, column) => cell + " ".repeat(widths[column]! - widthOf(cell)));
      return `${indent}${cells.join("  ")}`.trimEnd();
    })
    .join("\n");
}

function widthOf(text: string): number {
  return [...text].length;
}

/** Text of a client or program as one line of a terminal: control characters must not steer it. */
export function shown(text: string, most: number = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) => {
    return `\\u{${found.codePointAt(0)!.toString(16)}}`;
  });
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
