import { Application, Resource } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isValidated, type OperationModel } from "./operation-model.ts";
import { operationsOf } from "./reading.ts";

class Book extends Resource {
  override paths = ["/book"];
  static audience = "internal";
  static deprecated = true;
  static tags = ["Books"];

  static GET = { 200: { content: { "text/html": z.string() } }, 300: { content: z.string() } };
  override GET(): string {
    return "";
  }

  static PUT = { audience: "public", deprecated: false, tags: [], 204: "Stored" };
  override PUT(): undefined {}
}

function modelOf(method: string): OperationModel {
  const { dispatcher } = Application.builder().resources(Book).build();
  return operationsOf(dispatcher.resources[0]!).get(method)!;
}

describe("operationModelOf()", () => {
  const said = (method: string): unknown[] => {
    const { audience, deprecated, tags } = modelOf(method).declaration;
    return [audience, deprecated, tags];
  };

  it("has the audience, the deprecation and the tags of the class where the operation says nothing", () => {
    expect(said("GET")).toEqual(["internal", true, ["Books"]]);
    expect(said("PUT")).toEqual(["public", false, []]);
  });

  it("produces the media types of answers below 300 only", () => {
    expect(modelOf("GET").produces).toEqual(["text/html"]);
  });
});

describe("isValidated()", () => {
  it("is true of what a read answers by validators, but for events alone", () => {
    const model = { isOnLine: true, isRead: true, hasValidator: true, declaration: {} };
    const of = (...produces: string[]): boolean => isValidated({ ...model, produces } as object as OperationModel);
    expect([of(), of("text/html"), of("text/event-stream", "text/html")]).toEqual([true, true, true]);
    expect(of("text/event-stream")).toBe(false);
  });
});
