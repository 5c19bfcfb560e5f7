import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/application/application-model.ts";
import { valuesOf } from "../support/answers.ts";
import { chains, statusOf, type Chain, type Handled } from "../support/chains.ts";
import { choices, fewPatterns, pathFor, trailingSlashes, withoutRivals } from "./generated-patterns.ts";
import { targets } from "./generated-targets.ts";
import { holds, timeout } from "./runs.ts";

const methods = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("GET", "POST", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("get", "ALL", "PURGE", "__proto__", "constructor", "paths", "", " GET", "GET\0"),
  },
  { weight: 1, arbitrary: fc.string() },
);

describe("the chains", () => {
  it("do the same for the same method and URL", { timeout }, async () => {
    const some = fc.array(fc.tuple(methods, fc.oneof(choices, targets)), { minLength: 2, maxLength: 2 });
    await holds(
      fc.asyncProperty(fewPatterns, some, trailingSlashes, async (table, requests, trailingSlash) => {
        const kept = withoutRivals(table, trailingSlash);
        const [native, polyfill] = chains.map((chain) => applicationOf(chain, kept, trailingSlash));
        for (const [method, choice] of requests) {
          const url = typeof choice === "string" ? choice : pathFor(kept, choice);
          const outcome = await outcomeOf(native!, { method, url });
          expect(await outcomeOf(polyfill!, { method, url })).toStrictEqual(outcome);
          // A Web Request where there can be one, whose URL the parser wrote.
          expect(await outcomeOf(native!, chains[0]!.inputOf(method, url))).toStrictEqual(outcome);
          expect(withoutClass(polyfill!.match({ method, url }))).toStrictEqual(
            withoutClass(native!.match({ method, url })),
          );
        }
      }),
    );
  });
});

/** A decision but for the class of the resource, which is of one chain. */
function withoutClass(decision: Decision): object {
  const { resource, ...others } = decision;
  return { ...others, resource: resource && { ...resource, Class: null } };
}

function applicationOf(chain: Chain, table: readonly { source: string }[], trailingSlash: "ignore" | "strict") {
  const classes = table.map(({ source }) => {
    return class Answer extends chain.Resource {
      override paths = [source];
      override GET(input: unknown): never {
        return (input as Handled).params as never;
      }
      override DELETE(): never {
        throw new RangeError("thrown by a handler");
      }
    };
  });
  return chain.Application.builder().trailingSlash(trailingSlash).resources(classes).build();
}

async function outcomeOf(app: ReturnType<typeof applicationOf>, input: object): Promise<unknown> {
  const outcome = await statusOf(app.handle(input));
  if (outcome instanceof Error) return outcome.message;
  if (typeof outcome !== "object" || outcome === null) return outcome;
  const { pattern, ...rest } = outcome as Handled["params"];
  const names = [...pattern.matchAll(/:([\w$é]+)/g)].map(([, name]) => name!).concat("0", "1", "2", "3");
  return [pattern, rest, valuesOf(names, (name) => (outcome as Handled["params"]).pathParam(name))];
}
