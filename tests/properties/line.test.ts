// What holds for the semantics chain, whatever is declared, sent and answered.
import fc from "fast-check";
import { Application, jsonSchema, Resource } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { tenMethods } from "../cases/decision.ts";
import { decisionsApplication } from "../cases/decisions-application.ts";
import { inputOf, sentFields, sentRequests, sentTargets } from "./generated-requests.ts";
import { holds, timeout } from "./runs.ts";

describe("the line", () => {
  it("answers nothing by 5xx, but 501 for a method that HTTP does not have", { timeout }, async () => {
    const errors: unknown[] = [];
    const app = decisionsApplication(tenMethods, (error) => void errors.push(error));
    await holds(
      fc.asyncProperty(sentRequests, async (sent) => {
        const input = inputOf(sent);
        fc.pre(input !== null);
        errors.length = 0;
        const { status } = await app.fetch(input);
        const isKnown = (tenMethods as readonly string[]).includes(input.method);
        if (status === 501 && !isKnown) return;
        expect(status, String((errors[0] as Error | undefined)?.stack)).toBeLessThan(500);
        if (!isKnown) expect(status).toBe(404);
      }),
    );
  });

  it("answers HEAD by what GET would answer, field by field, without the content", { timeout }, async () => {
    const app = decisionsApplication(tenMethods.filter((method) => method !== "HEAD"));
    await holds(
      fc.asyncProperty(sentTargets, sentFields, async (target, headers) => {
        const head = inputOf({ method: "HEAD", target, headers, content: null });
        fc.pre(head !== null);
        // RFC 9110 §14.2: Range is defined for GET alone.
        const plain = headers.filter(([name]) => name !== "range");
        const [answer, whole] = await Promise.all([
          app.fetch(head),
          app.fetch(inputOf({ method: "GET", target, headers: plain, content: null })!),
        ]);
        expect(answer.status).toBe(whole.status);
        expect([...answer.headers]).toEqual([...whole.headers]);
        if (answer.ok) expect(answer.body).toBeNull();
      }),
    );
  });

  const somePaths = fc.subarray(["/a", "/b/:id"], { minLength: 1 });
  const someMethods = fc.dictionary(fc.constantFrom(...tenMethods), fc.option(somePaths), { maxKeys: 10 });

  it("lists in Allow what is not 405, path by path", { timeout }, async () => {
    await holds(
      fc.asyncProperty(someMethods, async (methods) => {
        class Some extends Resource {
          paths = ["/a", "/b/:id"];
        }
        for (const [method, at] of Object.entries(methods)) {
          Object.defineProperty(Some.prototype, method, { value: () => undefined });
          Object.defineProperty(Some, method, { value: { 204: "Done", ...(at === null ? {} : { at }) } });
        }
        const app = Application.builder().resources(Some).build();
        for (const target of ["/a", "/b/1"]) {
          const answers = await Promise.all(
            tenMethods.map((method) => app.fetch(inputOf({ method, target, headers: [], content: null })!)),
          );
          const allowed = tenMethods.filter((_, at) => answers[at]!.status !== 405).join(", ");
          for (const [at, { status, headers }] of answers.entries()) {
            // An OPTIONS of the class's own says what it wants.
            const isOwn = status === 204 && headers.get("allow") === null;
            if (status === 405 || (tenMethods[at] === "OPTIONS" && !isOwn)) expect(headers.get("allow")).toBe(allowed);
          }
        }
      }),
      500,
    );
  });
});

type Shape =
  | { readonly kind: "text" | "number" | "anything" }
  | { readonly kind: "list" | "nullable" | "optional"; readonly of: Shape }
  | { readonly kind: "record"; readonly keys: Keys; readonly of: Shape }
  | { readonly kind: "object"; readonly members: Readonly<Record<string, Shape>> }
  | { readonly kind: "either"; readonly of: readonly Shape[] };

/** The names of a record's members: some words, or what an expression matches. */
type Keys = readonly string[] | RegExp;

const keys = fc.oneof(
  fc.uniqueArray(fc.constantFrom("a", "id", "toString"), { minLength: 1 }),
  fc.constantFrom(/^x-/, /^(a|id)$/),
);

function isKey(of: Keys, name: string): boolean {
  return of instanceof RegExp ? of.test(name) : of.includes(name);
}

const names = fc.constantFrom("a", "b", "id", "title", "constructor", "toString", "length");

const { shape: shapes } = fc.letrec<{ shape: Shape; object: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constantFrom("text" as const, "number" as const) }),
    fc.record({ kind: fc.constantFrom("list" as const, "nullable" as const), of: tie("shape") }),
    tie("object"),
    fc.record({ kind: fc.constant("record" as const), keys, of: tie("shape") }),
    fc.record({ kind: fc.constant("either" as const), of: fc.array(tie("object"), { minLength: 1, maxLength: 3 }) }),
  ),
  object: fc.record({
    kind: fc.constant("object" as const),
    members: fc.dictionary(
      names,
      fc.oneof(tie("shape"), fc.record({ kind: fc.constant("optional" as const), of: tie("shape") })),
      { maxKeys: 4 },
    ),
  }),
})) as { readonly shape: fc.Arbitrary<Shape> };

function zodOf(shape: Shape): z.ZodType {
  if (shape.kind === "object") {
    return z.object(Object.fromEntries(Object.entries(shape.members).map(([name, one]) => [name, zodOf(one)])));
  }
  if (shape.kind === "record") {
    const { keys: of } = shape;
    return of instanceof RegExp
      ? z.record(z.string().regex(of), zodOf(shape.of))
      : z.partialRecord(z.enum(of), zodOf(shape.of));
  }
  if (shape.kind === "either") return z.union(shape.of.map(zodOf));
  if (shape.kind === "list") return z.array(zodOf(shape.of));
  if (shape.kind === "nullable") return z.nullable(zodOf(shape.of));
  if (shape.kind === "optional") return z.optional(zodOf(shape.of));
  return shape.kind === "text" ? z.string() : shape.kind === "number" ? z.number() : z.unknown();
}

/** A value of a shape, with members that the shape does not name wherever there is an object. */
function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "object": {
      const members = Object.entries(shape.members).map(([name, one]) =>
        valuesOf(one).map((value) => [name, value] as const),
      );
      const extra = fc.constantFrom("passwordHash", "secret", "__proto__", "hasOwnProperty", "0");
      const more = fc.array(fc.tuple(extra, fc.constantFrom("secret", 1, null, { secret: "secret" })), {
        maxLength: 2,
      });
      return fc.tuple(fc.tuple(...members), more, fc.boolean()).map(([own, others, isFirst]) => {
        const value = {};
        for (const [name, member] of isFirst ? [...others, ...own] : [...own, ...others]) {
          const isKnown = Object.hasOwn(shape.members, name) && others.some(([other]) => other === name);
          if (!isKnown) Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true });
        }
        return value;
      });
    }
    case "record": {
      const extra = fc.constantFrom("passwordHash", "secret", "__proto__", "0");
      const own = fc.constantFrom("a", "id", "toString", "x-a").filter((name) => isKey(shape.keys, name));
      const members = fc.array(fc.tuple(own, valuesOf(shape.of)), { maxLength: 2 });
      // Rarely, as such an answer is refused.
      const more = fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.tuple(fc.tuple(extra, valuesOf(shape.of))));
      return fc.tuple(members, more).map(([named, others]) => {
        const value = {};
        for (const [name, member] of [...named, ...others]) {
          Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true });
        }
        return value;
      });
    }
    case "either":
      return fc.oneof(...shape.of.map(valuesOf));
    case "list":
      return fc.array(valuesOf(shape.of), { maxLength: 3 });
    case "nullable":
      return fc.oneof(fc.constant(null), valuesOf(shape.of));
    case "optional":
      return fc.oneof(fc.constant(undefined), valuesOf(shape.of));
    default:
      return shape.kind === "text" ? fc.string({ maxLength: 4 }) : fc.integer();
  }
}

/** The members of a value, as JSON pointers, that a shape does not name. */
function unnamed(shape: Shape, value: unknown, at = "#"): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (shape.kind === "nullable" || shape.kind === "optional") return unnamed(shape.of, value, at);
  if (Array.isArray(value) !== (shape.kind === "list") && shape.kind !== "either") return [at];
  if (shape.kind === "list")
    return (value as unknown[]).flatMap((item, index) => unnamed(shape.of, item, `${at}/${index}`));
  if (shape.kind === "either") {
    const found = shape.of.map((one) => unnamed(one, value, at));
    return found.toSorted((one, other) => one.length - other.length)[0]!;
  }
  if (shape.kind === "record") {
    return Object.entries(value).flatMap(([name, member]) =>
      isKey(shape.keys, name) ? unnamed(shape.of, member, `${at}/${name}`) : [`${at}/${name}`],
    );
  }
  if (shape.kind !== "object") return [at];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape.members, name) ? unnamed(shape.members[name]!, member, `${at}/${name}`) : [`${at}/${name}`],
  );
}

describe("an answer", () => {
  const answers = shapes.chain((shape) => fc.tuple(fc.constant(shape), valuesOf(shape)));

  async function answered(schema: unknown, value: unknown, replies?: "check"): Promise<Response> {
    class Answering extends Resource {
      paths = ["/"];
      static GET = { 200: schema };
      override GET(): never {
        return value as never;
      }
    }
    const builder = Application.builder()
      .resources(Answering as typeof Resource)
      .onError(() => {});
    return (replies === undefined ? builder : builder.replies(replies)).build().fetch(new Request("http://localhost/"));
  }

  it.each([undefined, "check" as const])(
    "has no member that its schema does not name (%s)",
    { timeout },
    async (replies) => {
      await holds(
        fc.asyncProperty(answers, async ([shape, value]) => {
          const response = await answered(zodOf(shape), value, replies);
          // A value without its only member, which is undefined, is none.
          fc.pre(value !== undefined);
          // A record refuses names, where an object leaves them out.
          if (hasRecord(shape) && response.status === 500) return;
          expect(response.status).toBe(200);
          expect(unnamed(shape, await response.json())).toEqual([]);
        }),
        1000,
      );
    },
  );

  it("has none of a schema whose library keeps them either", { timeout }, async () => {
    await holds(
      fc.asyncProperty(answers, async ([shape, value]) => {
        fc.pre(value !== undefined && !isEither(shape));
        const schema = jsonSchema(z.toJSONSchema(zodOf(shape), { io: "input" }), () => true);
        const response = await answered(schema, value);
        expect(response.status).toBe(200);
        expect(unnamed(shape, await response.json())).toEqual([]);
      }),
      1000,
    );
  });
});

function hasRecord(shape: Shape): boolean {
  if (shape.kind === "object") return Object.values(shape.members).some(hasRecord);
  if (shape.kind === "either") return shape.of.some(hasRecord);
  return shape.kind === "record" || ("of" in shape && hasRecord(shape.of));
}

/** Whether there is a choice of objects in a shape: which of them a value is, only its library knows. */
function isEither(shape: Shape): boolean {
  if (shape.kind === "object") return Object.values(shape.members).some(isEither);
  return shape.kind === "either" || ("of" in shape && isEither(shape.of as Shape));
}
