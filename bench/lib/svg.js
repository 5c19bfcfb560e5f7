const width = 760;
const font = 'font-family="system-ui, sans-serif" font-size="13"';
const ownColor = "#0b6e4f";
const peerColors = ["#8d99ae", "#c98b2b", "#5b6fb5", "#b5557a", "#6b8f3c", "#7d5ba6", "#3a9bb0", "#a65b4b"];

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function frame(height, title, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="16" y="26" font-family="system-ui, sans-serif" font-size="16" font-weight="600" fill="#222222">${escaped(title)}</text>
${body.join("\n")}
</svg>
`;
}

/** Horizontal bars, the shortest first; one that is much longer than the others is cut, and says so by its figure. */
export function bars(title, unit, items, ownName) {
  const sorted = items.filter(({ value }) => value > 0).toSorted((a, b) => a.value - b.value);
  const own = sorted.find(({ name }) => name.startsWith(ownName))?.value ?? sorted[0].value;
  const longest = Math.min(sorted.at(-1).value, own * 12);
  const body = sorted.map(({ name, value }, at) => {
    const y = 46 + at * 26;
    const isCut = value > longest;
    const length = Math.max(2, (Math.min(value, longest) / longest) * 420);
    const color = name.startsWith(ownName) ? ownColor : peerColors[0];
    const figure = value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1);
    return `<text x="206" y="${y + 14}" ${font} text-anchor="end" fill="#222222">${escaped(name)}</text>
<rect x="214" y="${y}" width="${length.toFixed(1)}" height="18" fill="${color}"/>
<text x="${(220 + length).toFixed(1)}" y="${y + 14}" ${font} fill="#444444">${isCut ? "… " : ""}${figure} ${unit}</text>`;
  });
  return frame(60 + sorted.length * 26, title, body);
}

/** Lines over sizes, both axes logarithmic; each line is labeled where it ends. */
export function lines(title, unit, sizes, series, ownName) {
  const values = series.flatMap((one) => one.values.filter((value) => value > 0));
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const x = (at) => 70 + (at / (sizes.length - 1)) * 480;
  const y = (value) => 340 - ((Math.log10(value) - low) / (high - low)) * 280;
  const axis = sizes.map(
    (size, at) =>
      `<text x="${x(at)}" y="366" ${font} text-anchor="middle" fill="#444444">${size.toLocaleString("en-US")}</text>`,
  );
  for (let power = Math.ceil(low); power <= high; power++) {
    const height = y(10 ** power).toFixed(1);
    axis.push(`<line x1="70" x2="550" y1="${height}" y2="${height}" stroke="#dddddd"/>
<text x="62" y="${height}" ${font} text-anchor="end" fill="#444444">${(10 ** power).toLocaleString("en-US")} ${unit}</text>`);
  }
  let free = 0;
  const ends = series
    .map((one) => ({ ...one, end: one.values.findLastIndex((value) => value > 0) }))
    .filter(({ end }) => end >= 0);
  const body = ends
    .toSorted((a, b) => y(a.values[a.end]) - y(b.values[b.end]))
    .map(({ name, values: own, end }, at) => {
      const color = name === ownName ? ownColor : peerColors[at % peerColors.length];
      const points = own.map((value, index) => (value > 0 ? `${x(index)},${y(value).toFixed(1)}` : "")).filter(Boolean);
      free = Math.max(free + 15, y(own[end]));
      return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="${name === ownName ? 3 : 1.5}"/>
<text x="${x(end) + 8}" y="${free.toFixed(1)}" ${font} fill="${color}">${escaped(name)}</text>`;
    });
  return frame(384, title, [...axis, ...body]);
}
