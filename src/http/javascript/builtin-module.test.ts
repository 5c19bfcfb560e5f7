import { describe, expect, it, onTestFinished } from "vitest";
import { builtinModule } from "./builtin-module.ts";

const crypto = { name: "node:crypto" };

/** Returns the module by its name only as a method of what holds it, as some runtimes do. */
const process = {
  module: crypto,
  getBuiltinModule(this: { module: { name: string } } | undefined, name: string): unknown {
    return this!.module.name === name ? this!.module : undefined;
  },
};

describe("builtinModule()", () => {
  it("returns a module that the runtime has", () => {
    expect(builtinModule("node:crypto", { process })).toBe(crypto);
    expect(builtinModule("node:nothing", { process })).toBeUndefined();
  });

  it("returns nothing where the runtime has no modules", () => {
    expect(builtinModule("node:crypto", {})).toBeUndefined();
    expect(builtinModule("node:crypto", { process: {} })).toBeUndefined();
  });

  it.each([["process", process] as const, ["getBuiltinModule", (): unknown => crypto] as const])(
    "ignores %s that all objects have",
    (name, value) => {
      // oxlint-disable-next-line no-extend-native -- the subject of this test
      Object.defineProperty(Object.prototype, name, { value, configurable: true });
      onTestFinished(() => void Reflect.deleteProperty(Object.prototype, name));
      expect(builtinModule("node:crypto", name === "process" ? {} : { process: {} })).toBeUndefined();
    },
  );
});
