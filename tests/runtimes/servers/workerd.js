// Cloudflare Workers: the application is the worker.
import { applicationOf } from "./native.ts";
import { newState } from "./state.ts";

export default applicationOf(newState(() => 0));
