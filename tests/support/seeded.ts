// Has every property try the cases of `FINGERPOST_SEED`, where that is set: a push is judged by the same ones each
// time.
import { givenSeed } from "./seed.ts";

if (givenSeed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: givenSeed });
}
