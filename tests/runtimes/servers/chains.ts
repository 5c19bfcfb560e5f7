import { applicationOf as nativeOf } from "./native.ts";
import { applicationOf as polyfillOf } from "./polyfill.ts";
import { newState, type State } from "./state.ts";

const stateOnNode = (): State =>
  newState(() => {
    globalThis.gc!();
    return process.memoryUsage().heapUsed;
  });

export const native = (response?: typeof Response): ReturnType<typeof nativeOf> => nativeOf(stateOnNode(), response);
export const polyfill = (): ReturnType<typeof polyfillOf> => polyfillOf(stateOnNode());
