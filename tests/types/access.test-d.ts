import {
  Application,
  Attribute,
  Middleware,
  Resource,
  ResourceGroup,
  type Asked,
  type May,
  type Operation,
} from "fingerpost";
import { expectTypeOf, it } from "vitest";
import { z } from "zod";

const user = new Attribute<{ id: string; orgs: readonly string[] }>("user");

class Ticket extends Resource {
  paths = ["/tickets/:id", "/tickets/:id/:part?"] as const;
  static may = ({ path, request }: Asked<typeof Ticket>) => path.id === user.get(request).id;
  static GET = {
    scopes: ["tickets:read"],
    may: { hides: true as const, ask: async ({ path }: Asked<typeof Ticket>) => path.part !== "secret" },
    200: z.string(),
  };
  override GET(): string {
    return "";
  }
}

it("types the params of the paths, of the prefix of a group, and the identity", () => {
  type Path = Asked<typeof Ticket>["path"];
  expectTypeOf<Path["id"]>().toEqualTypeOf<string>();
  expectTypeOf<Path["part"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Asked<typeof Ticket, "/orgs/:org">["path"]["org"]>().toEqualTypeOf<string>();
  ResourceGroup.builder()
    .prefix("/orgs/:org")
    .may(({ path, request }) => user.get(request).orgs.includes(path.org))
    .may({ hides: true, ask: async ({ path }) => path.org !== "" })
    // @ts-expect-error -- no prefix has the param
    .may(({ path }) => path.organization === "")
    .anonymous();
  expectTypeOf(Application.builder().resources(Ticket).guarded().build()).toExtend<Application>();
});

it("refuses a misspelt param, method or word, and a result that is no decision", () => {
  // @ts-expect-error -- the paths have no such param
  void (({ path }: Asked<typeof Ticket>) => path.ticket === "");
  // @ts-expect-error -- no such method
  Middleware.on("PSOT");
  void ({
    // @ts-expect-error -- a list of them
    scopes: "tickets:read",
    200: z.string(),
  } satisfies Operation);
  void ({
    // @ts-expect-error -- true or false
    may: () => "yes",
    200: z.string(),
  } satisfies Operation);
  // @ts-expect-error -- it hides, or it is a function
  void ({ hides: false, ask: () => true } satisfies May);
  class Misspelled extends Resource {
    paths = ["/"] as const;
    static GET = { scope: ["a"], 200: z.string() };
    override GET(): string {
      return "";
    }
  }
  // @ts-expect-error -- no such member of an operation
  Application.builder().resources(Misspelled);
});
