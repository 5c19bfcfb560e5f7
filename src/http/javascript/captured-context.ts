import { builtinModule } from "./builtin-module.ts";

/** Runs a function in a context that was captured, and returns what it returns. */
export type Within = <Result>(run: () => Result) => Result;

interface AsyncHooks {
  readonly AsyncResource?: new (
    type: string,
    options: { readonly requireManualDestroy: true },
  ) => { runInAsyncScope<Result>(run: () => Result): Result };
}

/** Undefined before something was captured. */
let hooks: AsyncHooks | undefined;

/**
 * Captures the stores of `AsyncLocalStorage`, and so the active span, for what runs after the middleware. On a runtime
 * without Node's `AsyncResource` nothing is captured.
 *
 * PERF: `AsyncLocalStorage.snapshot()` takes 10 to 25 us more on Node 20 to 24, half of an answer of 404
 * (`node bench/primitives.js`).
 */
export function capturedContext(): Within {
  hooks ??= (builtinModule("node:async_hooks") ?? {}) as AsyncHooks;
  if (hooks.AsyncResource === undefined) return (run) => run();
  // Without a listener of the garbage collector: nothing is to be destroyed.
  const context = new hooks.AsyncResource("fingerpost", { requireManualDestroy: true });
  return (run) => context.runInAsyncScope(run);
}
