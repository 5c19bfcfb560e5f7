import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";

const get = (url: string): Handled => ({ url, method: "GET" }) as Handled;

class Note extends Resource {
  override paths = ["/notes/:id"];
  override GET = ({ params }: Handled): unknown => `note ${params.pathParam("id")}`;
}
class Stats extends Resource {
  override paths = ["/stats"];
  override GET = (): unknown => "stats";
}

describe("MiddlewareLayer.next() of an input that came in for another resource", () => {
  it("C5.4 is refused by an instance that wraps this one, as other guards are around it", async () => {
    const given: Handled[] = [];
    class Gathering extends Middleware {
      override async ALL(input: Handled): Promise<unknown> {
        given.push(input);
        await Promise.resolve();
        return this.next(given[0]!);
      }
    }
    const group = ResourceGroup.builder().resources(Note, Stats).middleware(Gathering).build();
    const app = Application.builder().resources(group).build();
    const [own, other] = await Promise.allSettled([app.handle(get("/notes/7")), app.handle(get("/stats"))]);
    expect(own).toEqual({ status: "fulfilled", value: "note 7" });
    const message =
      "Cannot continue after next() of Gathering: it wraps Stats, and the input came in for Note; " +
      "call next() of the instance that was given it";
    expect(other).toEqual({ status: "rejected", reason: new TypeError(message) });
  });
});
