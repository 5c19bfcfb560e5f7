import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathMatch } from "../../src/routing/index/path-match.ts";
import { pathOf } from "../../src/routing/request/target-path.ts";
import { indexOf, matchSerialized } from "../support/answers.ts";
import { canonical, canonicalPathOf } from "../support/oracle-path.ts";
import { targets, urls } from "./generated-targets.ts";
import { holds, timeout } from "./runs.ts";

describe("the path of a URL", () => {
  it("is what the URL parser of the runtime says, in canonical form", { timeout }, async () => {
    await holds(
      fc.property(urls, (url) => {
        fc.pre(URL.canParse(url));
        expect(pathOf(url)).toBe(canonicalPathOf(new URL(url).pathname));
      }),
    );
  });

  it("is the same in origin-form", { timeout }, async () => {
    await holds(
      fc.property(targets, (target) => {
        fc.pre(target.startsWith("/"));
        expect(pathOf(target)).toBe(canonicalPathOf(new URL(`http://host${target}`).pathname));
      }),
    );
  });

  it("is canonical: reading it once more changes nothing", { timeout }, async () => {
    await holds(
      fc.property(fc.oneof(urls, targets), (target) => {
        const path = readPath(target);
        fc.pre(path !== null);
        expect(pathOf(path!)).toBe(path);
        expect(canonical(path!)).toBe(path);
      }),
    );
  });

  it("is matched as it is, wherever it stands and whoever wrote the URL", { timeout }, async () => {
    await holds(
      fc.property(fc.oneof(urls, targets), (target) => {
        const path = readPath(target);
        fc.pre(path !== null);
        // Each of the two matches this path only: one in the table of static texts, one by an expression.
        const literal = path!.replace(/[^\w/-]/g, "\\$&");
        const expression = `/(${path!.slice(1).replace(/[^\w-]/g, "\\$&")}$)`;
        for (const index of [indexOf([literal], "strict"), indexOf(path === "/" ? ["/"] : [expression], "strict")]) {
          expect(index.match(target, -1)).toBeInstanceOf(PathMatch);
          expect(index.find(path!)).toBeInstanceOf(PathMatch);
          expect(index.match(`${path}/x`, -1)).not.toBeInstanceOf(PathMatch);
          const { href } = new URL(target.startsWith("/") ? `http://host${target}` : target);
          const match = /^https?:/.test(href) ? matchSerialized(index, href) : index.match(href, -1);
          expect(match).toBeInstanceOf(PathMatch);
        }
      }),
    );
  });
});

function readPath(target: string): string | null {
  const path = pathOf(target);
  return typeof path === "string" ? path : null;
}
