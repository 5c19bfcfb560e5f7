/**
 * Compares bounds with the table of them in `bench/results/sizes.md`, which has a row for each bound, the newest last:
 * `| what | bytes | what came | what went for it |`. A bound that is larger than the one before it names both.
 * @param text the page.
 * @param limits the bounds, by what is measured.
 * @returns what is wrong, a sentence each.
 */
export function unexplainedBounds(text, limits) {
  const rows = rowsOf(text);
  const wrong = [];
  for (const [name, limit] of limits) {
    const own = rows.filter((row) => row.name === name);
    const last = own.at(-1)?.bytes;
    if (last !== limit) wrong.push(`${name} may have ${limit} bytes, and its last row says ${last}; write a row`);
    for (const [at, { bytes, came, went }] of own.entries()) {
      if (at === 0 || bytes <= own[at - 1].bytes || (names(came) && names(went))) continue;
      wrong.push(`${name} was raised to ${bytes} bytes; write what came, and what went for it`);
    }
  }
  const unknown = rows.find(({ name }) => !limits.has(name));
  if (unknown !== undefined) wrong.push(`${unknown.name} is measured by nothing; take its rows out`);
  return wrong;
}

function rowsOf(text) {
  const [, table = ""] = /^## Bounds\n(.*?)(?=^## |$(?![^]))/ms.exec(text) ?? [];
  return [...table.matchAll(/^\| (?!---|what)(.+?) \| ([\d,]+) \|(.*?)\|(.*?)\|$/gm)].map(
    ([, name, bytes, came, went]) => ({ name, bytes: Number(bytes.replaceAll(",", "")), came, went }),
  );
}

/** Whether a cell says something: "nothing" names nothing that went. */
function names(cell) {
  return /\w{3,}/.test(cell.replace(/\b(?:nothing|none)\b/gi, ""));
}
