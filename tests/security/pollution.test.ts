import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sampled } from "../support/sampled.ts";
import { PassingStream, standInForZlib } from "./passing.ts";
import { digestOfMiddleware, digestOfPlatform } from "./pollution-middleware.ts";
import { digestOf, payloads, pollutionFaults, propertiesIn } from "./pollution.ts";
import { sourcesBelow } from "./sources.ts";

/** An answer in the messages of the test runner has an error by this name, and comes at any time. */
const ofRunner = "e";

const namesIn = (...folders: readonly string[]): string[] =>
  propertiesIn(
    folders
      .flatMap(sourcesBelow)
      .map(({ text }) => text)
      .join("\n"),
  ).filter((name) => name !== ofRunner);

/** What is read of a list that is shorter. */
const indices = Array.from({ length: 12 }, (_, at) => String(at));

/** The names that change what a digest is of. */
async function pollutedNames(names: readonly string[], kind: string, digest: () => Promise<string>): Promise<string[]> {
  const faults = await pollutionFaults(names, [kind], digest);
  return faults.map((fault) => fault.split(" ")[0]!);
}

describe("a polluted Object.prototype", () => {
  it("changes nothing, whichever name of the sources it holds", async () => {
    const names = [...namesIn("src/http", "src/routing", "src/dispatch", "src/application", "src/modules"), ...indices];
    expect(names).toEqual(expect.arrayContaining(["ALL", "GET", "params", "expression", "isOptional", "terminal"]));
    const digest = (): Promise<string> => digestOf({ native, polyfill });
    expect(await pollutionFaults(names, Object.keys(payloads), digest)).toEqual([]);
  });

  it.each(Object.keys(payloads))(
    "changes nothing of middleware and of fields, whichever name of theirs holds %s and leaves the platform as it is",
    async (kind) => {
      vi.stubGlobal("CompressionStream", PassingStream);
      onTestFinished(() => void vi.unstubAllGlobals());
      onTestFinished(standInForZlib(true));
      // The last three are what jose would read of options of ours.
      const all = [...namesIn("src/middleware", "src/fields"), ...indices, "subject", "currentDate", "crit"];
      expect(all).toEqual(expect.arrayContaining(["trustedHops", "domain", "allowSameSite", "trust", "windowSeconds"]));
      // With each kind another third: all take half a minute.
      const names = sampled(all, 3);
      const ofPlatform = await pollutedNames(names, kind, digestOfPlatform);
      expect(ofPlatform.length).toBeLessThan(15);
      const ours = names.filter((name) => !ofPlatform.includes(name));
      expect(await pollutionFaults(ours, [kind], digestOfMiddleware)).toEqual([]);
    },
  );
});
