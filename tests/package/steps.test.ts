import { describe, expect, it } from "vitest";

type Step = readonly [name: string, command: string, args: string[], more?: { alone?: boolean; after?: string[] }];

const script = new URL("../../scripts/check/lib/steps.js", import.meta.url).href;
const { next } = (await import(script)) as { next(waiting: Step[], running: Step[]): Step | undefined };

const step = (name: string, more: Step[3] = {}): Step => [name, "node", [], more];
const build = step("build", { alone: true });
const docs = step("docs");
const site = step("site", { after: ["docs"] });
const lint = step("lint");

describe("steps of ok.js that run beside each other", () => {
  it.each<[string, Step[], Step[], Step | undefined]>([
    ["the first", [docs, lint], [], docs],
    ["nothing, where none is left", [], [docs], undefined],
    ["nothing, beside one that is alone", [docs], [build], undefined],
    ["one that is alone, where nothing runs", [build, docs], [], build],
    ["another than the one that is alone, where something runs", [build, docs], [lint], docs],
    ["another than the one that waits", [site, lint], [docs], lint],
    ["nothing, where all that is left waits for what runs", [site], [docs], undefined],
    ["what it waits for, first", [site, docs], [], docs],
    ["one whose steps are done", [site], [lint], site],
  ])("begins %s", (_, waiting, running, expected) => {
    expect(next(waiting, running)).toBe(expected);
  });
});
