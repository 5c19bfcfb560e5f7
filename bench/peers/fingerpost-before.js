import { before } from "../lib/dist.js";
import { ownRouterOf } from "../lib/own-router.js";

/** An earlier build, for comparison while tuning: `BENCH_BEFORE` names its folder. */
export const router = await ownRouterOf(before);
