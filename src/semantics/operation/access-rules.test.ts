import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Files } from "../../content/files.ts";
import { mount } from "../../content/mount.ts";
import * as native from "../../modules/http.native.ts";
import { bearer } from "../../middleware/bearer.ts";
import { openapi } from "../../openapi.ts";
import { Application, Attribute, Middleware, problem, Resource, ResourceGroup } from "../../modules/http.semantics.ts";

const guard = bearer({ tokens: { token: "ada" } });
const granting = bearer({ tokens: { token: "ada" }, scopesOf: () => ["read"] });
const name = new Attribute<string>("name");

/** A class with one GET, and what it says besides. */
function classOf(said: object, operation: object = {}, Base: new () => object = Resource): never {
  class Ticket extends (Base as typeof Resource) {
    override paths = ["/tickets/:id"];
    static GET: object = { 200: z.string(), ...operation };
    override GET(): string {
      return "";
    }
  }
  return Object.assign(Ticket, said) as never;
}

const passing = (statics: object): never =>
  Object.assign(
    class Keyed extends Middleware {
      override ALL(input: unknown): Response | Promise<Response> {
        return this.next(input);
      }
    },
    statics,
  ) as never;

function built(Class: never, ...middleware: readonly unknown[]): () => unknown {
  const group = ResourceGroup.builder()
    .middleware(...(middleware as never[]))
    .resources(Class);
  return () => Application.builder().resources(group.build()).build();
}

describe("refuseUnfitAccess()", () => {
  const cannot = "Cannot add Ticket to the application: ";

  it("refuses scopes that no guard grants, and names the guards", () => {
    const needing = classOf({}, { scopes: ["read", "write"] });
    const told = 'static GET needs the scopes "read", "write", and no guard that runs for it grants any';
    expect(built(needing)).toThrow(`${cannot}${told} (none); write scopesOf in its options`);
    expect(built(needing, guard)).toThrow(`${told} (Bearer); write`);
    expect(built(needing, granting.on("POST"))).toThrow(`${told} (none); write`);
    expect(built(needing, granting)).not.toThrow();
    expect(built(needing, granting.on("GET"))).not.toThrow();
  });

  it("refuses guards that grant nothing known, or to nobody knows whom", () => {
    expect(built(classOf({}), passing({ grants: ["read"], identity: name }))).toThrow(
      `${cannot}Keyed has no static grants that is a function, or no static identity that is an Attribute; write both`,
    );
    const grants = (): string[] => [];
    expect(built(classOf({}), passing({ grants }))).toThrow(
      `${cannot}Keyed has no static grants that is a function, or no static identity that is an Attribute; write both`,
    );
    expect(built(classOf({}), passing({ grants, identity: name }))).not.toThrow();
    const shared = bearer({ tokens: { token: "ada" }, identity: name });
    expect(built(classOf({}), passing({ grants, identity: name }), shared)).toThrow(
      `${cannot}Keyed and Bearer set the same identity, so that one would grant scopes to whom the other found`,
    );
  });

  it("refuses what is anonymous and closed", () => {
    expect(built(classOf({}, { anonymous: true, scopes: ["read"] }), granting)).toThrow(
      `${cannot}static GET is anonymous and has scopes; leave one of them out`,
    );
    expect(built(classOf({}, { anonymous: true }), guard)).toThrow(
      "is anonymous inside of Bearer, which refuses whom it does not know; make that optional, or leave anonymous out",
    );
    const optional = bearer({ tokens: { token: "ada" }, optional: true });
    expect(built(classOf({}, { anonymous: true }), optional)).not.toThrow();
    // A class says what holds where nothing else is said.
    expect(built(classOf({ anonymous: true }, { scopes: ["read"] }), granting)).not.toThrow();
  });

  it("refuses to hide by a 404 that the handler writes", () => {
    const hides = { may: { hides: true, ask: () => true } };
    const schema = z.object({ left: z.int() });
    const fit = [{}, { 404: "None" }, { 404: problem("/none", { status: 404, title: "None" }) }];
    const unfit = [
      { 404: z.string() },
      { 404: { description: "None", headers: { "x-why": z.string() } } },
      { 404: problem("/none", { status: 404, title: "None", schema }) },
      { 404: problem("/none", { status: 404, title: "None" }).or(problem("/gone", { status: 404, title: "Gone" })) },
    ];
    for (const answers of fit) expect(built(classOf(hides, answers))).not.toThrow();
    for (const answers of unfit) {
      expect(built(classOf(hides, answers))).toThrow(
        `${cannot}static GET hides what is there by 404, whose content its handler writes; declare 404 as a text, or`,
      );
    }
  });

  it("refuses members of another form, of classes of either module", () => {
    for (const Base of [Resource, native.Resource]) {
      expect(built(classOf({ may: "all" }, {}, Base))).toThrow(
        `${cannot}static may is "all"; write a function of { path, request }, or { hides: true, ask }`,
      );
      expect(built(classOf({ may: { hides: true } }, {}, Base))).toThrow(`${cannot}static may is an object; write`);
      expect(built(classOf({ anonymous: "yes" }, {}, Base))).toThrow(`${cannot}static anonymous is "yes"; write true`);
    }
    expect(built(classOf({}, { scopes: [] }, native.Resource))).toThrow(
      `${cannot}static GET has an array for scopes; write`,
    );
    expect(built(classOf({ scopes: ["own"] }, {}, native.Resource))).not.toThrow();
    expect(() => ResourceGroup.builder().may("all" as never)).toThrow(
      'Cannot add may(): expected a function of { path, request }, or { hides: true, ask }, got "all"',
    );
  });
});

describe("guarded()", () => {
  class Assets extends Files {
    paths = ["/assets/:path*"] as const;
    source = { codings: [], find: async () => undefined };
  }
  class Legacy extends mount(["/legacy/:path*"], () => new Response("old")) {}
  class Health extends native.Resource {
    override paths = ["/health"];
    override GET(): Response {
      return new Response("well");
    }
  }
  const optional = bearer({ tokens: { token: "ada" }, optional: true, scopesOf: () => ["read"] });

  it("names all that nobody guards: files, mounts, documents and health are counted", () => {
    const builder = Application.builder().resources(
      classOf({}),
      Assets,
      Legacy,
      Health,
      ...openapi({ title: "a", version: "1" }),
    );
    expect(() => builder.build()).not.toThrow();
    expect(() => builder.guarded().build()).toThrow(
      /^Cannot build the application: nobody guards GET of Ticket, GET of Assets, HEAD of Assets, CONNECT of Legacy, .*GET of Health, GET of \S+, GET of \S+; add a guard, whose class has static security, or write /,
    );
  });

  it("takes a guard that lets nobody through unknown, scopes, and what is said on purpose", () => {
    const group = (Class: never, middleware: readonly never[] = [], isAnonymous = false): never => {
      const begun = ResourceGroup.builder()
        .middleware(...middleware)
        .resources(Class);
      return (isAnonymous ? begun.anonymous() : begun).build() as never;
    };
    const build = (member: never) => (): unknown => Application.builder().guarded().resources(member).build();
    expect(build(group(classOf({}), [guard as never]))).not.toThrow();
    expect(build(group(classOf({}), [guard.on("POST") as never]))).toThrow("nobody guards GET of Ticket;");
    expect(build(group(classOf({}), [optional as never]))).toThrow("nobody guards GET of Ticket;");
    expect(build(group(classOf({}, { scopes: ["read"] }), [optional as never]))).not.toThrow();
    expect(build(group(classOf({}, { anonymous: true })))).not.toThrow();
    expect(build(group(classOf({ anonymous: true })))).not.toThrow();
    expect(build(group(classOf({ anonymous: true }, { anonymous: false })))).toThrow("nobody guards GET of Ticket;");
    expect(build(group(classOf({}), [], true))).not.toThrow();
    expect(build(group(Health as never, [], true))).not.toThrow();
    expect(build(group(Assets as never, [], true))).not.toThrow();
  });
});

it("is not asked by other modules, which refuse a group that says who may", () => {
  class Plain extends native.Resource {
    override paths = ["/"];
  }
  const group = ResourceGroup.builder()
    .may(() => false)
    .resources(Plain as never)
    .build();
  expect(() =>
    native.Application.builder()
      .resources(group as never)
      .build(),
  ).toThrow("Cannot add Plain to the application: its group says who may, which only Application of fingerpost asks");
});
