import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { BytesView } from "../../src/http/javascript/bytes.ts";
import type { ReceivedAnswer, SentContent } from "../../src/semantics/declaration/client-content.ts";
import type { JsonOf } from "../../src/semantics/declaration/json-of.ts";
import { events } from "../../src/semantics/declared-events.ts";
import { bytes, text, written } from "../../src/semantics/declaration/raw-content.ts";
import type { Problem } from "../../src/semantics/declaration/reply.ts";
import type { InferInput, InferOutput, StandardSchema } from "../../src/json-schema/shape/standard-schema.ts";

describe("JsonOf", () => {
  it("C11.2 has strings for dates, and what toJSON() returns for others", () => {
    class Money {
      readonly #cents = 100;
      toJSON(): { cents: number; at: Date } {
        return { cents: this.#cents, at: new Date(0) };
      }
    }
    expectTypeOf<JsonOf<Date>>().toEqualTypeOf<string>();
    expectTypeOf<JsonOf<{ at: Date; list: Date[]; deep: { at: Date | null } }>>().toEqualTypeOf<{
      at: string;
      list: string[];
      deep: { at: string | null };
    }>();
    expectTypeOf<JsonOf<Money>>().toEqualTypeOf<{ cents: number; at: string }>();
    expectTypeOf<JsonOf<URL>>().toEqualTypeOf<string>();
  });

  it("C11.2 lets members be absent that may be undefined", () => {
    expectTypeOf<JsonOf<{ a: string; b?: Date; c: number | undefined; d?: boolean | undefined }>>().toEqualTypeOf<{
      a: string;
      b?: string;
      c?: number;
      d?: boolean;
    }>();
    expectTypeOf<JsonOf<undefined>>().toEqualTypeOf<undefined>();
  });

  it("C11.2 drops functions and symbols, and has no bigint", () => {
    const key = Symbol("key");
    interface Item {
      name: string;
      describe(): string;
      onChange: () => void;
      mark: symbol;
      nothing: undefined;
      [key]: string;
    }
    expectTypeOf<JsonOf<Item>>().toEqualTypeOf<{ name: string }>();
    expectTypeOf<JsonOf<bigint>>().toEqualTypeOf<never>();
    expectTypeOf<JsonOf<{ n: bigint }>>().toEqualTypeOf<{ n: never }>();
    expectTypeOf<JsonOf<() => void>>().toEqualTypeOf<never>();
    expectTypeOf<JsonOf<Map<string, Date>>>().toEqualTypeOf<{}>();
    expectTypeOf<JsonOf<Set<string>>>().toEqualTypeOf<{}>();
  });

  it("C11.2 has null for elements that cannot be written", () => {
    expectTypeOf<JsonOf<(string | undefined)[]>>().toEqualTypeOf<(string | null)[]>();
    expectTypeOf<JsonOf<[Date, (() => void)?]>>().toEqualTypeOf<[string, null?]>();
    expectTypeOf<JsonOf<readonly [1, ...Date[]]>>().toEqualTypeOf<readonly [1, ...string[]]>();
  });

  it("C11.2 keeps JSON as it is: literals, unions, brands, records, recursion, what is not known", () => {
    interface Tree {
      at: Date;
      children: Tree[];
    }
    expectTypeOf<JsonOf<"a" | 1 | true | null>>().toEqualTypeOf<"a" | 1 | true | null>();
    expectTypeOf<JsonOf<{ kind: "a"; at: Date } | { kind: "b" }>>().toEqualTypeOf<
      { kind: "a"; at: string } | { kind: "b" }
    >();
    expectTypeOf<JsonOf<string & { readonly brand: "id" }>>().toEqualTypeOf<string & { readonly brand: "id" }>();
    expectTypeOf<JsonOf<Record<string, Date>>>().toEqualTypeOf<Record<string, string>>();
    expectTypeOf<JsonOf<Readonly<{ a: string }>>>().toEqualTypeOf<Readonly<{ a: string }>>();
    expectTypeOf<JsonOf<Tree>["children"][0]["children"][0]["at"]>().toEqualTypeOf<string>();
    expectTypeOf<JsonOf<unknown>>().toEqualTypeOf<unknown>();
    expectTypeOf<JsonOf<ReturnType<typeof JSON.parse>>>().toBeAny();
    expectTypeOf<JsonOf<never>>().toEqualTypeOf<never>();
    expectTypeOf<JsonOf<{}>>().toEqualTypeOf<{}>();
  });
});

describe("sides", () => {
  const dated = z.object({ at: z.string().transform((at) => new Date(at)), n: z.number().default(1) });

  it("C8.17 are those of zod, Valibot and ArkType", () => {
    expectTypeOf<InferInput<typeof dated>>().toEqualTypeOf<{ at: string; n?: number | undefined }>();
    expectTypeOf<InferOutput<typeof dated>>().toEqualTypeOf<{ at: Date; n: number }>();
    const pipe = v.pipe(v.string(), v.toDate());
    expectTypeOf<InferInput<typeof pipe>>().toEqualTypeOf<string>();
    expectTypeOf<InferOutput<typeof pipe>>().toEqualTypeOf<Date>();
    const parsed = type("string.date.parse");
    expectTypeOf<InferInput<typeof parsed>>().toEqualTypeOf<string>();
    expectTypeOf<InferOutput<typeof parsed>>().toEqualTypeOf<Date>();
    expectTypeOf<InferOutput<StandardSchema<string, number>>>().toEqualTypeOf<number>();
    expectTypeOf<InferInput<string>>().toEqualTypeOf<never>();
  });

  it("C8.17 take schemas of each library as a StandardSchema", () => {
    dated satisfies StandardSchema<unknown, { at: Date }>;
    v.object({ a: v.string() }) satisfies StandardSchema<{ a: string }>;
    type({ a: "string" }) satisfies StandardSchema<{ a: string }>;
    // @ts-expect-error -- another output
    dated satisfies StandardSchema<unknown, { at: string }>;
    // @ts-expect-error -- no schema
    ({ type: "object" }) satisfies StandardSchema;
  });

  it("C8.17 have clients give the input of a request, and get the output of an answer as JSON", () => {
    const content = { "application/json": dated, "text/plain": text(), "image/png": bytes() };
    expectTypeOf<SentContent<typeof dated>>().toEqualTypeOf<{ at: string; n?: number | undefined }>();
    expectTypeOf<SentContent<typeof content>>().toEqualTypeOf<
      { at: string; n?: number | undefined } | string | Blob | ArrayBuffer | BytesView | ReadableStream<Uint8Array>
    >();
    const csv = written("text/csv", (rows: { at: string }[]) => String(rows));
    const both = { content: { "application/json": dated, "text/csv": csv, "image/png": bytes() } };
    expectTypeOf<ReceivedAnswer<200, typeof dated, Problem>>().toEqualTypeOf<{ at: string; n: number }>();
    expectTypeOf<ReceivedAnswer<200, typeof both, Problem>>().toEqualTypeOf<
      { at: string; n: number } | string | Blob
    >();
    expectTypeOf<ReceivedAnswer<204, "Stored", Problem>>().toEqualTypeOf<undefined>();
    expectTypeOf<ReceivedAnswer<404, string, Problem>>().toEqualTypeOf<Problem>();
    expectTypeOf<ReceivedAnswer<503, { description: string }, Problem>>().toEqualTypeOf<Problem>();
    const stream = events(dated);
    expectTypeOf<ReceivedAnswer<200, typeof stream, Problem>>().toEqualTypeOf<
      AsyncIterable<{ at: string; n: number }>
    >();
  });
});
