// A member of an operation is two rows. Each reader of rows is asked for each part of each member: what `build()`
// refuses, the document, explain(), and the answer to a request, of the same class with the member and without it.
import { readFileSync } from "node:fs";
import { Application, Resource } from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describedMembers, type DescribedMember } from "../../src/semantics/operation/described-members.ts";
import { memberFieldsOf, members, type Member } from "../../src/semantics/operation/members.ts";
import type { OperationModel } from "../../src/semantics/operation/operation-model.ts";
import { operationsOf } from "../../src/semantics/operation/reading.ts";
import { features, plain, type Feature } from "./features.ts";

interface Field {
  readonly name?: string;
  readonly description?: string;
  readonly schema?: object;
}

interface Shown {
  readonly model: OperationModel;
  /** What the operation of the document has besides its fields and answers. */
  readonly others: string;
  readonly parameters: readonly Field[];
  readonly responses: Readonly<Record<string, { description?: string; headers?: Readonly<Record<string, Field>> }>>;
  readonly questions: readonly (readonly [question: string, section: string, finding: string])[];
  readonly sent: Headers;
}

/** What shows an operation that declares something. */
async function shownOf(
  { methods = ["GET"], asked = {}, middleware }: Feature,
  declared: object,
  hasValidator: boolean,
): Promise<Shown> {
  const [method] = methods;
  class Item extends Resource {
    override paths = ["/items/:id"];
  }
  Object.defineProperty(Item, method!, { value: { 200: z.object({ title: z.string() }), ...declared } });
  Object.defineProperty(Item.prototype, method!, { value: () => plain });
  if (middleware !== undefined) Object.defineProperty(Item, "middleware", { value: [middleware] });
  if (hasValidator) Object.defineProperty(Item.prototype, "validator", { value: () => ({ etag: '"7"' }) });
  const app = Application.builder()
    .resources(Item as never)
    .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
    .build();
  const { paths } = document(app, { title: "a", version: "1" });
  const written = paths["/items/{id}"]![method!.toLowerCase()]!;
  const { parameters = [], responses, ...others } = written as unknown as Shown;
  const { path = "/items/7", headers } = asked;
  const content = method === "GET" ? {} : { body: JSON.stringify(plain) };
  const request = new Request(`http://localhost${path}`, {
    method: method!,
    headers: { "content-type": "application/json", ...headers } as Readonly<Record<string, string>>,
    ...content,
  });
  const { questions } = await app.explain(request.clone());
  return {
    model: operationsOf(app.dispatcher.resources[0]!).get(method!)!,
    others: JSON.stringify(others),
    parameters,
    responses,
    // Members ask before the handler. Steps of their own are those of `steps.ts`.
    questions: questions
      .filter(({ step }) => step === 10)
      .map(({ question, section, finding }) => [question, section, finding]),
    sent: (await app.fetch(request)).headers,
  };
}

/** Both rows of a member. */
type Rows = Member & DescribedMember;

const parts: readonly (keyof Rows)[] = [
  "isFit",
  "expected",
  "answers",
  "requestFields",
  "parameters",
  "answerFields",
  "documented",
  "question",
];

/** What a member lacks, or does and does not say. */
async function lacksOf(name: string, feature: Feature | undefined): Promise<string[]> {
  const row: Rows = { ...members[name]!, ...describedMembers[name]! };
  const lacks = parts
    .filter((part) => row[part] === undefined)
    .map((part) => `${part} of ${name}: null where it has none`);
  const { [name as never]: value, ...rest } = feature?.declared ?? {};
  if (feature === undefined || value === undefined) return [...lacks, `a row for ${name} in tests/cases/features.ts`];
  if (lacks.length > 0) return lacks;
  if (!row.isFit(value)) lacks.push(`a value that isFit takes, in tests/cases/features.ts`);
  if (row.isFit(Symbol("other")) || row.expected === "") lacks.push("a check that refuses, and says what to write");
  let builds = 0;
  // Some members need a validator, and some do what it would do.
  for (const hasValidator of [true, false]) {
    const shown = await shownOf(feature, { ...rest, [name]: value }, hasValidator).catch(refusedByBuild);
    if (shown === null) continue;
    builds++;
    const without = await shownOf(feature, rest, hasValidator);
    lacks.push(...statusLacks(row, shown), ...fieldLacks(shown, without));
    if (row.documented === null ? shown.others !== without.others : shown.others === without.others)
      lacks.push(
        `documented: the document ${row.documented === null ? "has more" : "has no more"} than without ${name}`,
      );
    const asked = without.questions.map(([question]) => question);
    const more = shown.questions.filter(([question]) => !asked.includes(question));
    const known = row.question === null ? [] : [[row.question[0], row.question[1], row.question[2](shown.model)]];
    if (JSON.stringify(more) !== JSON.stringify(known) || known.flat().includes(""))
      lacks.push("question, section and finding");
  }
  if (builds === 0) lacks.push(`a declaration that build() takes, in tests/cases/features.ts`);
  return [...new Set(lacks)];
}

function refusedByBuild(error: unknown): null {
  if (error instanceof TypeError && error.message.startsWith("Cannot add ")) return null;
  throw error;
}

function statusLacks({ answers, requestFields }: Rows, { model, responses, parameters }: Shown): string[] {
  const statuses = Object.entries(answers?.(model) ?? {});
  return [
    ...statuses
      .filter(([status, meaning]) => meaning === "" || (responses[status]?.description ?? "") === "")
      .map(([status]) => `the meaning of ${status}`),
    ...(requestFields ?? [])
      .filter((field) => !parameters.some(({ name }) => name === field))
      .map((field) => `the field ${field}`),
    ...parameters
      .filter((one) => one.name !== "id" && !isWhole(one))
      .map(({ name }) => `description and schema of ${name}`),
  ];
}

/** Fields that are sent and not documented, or documented and not sent, or whose description is left out. */
function fieldLacks({ model, responses, sent }: Shown, without: Shown): string[] {
  const documentedIn = (status: string | number): string[] =>
    Object.keys(responses[status]?.headers ?? {}).map((one) => one.toLowerCase());
  const more = [...sent.keys()].filter((field) => sent.get(field) !== without.sent.get(field));
  const statuses = Object.keys(responses);
  const known = memberFieldsOf(model).flatMap((field) => {
    const { name } = field;
    const where = "value" in field ? ["200"] : statuses.filter((status) => field.isOn(Number(status)));
    const lacks = where.filter((status) => !documentedIn(status).includes(name.toLowerCase()));
    const isSent = !("value" in field) || sent.get(name) === field.value;
    return [...lacks.map((status) => `the field ${name} of ${status}`), ...(isSent ? [] : [`${name} in answers`])];
  });
  const written = Object.values(responses).flatMap(({ headers = {} }) => Object.entries(headers));
  return [
    ...known,
    ...more
      .filter((field) => !documentedIn(200).includes(field))
      .map((field) => `${field}, which is sent, in answerFields`),
    ...written
      .filter(([name, field]) => name === "undefined" || !isWhole(field))
      .map(([name]) => `description and schema of ${name}`),
  ];
}

function isWhole({ description = "", schema }: Field): boolean {
  return description.trim() !== "" && schema !== undefined && Object.keys(schema).length > 0;
}

/** A member with all of its parts: it answers 409, reads a field, and sends one. */
const planted: Rows = {
  isFit: (value) => typeof value === "string",
  expected: "a name",
  answers: () => ({ 409: "Somebody else has it" }),
  requestFields: ["X-Holder"],
  parameters: () => [{ name: "X-Holder", description: "Who asks", schema: { type: "string" }, isRequired: false }],
  answerFields: ({ declaration }) =>
    "holder" in declaration ? [{ name: "X-Held-By", value: String(declaration.holder) }] : [],
  fieldTexts: { "X-Held-By": "Who has it" },
  documented: () => ({ "x-holder": true }),
  question: ["Who has it?", "§ holders", () => "somebody"],
};
const feature: Feature = { declared: { holder: "Ada" } };

/** The same member with a part that is something else. */
async function lacksWith(row: Partial<Record<keyof Rows, unknown>>): Promise<string[]> {
  members["holder"] = describedMembers["holder"] = { ...planted, ...row } as Rows;
  try {
    return await lacksOf("holder", feature);
  } finally {
    delete members["holder"];
    delete describedMembers["holder"];
  }
}

describe("members of an operation", () => {
  it.each(Object.keys(members))("%s has each of its parts, and readers show it", async (name) => {
    expect(await lacksOf(name, features[name])).toEqual([]);
  });

  it("are named by the page about declared operations", () => {
    const page = readFileSync(new URL("../../docs/semantics.md", import.meta.url), "utf8");
    expect(
      Object.keys(members).filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}:`)),
    ).toEqual([]);
  });

  it("are asked for each part: a member that lacks one is found", async () => {
    expect(await lacksWith({})).toEqual([]);
    for (const part of parts) expect(await lacksWith({ [part]: undefined }), part).not.toEqual([]);
    const text = { type: "string" };
    const wrong: Record<string, Partial<Record<keyof Rows, unknown>>> = {
      "refuses nothing": { isFit: () => true },
      "says nothing of what to write": { expected: "" },
      "says nothing of a status": { answers: () => ({ 409: "" }) },
      "describes no field of requests": { parameters: () => [{ name: "X-Holder", schema: text }] },
      "has another field of requests": { requestFields: ["X-Other"] },
      "describes no field": { fieldTexts: null },
      "has an empty description": { fieldTexts: { "X-Held-By": " " } },
      "documents nothing": { documented: () => ({}) },
      "hides what it documents": { documented: "joined" },
      "asks nothing": { question: ["", "", () => ""] },
    };
    for (const [what, row] of Object.entries(wrong)) expect(await lacksWith(row), what).not.toEqual([]);
    members["holder"] = describedMembers["holder"] = planted;
    expect(await lacksOf("holder", undefined)).toEqual(["a row for holder in tests/cases/features.ts"]);
    delete members["holder"];
    delete describedMembers["holder"];
  });
});
