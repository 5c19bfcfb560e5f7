// The case tables, through the whole of an application of each chain.
import { HTTPError } from "fingerpost/modules/http.native.js";
import type { Answer, Case } from "../../cases/case.ts";
import { cases } from "../../cases/every-case.ts";
import { chains, type Chain, type Handled } from "../../support/chains.ts";
import { NotHere } from "./not-here.ts";
import { describe, expect, it } from "./registry.ts";

// No lone surrogate ever comes over a socket, and the Request of workerd does not replace those of a string.
const replacesSurrogates = new Request("http://h/\ud800").url === "http://h/%EF%BF%BD";

describe.each(chains)("$name", (chain: Chain) => {
  for (const row of cases) {
    it(`${row.path.slice(0, 80)} of ${row.patterns.join(" ").slice(0, 80)}: ${row.because}`, async () => {
      if (!replacesSurrogates && /\p{Surrogate}/u.test(row.path)) throw new NotHere("well-formed strings in URLs");
      expect(await answerOf(chain, row)).toEqual(row.expect);
    });
  }
});

async function answerOf(chain: Chain, { patterns, path, expect: expected, trailingSlash }: Case): Promise<Answer> {
  const names = typeof expected === "number" ? [] : Object.keys(expected.params);
  const resources = patterns.map(
    (pattern) =>
      class extends chain.Resource {
        paths = [pattern];
        GET({ params: found }: Handled): unknown {
          const values = names.map((name) => [name, valueOf(() => found.pathParam(name))]);
          return { pattern: found.pattern, params: Object.fromEntries(values) };
        }
      },
  );
  const builder = chain.Application.builder().resources(resources);
  if (trailingSlash === "strict") builder.trailingSlash("strict");
  try {
    return (await builder.build().handle(chain.inputOf("GET", path))) as Answer;
  } catch (error) {
    if (error instanceof HTTPError) return error.status as 404;
    throw error;
  }
}

function valueOf(read: () => string | undefined): string | 400 | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof HTTPError && error.status === 400) return 400;
    throw error;
  }
}
