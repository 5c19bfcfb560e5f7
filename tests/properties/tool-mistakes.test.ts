// A model's typical mistakes (C21.4): each result names the member and what it takes, and nothing that was sent but
// names.
import fc from "fast-check";
import { Application, Resource } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { holds, runs, timeout } from "./runs.ts";

const content: Readonly<Record<string, unknown>> = {
  Zod: z.object({
    copies: z.int().min(1),
    color: z.enum(["red", "blue"]),
    to: z.object({ city: z.string().max(3) }),
    tags: z.array(z.string()).max(2),
  }),
  Valibot: toStandardJsonSchema(
    v.object({
      copies: v.pipe(v.number(), v.integer(), v.minValue(1)),
      color: v.picklist(["red", "blue"]),
      to: v.object({ city: v.pipe(v.string(), v.maxLength(3)) }),
      tags: v.pipe(v.array(v.string()), v.maxLength(2)),
    }),
  ),
  ArkType: type({
    copies: "number.integer >= 1",
    color: "'red'|'blue'",
    to: { city: "string <= 3" },
    tags: "string[] <= 2",
  }),
};

const right = { copies: 2, color: "red", to: { city: "Ulm" }, tags: ["a"] };

/** What is sent otherwise than it should be, by a text that is nowhere else, and the line that says so. */
const mistakes: Readonly<Record<string, (sent: string) => readonly [given: object, line: RegExp]>> = {
  "a number as text": (sent) => [{ ...right, copies: sent }, /^- #\/copies: .*number/m],
  "text for a number that it holds": () => [{ ...right, copies: "90210" }, /^- #\/copies: .*number/m],
  "a wrong value of an enum": (sent) => [{ ...right, color: sent }, /^- #\/color: (?=.*"red")(?=.*"blue")/m],
  "text that is too long": (sent) => [{ ...right, to: { city: sent } }, /^- #\/to\/city: .*3/m],
  "text for an object": (sent) => [{ ...right, to: sent }, /^- #\/to: .*object/im],
  "text for a list": (sent) => [{ ...right, tags: sent }, /^- #\/tags: .*array/im],
  "an object for text": (sent) => [{ ...right, tags: [{ [sent.slice(0, 1)]: sent }] }, /^- #\/tags\/0: .*string/m],
  "null for a member": () => [{ ...right, color: null }, /^- #\/color: (?=.*"red")(?=.*"blue")/m],
  "a member too many": (sent) => [
    { ...right, colour: sent },
    /^- #\/colour: Expected no such input: the inputs are (?=.*copies)(?=.*color)(?=.*to)(?=.*tags)/m,
  ],
  "no member": () => [{ ...right, copies: undefined }, /^- #\/copies: .*(?:number|"copies")/m],
  "nothing at all": () => [{}, /^- #\/color: /m],
};

function applicationOf(schema: unknown): Application {
  class Orders extends Resource {
    override paths = ["/orders"];
    static POST = { content: schema, 204: "Placed", tool: { name: "order" } };
    override POST(): void {}
  }
  return Application.builder()
    .resources(Orders as never, mcp({ name: "orders", version: "1" }))
    .build() as never;
}

async function textOf(app: Application, given: object): Promise<{ readonly isError?: boolean; readonly text: string }> {
  const headers = { accept: "application/json, text/event-stream" };
  const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "order", arguments: given } };
  const answered = await (await app.request("/mcp", { method: "POST", headers, json })).text();
  const { result } = JSON.parse(/^data: (.*)$/m.exec(answered)![1]!) as {
    readonly result: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };
  };
  return { ...result, text: result.content[0].text };
}

/** Text of letters that are in no message. */
const secrets = fc.string({ unit: fc.constantFrom(..."ЖЩЪЫЭЮЯ"), minLength: 4, maxLength: 40 });

describe.each(Object.entries(content))("a tool with a schema of %s", (_, schema) => {
  const app = applicationOf(schema);

  it("is called by what is right", async () => {
    expect((await textOf(app, right)).isError).toBeUndefined();
  });

  it.each(Object.entries(mistakes))(
    "C21.4 says what to mend, and not what was sent: %s",
    { timeout },
    async (__, make) => {
      await holds(
        fc.asyncProperty(secrets, async (sent) => {
          const [given, line] = make(sent);
          const { isError, text } = await textOf(app, given);
          expect(isError).toBe(true);
          expect(text).toMatch(line);
          expect(text).not.toMatch(/[ЖЩЪЫЭЮЯ]|90210/);
        }),
        Math.ceil(runs / 200),
      );
    },
  );
});
