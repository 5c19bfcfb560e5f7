// Says what runtime this is.
import { label, version } from "./runtimes.js";

console.log(JSON.stringify({ label, version }));
