/** What may differ between two recordings, and what it becomes: at most ten lines. */
export const mask = [
  [/^(< date:) .*$/gim, "$1 …"],
  // Names of fields are the same in any case (RFC 9110 §5.1), and the order of different names says nothing (§5.3).
  [/^< [\w-]+:/gm, (name) => name.toLowerCase()],
  [
    /(?:^< [\w-]+:.*\n)+/gm,
    (fields) =>
      fields
        .split(/(?<=\n)/)
        .toSorted(byName)
        .join(""),
  ],
];

function byName(...fields) {
  const [one, other] = fields.map((field) => field.slice(0, field.indexOf(":")));
  return one < other ? -1 : Number(one > other);
}
