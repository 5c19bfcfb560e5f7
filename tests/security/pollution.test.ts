import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { payloads, pollutionFaults, propertiesIn } from "./pollution.ts";
import { sourcesBelow } from "./sources.ts";

const sources = ["src/http", "src/routing", "src/core", "src/modules"].flatMap(sourcesBelow);
const code = sources.map(({ text }) => text).join("\n");

describe("a polluted Object.prototype", () => {
  it("changes nothing, whichever name of the sources it holds", async () => {
    const names = propertiesIn(code);
    expect(names).toEqual(expect.arrayContaining(["ALL", "GET", "params", "expression", "isOptional", "leaf"]));
    expect(await pollutionFaults(names, Object.keys(payloads), () => ({ native, polyfill }))).toEqual([]);
  });
});
