import { Application, bytes, Resource } from "fingerpost";
import { Application as NativeApplication, Resource as NativeResource } from "fingerpost/native";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { OperationModel } from "./operation-model.ts";
import { operationsOf } from "./reading.ts";
import { impliedStatusesOf, steps } from "./steps.ts";

/** The model of an operation of a class that has nothing else. */
function modelOf(method: "GET" | "PUT", operation: object): OperationModel {
  class Thing extends Resource {
    override paths = ["/"];
  }
  Object.assign(Thing, { [method]: { 200: z.string(), ...operation } });
  Object.assign(Thing.prototype, { [method]: () => "" });
  const { dispatcher } = Application.builder().resources(Thing).build();
  return operationsOf(dispatcher.resources[0]!).get(method)!;
}

/** The statuses that it answers beside those that any operation with content answers: 406. */
function impliedBy(method: "GET" | "PUT", operation: object): number[] {
  const implied = impliedStatusesOf(modelOf(method, operation), { hasParams: false, isConstrained: false });
  return implied.filter((status) => status !== 406);
}

describe("impliedStatusesOf()", () => {
  const one = z.object({ "x-n": z.string() });

  it("has 400 for each part of a request that may not fit", () => {
    expect(impliedBy("GET", {})).toEqual([]);
    for (const part of ["query", "headers", "cookies"]) expect(impliedBy("GET", { [part]: one })).toEqual([400]);
  });

  it("has 422 where a schema reads one of the contents, and 413 for all", () => {
    const image = { "image/png": bytes() };
    expect(impliedBy("PUT", { content: image })).toEqual([415, 400, 413]);
    expect(impliedBy("PUT", { content: { ...image, "application/json": one } })).toEqual([415, 400, 413, 422]);
  });

  it("has 304 and 412 for a tag of content where it is read, and not where it is written", () => {
    expect(impliedBy("GET", { etag: "content" })).toEqual([304, 412]);
    expect(impliedBy("PUT", { etag: "content" })).toEqual([400]);
  });

  it("RFC 9110 §14.5 has 400 for a PUT without declared content, which may be of a part", () => {
    expect(impliedBy("PUT", {})).toEqual([400]);
    class Native extends NativeResource {
      override paths = ["/"];
      static PUT = { 200: z.string() };
      override PUT(): never {
        return "" as never;
      }
    }
    const { dispatcher } = NativeApplication.builder().resources(Native).build();
    const native = operationsOf(dispatcher.resources[0]!).get("PUT")!;
    expect(impliedStatusesOf(native, { hasParams: false, isConstrained: false })).toEqual([]);
  });

  it("has 400 for a page, whose query has a cursor", () => {
    const place = { hasParams: false, isConstrained: false };
    const model = modelOf("GET", {});
    expect(impliedStatusesOf({ ...model, page: {} } as never, place)).toContain(400);
    expect(impliedStatusesOf(model, place)).not.toContain(400);
  });

  it("has 206 and 416 where a read by GET has bytes among its content", () => {
    const mixed = { content: { "application/json": one, "image/png": bytes() } };
    expect(impliedBy("GET", { 200: mixed })).toEqual([206, 416]);
    expect(impliedBy("PUT", { 200: mixed })).not.toContain(206);
    expect(impliedBy("GET", { 200: { content: { "application/json": one } } })).toEqual([]);
  });
});

describe("steps", () => {
  it("ask what explain() and the page about it say, each with its section", () => {
    expect(Object.entries(steps).map(([step, { question, section }]) => [Number(step), question, section])).toEqual([
      [0, "Does a resource have the path?", "RFC 9110 §15.5.5"],
      [1, "Is the method allowed?", "RFC 9110 §15.5.6"],
      [2, "Does the path fit?", "RFC 9110 §15.5.5"],
      [3, "May the sender do this?", "RFC 9110 §15.5.4"],
      [4, "Do query, fields and cookies fit?", "RFC 9110 §15.5.1"],
      [5, "Is the content of a type that is taken?", "RFC 9110 §15.5.16"],
      [6, "Is a representation acceptable?", "RFC 9110 §15.5.7"],
      [7, "Is this a repeat?", "draft-ietf-httpapi-idempotency-key-header §2"],
      [8, "Do the preconditions hold?", "RFC 9110 §13.2.2"],
      [9, "Does the content fit?", "RFC 9110 §15.5.21"],
      [10, "What does the handler answer?", "RFC 9110 §9"],
      [12, "Which fields has the answer?", "RFC 9110 §8"],
      [13, "Has the client got it?", "RFC 9110 §15.4.5"],
      [14, "Which part is it?", "RFC 9110 §14.2"],
      [15, "Which status is sent?", "RFC 9110 §15"],
      [-1, "Does the middleware let it through?", "RFC 9110 §15.5.2"],
    ]);
  });
});
