import { ownName } from "./adapters.js";

/** Prints a row: what we cost, and our ratio to each peer, the fastest first. */
export function printRow({ table, row, mode, consumption, results, excluded }) {
  const ours = results.find(({ name }) => name === ownName);
  console.log(`\n${table}, ${row} (${mode}, ${consumption}): ${ownName} ${ours.ns.toFixed(1)} ns`);
  for (const { name, ns, ratio, generatesCode } of results.toSorted((a, b) => b.ratio - a.ratio)) {
    if (name === ownName) continue;
    console.log(
      `  ${ratio.toFixed(2).padStart(6)} x ${name.padEnd(26)} ${ns.toFixed(1).padStart(10)} ` +
        `ns${generatesCode ? "  generates code" : ""}`,
    );
  }
  for (const [name, why] of Object.entries(excluded)) console.log(`       - ${name}: ${why}`);
}
