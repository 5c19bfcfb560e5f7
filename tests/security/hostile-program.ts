/** What `scripts/flags.js` runs, bundled into one file. */
export { hostileSuite } from "./hostile-suite.ts";
export { payloads, pollutionFaults, propertiesIn } from "./pollution.ts";
