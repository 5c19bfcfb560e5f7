import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HTTPError } from "fingerpost/modules/http.native.js";
import { PathPatternError, parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { answerOf, indexOf } from "../support/answers.ts";
import { chains, rejectionOf, thrownBy } from "../support/chains.ts";
import { anyPatterns, anyText, targets } from "./generated-targets.ts";
import { holds, timeout } from "./runs.ts";

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withTypedArray: true });
const texts = fc.oneof(anyPatterns, targets, anyText());

describe("parsePathPattern()", () => {
  it("throws nothing but PathPatternError, whose caret is below the pattern", { timeout }, async () => {
    await holds(
      fc.property(texts, (source) => {
        const error = errorOf(() => parsePathPattern(source));
        if (error === null) return;
        expect(error).toBeInstanceOf(PathPatternError);
        const { index, pattern, message } = error as PathPatternError;
        expect(index).toBeGreaterThanOrEqual(0);
        expect(index).toBeLessThanOrEqual(pattern.length);
        // Below nothing, there is no caret.
        expect(message.split("\n").length).toBe(pattern === "" ? 1 : 3);
        expect(message.length).toBeLessThan(500);
      }),
    );
  });
});

describe("PathIndex", () => {
  it("throws nothing, whatever the pattern and the target", { timeout }, async () => {
    await holds(
      fc.property(texts, texts, fc.boolean(), (source, target, isSerialized) => {
        fc.pre(errorOf(() => indexOf([source])) === null);
        answerOf(indexOf([source]).match(target, isSerialized ? target.indexOf("/", 8) : -1));
        answerOf(indexOf([source]).find(target));
      }),
    );
  });
});

describe.each(chains)("$name", ({ Application, Resource }) => {
  class Anything extends Resource {
    override paths = ["/", "/:a", "/:a.:b/:c?", "/x/*", "/(\\d+)"];
    override GET(): never {
      return "handled" as never;
    }
  }
  const app = Application.builder().resources(Anything).build();

  it("handle() rejects with HTTPError 400, 404, 414 or 501 for any method and URL", { timeout }, async () => {
    await holds(
      fc.asyncProperty(fc.oneof(texts, targets), fc.oneof(fc.constant("GET"), fc.string()), async (url, method) => {
        const outcome = await app.handle({ url, method }).catch((error: unknown) => error);
        if (outcome === "handled") return;
        expect(outcome).toBeInstanceOf(HTTPError);
        expect([400, 404, 414, 501]).toContain((outcome as HTTPError).status);
        app.match({ url, method });
      }),
    );
  });

  it("handle() rejects with TypeError for what is no input", { timeout }, async () => {
    const inputs = fc.oneof(anything, fc.record({ url: anything, method: anything }));
    await holds(
      fc.asyncProperty(inputs, async (input) => {
        fc.pre(!hasStrings(input));
        const error = await rejectionOf(app.handle(input));
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toMatch(/^Cannot handle the input: expected an object/);
      }),
    );
  });

  it("build() throws nothing but PathPatternError and TypeError", { timeout }, async () => {
    await holds(
      fc.property(fc.oneof(anything, fc.array(fc.oneof(texts, anything))), (paths) => {
        class Users extends Resource {
          override paths = paths as string[];
        }
        const error = errorOf(() => Application.builder().resources(Users).build());
        if (error === null) return;
        expect(error).toBeInstanceOf(PathPatternError);
        expect(error.message).toContain("Users");
        expect(error.message.length).toBeLessThan(500);
      }),
    );
  });
});

function errorOf(run: () => unknown): Error | null {
  try {
    run();
    return null;
  } catch {
    return thrownBy(run);
  }
}

function hasStrings(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  const { url, method } = input as { url?: unknown; method?: unknown };
  return typeof url === "string" && typeof method === "string";
}
