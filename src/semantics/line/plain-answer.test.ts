import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MountedResource } from "../../dispatch/mounted-resource.ts";
import { pairsOf } from "../../http/answer/field-list.ts";
import { isThenable } from "../../http/javascript/thenable.ts";
import type { Answer } from "../../http/answer/carried-answer.ts";
import { byteLengthOf } from "../../http/javascript/byte-length.ts";
import { responseOf } from "../../http/message/response.ts";
import { Application } from "../semantics-application.ts";
import type { Operation } from "../declaration/operation.ts";
import { text } from "../declaration/raw-content.ts";
import { reply, type ReplyHeaders } from "../declaration/reply.ts";
import { noInput } from "../operation/input-model.ts";
import { operationModelOf } from "../operation/operation-model.ts";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { Resource } from "../semantics-resource.ts";
import type { LineResource } from "./allowed.ts";
import type { Answered } from "./answer-under-way.ts";
import { declaredAnswer } from "./declared-answer.ts";
import { concludedAnswer } from "./concluded-response.ts";
import { LineCall, type LineRequest } from "./line-call.ts";
import { planOf, type Plan } from "./plan.ts";

const Book = z.object({ title: z.string() });

/** The answer of an operation, and what was reported. */
async function answerOf(
  operation: object,
  handler: () => unknown,
  method = "GET",
): Promise<{ status: number; fields: Record<string, string>; content: string; error: unknown }> {
  class Books extends Resource {
    paths = ["/books"];
    static GET = operation as { 200: typeof Book };
    override GET(): never {
      return handler() as never;
    }
  }
  let error: unknown;
  const app = Application.builder()
    .resources(Books)
    .onError((thrown) => void (error = thrown))
    .build();
  const response = await app.request("/books", { method });
  return {
    status: response.status,
    fields: Object.fromEntries(response.headers),
    content: await response.text(),
    error,
  };
}

describe("an answer that takes no decision", () => {
  it("has the fields that are declared, its type and its length", async () => {
    const answer = await answerOf({ 200: Book, cache: "no-store" }, () => ({ title: "Köln" }));
    const fields = { "cache-control": "no-store", "content-type": "application/json", "content-length": "17" };
    expect(answer).toEqual({ status: 200, fields, content: '{"title":"Köln"}', error: undefined });
    const head = await answerOf({ 200: Book, cache: "no-store" }, () => ({ title: "Köln" }), "HEAD");
    expect(head).toEqual({ ...answer, content: "" });
  });

  it("waits for what its handler waits for", async () => {
    const { content } = await answerOf({ 200: Book }, async () => ({ title: "Emma" }));
    expect(content).toBe('{"title":"Emma"}');
  });

  it("adds the fields of a reply, and lets them stand for fixed ones", async () => {
    const fieldsOf = async (given: ReplyHeaders): Promise<Record<string, string>> =>
      (await answerOf({ 200: Book, cache: "no-store" }, () => reply(200, { title: "Emma" }, given))).fields;
    const fixed = { "cache-control": "no-store", "content-type": "application/json", "content-length": "16" };
    expect(await fieldsOf({ Location: "/books/1" })).toEqual({ ...fixed, location: "/books/1" });
    expect(await fieldsOf({ "Cache-Control": "private" })).toEqual({ ...fixed, "cache-control": "private" });
    expect(await fieldsOf({ age: 5, "x-none": undefined })).toEqual({ ...fixed, age: "5" });
    expect(await fieldsOf({ vary: ["Origin", "Prefer"] })).toEqual({ ...fixed, vary: "Origin, Prefer" });
  });

  it("refuses fields that cannot be sent", async () => {
    for (const given of [{ "x-a": "one\r\ntwo" }, { "not a name": "value" }]) {
      const { status, error } = await answerOf({ 200: Book }, () => reply(200, { title: "Emma" }, given));
      expect(status).toBe(500);
      expect(error).toBeInstanceOf(TypeError);
    }
  });

  it("is text where that is declared, in the encoding that its type names", async () => {
    const { fields, content } = await answerOf({ 200: text() }, () => "Köln");
    expect([fields["content-type"], fields["content-length"], content]).toEqual([
      "text/plain;charset=utf-8",
      "5",
      "Köln",
    ]);
    const named = await answerOf({ 200: text("text/csv; charset=utf-8") }, () => "a,b");
    expect(named.fields["content-type"]).toBe("text/csv; charset=utf-8");
    expect(String((await answerOf({ 200: text() }, () => 5)).error)).toMatch(
      /does not fit at # \(Expected a string or an async iterable\)$/,
    );
  });

  it("is none where the content does not fit, has a status without content, or is not JSON", async () => {
    const { status, error } = await answerOf({ 200: Book }, () => ({ title: 5 }));
    expect(status).toBe(500);
    expect(String(error)).toMatch(
      /^TypeError: Cannot answer GET of Books: the content of 200 does not fit at #\/title/,
    );
    expect((await answerOf({ 204: "Nothing" }, () => undefined)).status).toBe(204);
    const html = { 200: { content: { "text/html": z.string() } } };
    expect((await answerOf(html, () => "<p>")).content).toBe("<p>");
  });

  it("is left to the other steps for HEAD, of any status and type", async () => {
    const missing = { 200: text("text/csv; charset=utf-8"), 404: Book };
    const { status, fields } = await answerOf(missing, () => reply(404, { title: "None" }), "HEAD");
    expect([status, fields["content-type"]]).toEqual([404, "application/json"]);
    const head = await answerOf(missing, () => "a,b", "HEAD");
    expect([head.status, head.fields["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
  });
});

const names = [
  "x-a",
  "X-A",
  "Location",
  "cache-control",
  "vary",
  "set-cookie",
  "content-type",
  "Content-Length",
  "etag",
];
const values = ["", "a", "a b", " a", "é", "5", "text/html", 5, true, undefined, ["a", "b"]];
const contents = [undefined, "Köln", { title: "Emma" }, { title: "Köln", more: 1 }, { title: 5 }];
const answers: readonly Operation[200][] = ["Said", Book, text(), text("text/csv; charset=utf-8"), { content: Book }];
const declarations = fc.record({
  200: fc.constantFrom(...answers),
  201: fc.constantFrom("Said", Book, undefined),
  204: fc.constantFrom("Nothing", undefined),
  404: fc.constantFrom(...answers, undefined),
  cache: fc.constantFrom("no-store", undefined),
});
const replies = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 204, 404),
  content: fc.constantFrom(...contents),
  headers: fc.option(fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 2 }), {
    nil: undefined,
    freq: 1,
  }),
});

describe("a plain answer and an answer by all steps", () => {
  const methods = fc.constantFrom("GET" as const, "POST" as const);
  const modes = fc.constantFrom("shape" as const, "shape" as const, "check" as const, "trust" as const);

  it("agree in status, fields and content", async () => {
    let plainOnes = 0;
    const isSame = async (
      operation: Operation,
      method: "GET" | "POST",
      mode: LineResource["replies"],
      answer: object,
    ): Promise<void> => {
      const declared = Object.fromEntries(Object.entries(operation).filter(([, member]) => member !== undefined));
      const mounted = new MountedResource("Books", { QUERY: null, [method]: () => undefined }, {}, []);
      mounted.chain = [];
      const model = operationModelOf(mounted, method, declared, noInput, new Conversions());
      const plan = planOf(model, () => undefined, new Set(), false);
      const resource = { name: "Books", replies: mode, problems: null } as LineResource;
      const answered = answer as Answered;
      const request = new Request("http://h/", { method }) as LineRequest;
      const call = new LineCall(request, []);
      call.mediaType = model.produces[0] ?? "";
      const answerBy = (by: Plan): Answer | Promise<Answer> => declaredAnswer(resource, by, call, answered, null, null);
      const plain = answerBy(plan);
      if (isThenable(plain)) return void plain.then(undefined, () => {});
      plainOnes++;
      const made = await answerBy({ ...plan, plainAnswers: new Map() });
      const whole = responseOf(await concludedAnswer(model, call.fields, method, made, null, null));
      const { status, lines, content } = plain;
      const response = responseOf(plain);
      expect([response.status, [...response.headers]]).toEqual([whole.status, [...whole.headers]]);
      expect(await response.text()).toBe(await whole.text());
      // A server takes the parts, and adds the length if none is there.
      const sent = new Headers(pairsOf(lines));
      if (content !== null && !sent.has("content-length"))
        sent.set("content-length", String(byteLengthOf(content as string)));
      expect([status, ...sent]).toEqual([whole.status, ...whole.headers]);
    };
    await fc.assert(fc.asyncProperty(declarations as fc.Arbitrary<Operation>, methods, modes, replies, isSame), {
      numRuns: 1000,
      examples: [
        [{ 200: text() }, "GET", "shape", { status: 200, content: "Köln", headers: { "Content-Length": "3" } }],
      ],
    });
    expect(plainOnes).toBeGreaterThan(100);
  });
});
