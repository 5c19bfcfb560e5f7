import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { capturedContext } from "./captured-context.ts";

describe("capturedContext()", () => {
  afterEach(() => vi.doUnmock("./builtin-module.ts"));

  it("runs a function with the stores of where it was captured", () => {
    const store = new AsyncLocalStorage<string>();
    const within = store.run("Ada", () => capturedContext());
    expect([within(() => store.getStore()), store.getStore()]).toEqual(["Ada", undefined]);
  });

  it.each([undefined, {}])("runs it as it is where Node's class is missing: %s", async (module) => {
    vi.resetModules();
    vi.doMock("./builtin-module.ts", () => ({ builtinModule: () => module }));
    const { capturedContext: elsewhere } = await import("./captured-context.ts");
    expect(elsewhere()(() => "ran")).toBe("ran");
  });
});
