const width = 420;
const widest = 320;
const colors = { own: "#0b6e4f", peer: "#8d99ae" };

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * Horizontal bars, the shortest first, each below its name: narrow enough to be read on a phone. One that is much
 * longer than the others is cut, and says so by its figure.
 */
export function bars(title, unit, items, ownName) {
  const sorted = items.filter(({ value }) => value > 0).toSorted((a, b) => a.value - b.value);
  const own = sorted.find(({ name }) => name.startsWith(ownName))?.value ?? sorted[0].value;
  const longest = Math.min(sorted.at(-1).value, own * 8);
  const rows = sorted.map(({ name, value }, at) => {
    const y = 44 + at * 34;
    const isOwn = name.startsWith(ownName);
    const length = Math.max(2, (Math.min(value, longest) / longest) * widest);
    const isCut = value > longest;
    const figure = value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1);
    return `<text x="16" y="${y + 10}" fill="#222222"${isOwn ? ' font-weight="600"' : ""}>${escaped(name)}</text>
<rect x="16" y="${y + 14}" width="${length.toFixed(1)}" height="12" fill="${isOwn ? colors.own : colors.peer}"/>
<text x="${(22 + length).toFixed(1)}" y="${y + 25}" fill="#444444">${isCut ? "… " : ""}${figure} ${unit}</text>`;
  });
  const height = 56 + sorted.length * 34;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const font = 'font-family="system-ui, sans-serif" font-size="13"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}" ${font}>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>
<text x="16" y="26" font-size="15" font-weight="600" fill="#222222">${escaped(title)}</text>
${rows.join("\n")}
</svg>
`;
}
