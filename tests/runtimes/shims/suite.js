// Node, Bun and Deno: prints what became of the suite.
import { results } from "virtual:suite";

console.log(`RESULTS ${JSON.stringify(await results())}`);
