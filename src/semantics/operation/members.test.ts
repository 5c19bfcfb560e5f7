import { Application, HTTPError, Resource, Status } from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { document, drift } from "fingerpost/openapi";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientTypes } from "../../openapi/client-types.ts";
import type { Operation } from "../declaration/operation.ts";
import { describedMembers, memberAnswersOf } from "./described-members.ts";
import { isMember, memberFieldsOf, members, membersOf } from "./members.ts";
import type { OperationModel } from "./operation-model.ts";
import { operationsOf } from "./reading.ts";

const about = { title: "Members", version: "1" };

/** The value of a member that is planted. */
function onceOf({ declaration }: OperationModel): string {
  return (declaration as { readonly once?: string }).once!;
}

/** What document, client types, explain and drift show of a class with one operation. */
async function shownOf(operation: object, status: (typeof Status)["Conflict"]): Promise<Record<string, unknown>> {
  class Order extends Resource {
    override paths = ["/orders/:id"];
    static PUT = { 204: "Stored", ...operation };
    override PUT(): undefined {
      throw new HTTPError(status);
    }
  }
  const app = Application.builder()
    .resources(Order)
    .onError(() => {})
    .build();
  const put = document(app, about).paths["/orders/{id}"]!["put"]! as unknown as Record<string, unknown>;
  const observed = drift(app);
  await observed.fetch(new Request("http://localhost/orders/1", { method: "PUT" }));
  const { questions } = await app.explain(new Request("http://localhost/orders/1", { method: "PUT" }));
  return {
    written: put["x-once"],
    responses: (put["responses"] as Record<string, { description: string }>)["409"]?.description,
    types: /Refused<Problem, 409>/.test(clientTypes(app.dispatcher)),
    explained: questions.filter(({ section }) => section === "§ once"),
    drift: observed.statuses.map((one) => one.status),
  };
}

describe("members", () => {
  it("shows in documents whom an operation is for: by its own member, or by that of its class", () => {
    class Order extends Resource {
      override paths = ["/orders"];
      static audience = "internal";
      static GET = { 204: "None" };
      static PUT = { audience: "partners", 204: "Stored" };
      override GET(): void {}
      override PUT(): void {}
    }
    const app = Application.builder().resources(Order).build();
    const { get, put } = document(app, about).paths["/orders"]!;
    expect([get!["x-audience"], put!["x-audience"]]).toEqual(["internal", "partners"]);
  });

  it("has two rows for a member, by which all readers know it", async () => {
    members["once"] = {
      isFit: (value) => typeof value === "string",
      expected: "the name of a field",
      requestFields: null,
      answerFields: null,
    };
    describedMembers["once"] = {
      answers: (model) => ({ 409: `${onceOf(model)} came before with other content` }),
      parameters: null,
      fieldTexts: null,
      documented: (model) => ({ "x-once": onceOf(model) }),
      question: ["Did it come before?", "§ once", (model) => `not asked: ${onceOf(model)} is compared by the handler`],
    };
    onTestFinished(() => {
      delete members["once"];
      delete describedMembers["once"];
    });
    expect(await shownOf({}, Status.Conflict)).toEqual({
      written: undefined,
      responses: undefined,
      types: false,
      explained: [],
      drift: [409],
    });
    expect(await shownOf({ once: "idempotency-key" }, Status.Conflict)).toEqual({
      written: "idempotency-key",
      responses: "idempotency-key came before with other content",
      types: true,
      explained: [
        {
          step: 10,
          question: "Did it come before?",
          section: "§ once",
          finding: "not asked: idempotency-key is compared by the handler",
        },
      ],
      drift: [],
    });
    await expect(shownOf({ once: 1 }, Status.Conflict)).rejects.toThrow(
      "static PUT has 1 for once; write the name of a field",
    );
  });

  it("says what to write for a value that does not fit", async () => {
    for (const [name, { expected }] of Object.entries(members)) {
      await expect(shownOf({ [name]: 1 }, Status.Conflict), name).rejects.toThrow(
        `static PUT has 1 for ${name}; write ${expected}`,
      );
    }
  });

  it("takes only links that may stand in a field, from the first character to the last", () => {
    const isFit = (link: string): boolean => members["deprecated"]!.isFit({ since: "2027-01-31", link });
    for (const link of ["", "/old", "https://example.org/old?a=b#c"]) expect(isFit(link), link).toBe(true);
    for (const link of ["<old", "old>", " /old", "/old ", "é/old", "/old\n"]) expect(isFit(link), link).toBe(false);
  });

  it("lets explain() say that an operation is deprecated", async () => {
    const findings = [];
    for (const deprecated of [true, false, { since: "2027-01-31" }, { since: "2027-01-31", sunset: "2027-06-30" }]) {
      class Old extends Resource {
        override paths = ["/"];
        static GET = { deprecated, 204: "Nothing" };
        override GET(): undefined {}
      }
      const app = Application.builder().resources(Old).build();
      const { questions } = await app.explain(new Request("http://localhost/"));
      const asked = questions.find(({ question }) => question === "Is the operation deprecated?");
      expect(asked?.section).toBe("RFC 9745 §2");
      findings.push(asked?.finding);
    }
    expect(findings).toEqual([
      "yes",
      "no",
      "yes: from 2027-01-31 on",
      "yes: from 2027-01-31 on, and gone from 2027-06-30 on",
    ]);
  });

  it("describe what an operation answers and reads because of them", () => {
    class Order extends Resource {
      override paths = ["/"];
      static PUT = { precondition: true, idempotency: { optional: true }, 204: "Stored" } as const;
      override PUT(): undefined {}
      validator(): null {
        return null;
      }
    }
    const { dispatcher } = Application.builder()
      .resources(Order)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    const model = operationsOf(dispatcher.resources[0]!).get("PUT")!;
    expect(memberAnswersOf(model)).toEqual({
      400: "Idempotency-Key cannot be read, or is missing",
      409: "A request with this Idempotency-Key is under way; Retry-After says when to come back",
      422: "Idempotency-Key was used for another request",
      428: "The request needs a precondition, such as If-Match",
    });
    expect(describedMembers["idempotency"]!.parameters!(model)).toEqual([
      {
        name: "Idempotency-Key",
        description: "Names this request: a repeat with the same key gets the first answer",
        isRequired: false,
        schema: { type: "string", minLength: 1, maxLength: 255 },
      },
    ]);
  });

  it("document the day on which an operation ends, where there is one", () => {
    const { documented } = describedMembers["deprecated"]!;
    const of = (deprecated: Operation["deprecated"]): object =>
      (documented as (model: object) => object)({ declaration: { deprecated } });
    expect(of(false)).toStrictEqual({});
    expect(of(true)).toStrictEqual({ deprecated: true });
    expect(of({ since: "2027-01-31" })).toStrictEqual({ deprecated: true });
    expect(of({ since: "2027-01-31", sunset: "2027-06-30" })).toStrictEqual({
      deprecated: true,
      "x-sunset": "2027-06-30",
    });
  });
});

describe("memberFieldsOf()", () => {
  it("has what says that an answer is a repeat, on declared answers that are kept", () => {
    class Order extends Resource {
      override paths = ["/"];
      static POST = {
        idempotency: { optional: true },
        204: "Placed",
        409: "Sold out",
        429: "Too many",
        503: "Closed",
      } as const;
      override POST(): undefined {}
      static PUT = { 204: "Stored" };
      override PUT(): undefined {}
    }
    const { dispatcher } = Application.builder()
      .resources(Order)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    const operations = operationsOf(dispatcher.resources[0]!);
    const statuses = (method: string): number[] => {
      const field = memberFieldsOf(operations.get(method)!).find(({ name }) => name === "Idempotent-Replayed");
      return [200, 204, 409, 429, 503].filter((status) => field !== undefined && "isOn" in field && field.isOn(status));
    };
    expect(statuses("POST")).toEqual([204, 409]);
    expect(statuses("PUT")).toEqual([]);
  });
});

describe("membersOf()", () => {
  it("has the rows of members with a value, and none for answers and schemas", () => {
    const declared = { id: "order", summary: undefined, query: {}, 204: "Stored" };
    expect(membersOf({ declaration: declared as never })).toEqual([members["id"]]);
  });
});

describe("isMember()", () => {
  it("knows rows, schemas, paths and statuses", () => {
    expect(["summary", "etag", "query", "at", "204"].filter((name) => !isMember(name))).toEqual([]);
    expect(["constructor", "sumary", "600"].filter(isMember)).toEqual([]);
  });
});
