import fc from "fast-check";
import { HTTPError } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { chains, type Handled } from "../support/chains.ts";
import { runs } from "./runs.ts";

const anyInput = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true }),
  fc.record(
    {
      url: fc.oneof(fc.anything(), fc.webUrl(), fc.string({ unit: "binary" })),
      method: fc.oneof(fc.anything(), fc.constantFrom("GET", "get", "PURGE", "constructor")),
      params: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);

describe.each(chains)("any value as input of $name", ({ Application, Resource }) => {
  class Item extends Resource {
    paths = ["/", "/:a/:b?", "/:file.:ext", "/n/(\\d+)", "/x/*"];
    GET({ params }: Handled): unknown {
      return [params.pattern, params.pathParam("a"), params.queryParam("q"), params.queryParams("q")];
    }
  }
  const app = Application.builder().resources(Item).build();

  it("is answered, or refused by an HTTPError of a client's, or by a TypeError of the host's", async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, async (input) => {
        let answer: unknown;
        try {
          answer = await app.handle(input);
        } catch (error) {
          if (error instanceof HTTPError) expect([400, 404, 414, 501]).toContain(error.status);
          else expect(error).toBeInstanceOf(TypeError);
          const { message } = error as Error;
          expect(message.length).toBeLessThan(500);
          return;
        }
        expect(answer).toBeInstanceOf(Array);
      }),
      runs(500),
    );
  });

  it("never makes handle() throw before it returns", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const answer = app.handle(input);
        answer.catch(() => {});
        expect(answer).toBeInstanceOf(Promise);
      }),
      runs(200),
    );
  });
});
