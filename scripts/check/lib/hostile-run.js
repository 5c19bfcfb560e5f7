// Runs the hostile suite in this process, whatever its flags, and prints what came of it for
// `scripts/check/hardened-node.js`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

const [mode, program, chains] = process.argv.slice(2);
const { digestOf, hostileSuite, payloads, pollutionFaults, propertiesIn } = await import(pathToFileURL(program));
const load = async () => ({
  native: await import("../../../dist/modules/http.native.js"),
  polyfill: await import("../../../dist/modules/http.polyfill.js"),
});

if (mode === "suite") {
  console.log(JSON.stringify(await hostileSuite(await load())));
} else {
  const source = readFileSync(chains, "utf8");
  const script = new Script(source);
  const names = propertiesIn(source);
  const loaded = mode === "polluted before loading" ? () => (script.runInThisContext(), globalThis.chains) : load;
  const faults = await pollutionFaults(names, Object.keys(payloads), async () => digestOf(await loaded()));
  console.log(JSON.stringify({ checks: names.length, faults, outcomes: [] }));
}
