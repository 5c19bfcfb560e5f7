import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all that nothing refers to any more. */
export function collectGarbage(): void {
  collect();
  collect();
}
