/** What `scripts/check/hardened-node.js` runs, bundled into one file. */
export { hostileSuite } from "./hostile-suite.ts";
export { digestOf, payloads, pollutionFaults, propertiesIn } from "./pollution.ts";
