// Runs what is named, or all: node bench/soak/main.js handle requests aborted. --scale=0.02 runs a fiftieth of each.
const words = process.argv.slice(2);
const scale = words.find((word) => word.startsWith("--scale="));
if (scale !== undefined) process.env.SOAK_SCALE = scale.slice("--scale=".length);
const names = words.filter((word) => !word.startsWith("--"));
for (const name of names.length > 0 ? names : ["handle", "requests", "aborted"]) await import(`./${name}.js`);
