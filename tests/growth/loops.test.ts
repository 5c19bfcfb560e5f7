// A loop whose body walks something costs their product. Each such place in what serves requests, or reads answers, is
// in the table with what bounds the product. Where both sizes are a client's, the cost is measured.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { withBranches, type CheckIssue } from "../../src/json-schema/library/check-branches.ts";
import { failuresOf } from "../../src/json-schema/library/issues.ts";
import { ReadOnlyMembers } from "../../src/json-schema/library/read-only-members.ts";
import { isEqualJson } from "../../src/json-schema/value/equal-json.ts";
import { jsonPatched } from "../../src/json-schema/value/json-patch.ts";
import { mergePatched } from "../../src/json-schema/value/merge-patch.ts";
import { schemes } from "../../src/state/webhooks/schemes.ts";
import { fingerprintOf } from "../../src/writes/fingerprint.ts";
import { formPartsOf } from "../../src/writes/form-parts.ts";
import { CostMeter } from "./cost.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const rooms = [
  ...["agents", "client", "content", "dispatch", "fields", "formats", "http/message", "json-schema/library"],
  ...["json-schema/text", "json-schema/value", "middleware", "semantics/line", "servers/node", "sockets", "state"],
  "writes",
];

const once = "each step goes on where the one before ended";
const ofApp = "one of the two is of the application, and is fixed when it is built";
const flat = "a list of lists: each entry is looked at once";

/** How many walks a file has inside of loops, and what their product is, or what bounds it. */
const loops: Readonly<Record<string, readonly [walks: number, product: string]>> = {
  "agents/described-inputs.ts": [1, ofApp],
  "agents/tool-input.ts": [1, "values of one field, each once"],
  "agents/unfit-tools.ts": [2, ofApp],
  "agents/usable-tools.ts": [4, ofApp],
  "client/client-events.ts": [3, once],
  "client/filled-form.ts": [1, flat],
  "client/client-lines.ts": [1, once],
  "client/client-pages.ts": [1, flat],
  "content/files-resource.ts": [2, "codings of a file, of which there are three"],
  "content/folder/folder-snapshot.ts": [2, ofApp],
  "content/inbox.ts": [1, "waits again for what came meanwhile"],
  "dispatch/host-properties.ts": [1, ofApp],
  "fields/cookie.ts": [2, once],
  "fields/ip-address.ts": [1, "eight groups"],
  "formats/lines/line-reader.ts": [2, once],
  "formats/multipart/multipart-reader.ts": [1, once],
  "formats/multipart/part-head.ts": [1, once],
  "formats/multipart/whole-form.ts": [1, once],
  "http/message/imitation.ts": [1, ofApp],
  "json-schema/library/branch-members.ts": [1, ofApp],
  "json-schema/library/check-branches.ts": [2, once],
  "json-schema/library/issue-words.ts": [2, ofApp],
  "json-schema/library/issues.ts": [
    2,
    "at most a hundred values that could not be read; branches of a union are of the application",
  ],
  "json-schema/library/raw-schema.ts": [1, ofApp],
  "json-schema/library/valibot-branches.ts": [2, ofApp],
  "json-schema/library/zod-outline.ts": [1, ofApp],
  "json-schema/text/parsed-json.ts": [3, once],
  "json-schema/text/text-reader.ts": [1, flat],
  "json-schema/text/text-values.ts": [3, once],
  "json-schema/value/json-patch.ts": [2, "each level once; operations look at 500,000 members together"],
  "middleware/cors.ts": [1, ofApp],
  "middleware/lib/content-declaration.ts": [1, ofApp],
  "middleware/lib/decompressor.ts": [1, "each piece of a chunk once"],
  "middleware/lib/jwt-key.ts": [1, ofApp],
  "semantics/line/answer-under-way.ts": [1, ofApp],
  "semantics/line/declared-answer.ts": [1, ofApp],
  "servers/node/connections.ts": [1, "requests under way of connections, each once"],
  "servers/node/upgrading.ts": [3, "16 kB of fields, which Node bounds"],
  "sockets/connection.ts": [1, "64 messages, or 1,000 where nothing can pause reading"],
  "sockets/kept-topics.ts": [1, "topics of a socket, which the application names"],
  "state/after.ts": [1, flat],
};

/** Counts loops inside of loops, and methods that walk a list or a text inside of loops, by how lines are indented. */
function walksIn(folder: string): Record<string, number> {
  const counts: Record<string, number> = {};
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  for (const file of files) {
    let open: number[] = [];
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      const indent = line.search(/\S/);
      if (indent < 0) continue;
      open = open.filter((outer) => outer < indent);
      const isLoop = /^\s*(?:for|while)\b/.test(line);
      const walks = /\.(?:includes|indexOf|find|some|every|filter|findIndex|lastIndexOf|join|splice|flatMap|shift)\(/;
      if (open.length > 0 && (isLoop || walks.test(line))) counts[file] = (counts[file] ?? 0) + 1;
      if (isLoop) open.push(indent);
    }
  }
  return counts;
}

describe("loops whose body walks something", () => {
  it("are in the table, each file with how many it has", () => {
    const found = Object.fromEntries(
      rooms.flatMap((room) =>
        Object.entries(walksIn(join(root, room))).map(([file, count]) => [`${room}/${file}`, count] as const),
      ),
    );
    expect(found).toEqual(Object.fromEntries(Object.entries(loops).map(([file, [count]]) => [file, count])));
  });

  it("are found where one is planted", () => {
    const folder = mkdtempSync(join(tmpdir(), "loops-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.ts"), "for (const one of sent) {\n  if (names.includes(one)) count++;\n}\n");
    writeFileSync(join(folder, "b.ts"), "for (const one of sent) count++;\nnames.includes(one);\n");
    expect(walksIn(folder)).toEqual({ "a.ts": 1 });
  });
});

const meter = new CostMeter();
beforeAll(() => meter.start());
afterAll(() => meter.stop());

const times = <Value>(count: number, value: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => value(at));
const object = (count: number): object => Object.fromEntries(times(count, (at) => [`m${at}`, at]));

interface SuiteCase {
  readonly doc: unknown;
  readonly patch: readonly { readonly path: string; readonly from?: string }[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}
const suite = (["tests", "spec-tests"] as const).flatMap(
  (name) =>
    JSON.parse(readFileSync(new URL(`../content/patches/${name}.json`, import.meta.url), "utf8")) as SuiteCase[],
);

/** Runs with two sizes, both of which a client chooses. */
const products: Readonly<Record<string, (some: number, others: number) => unknown>> = {
  "operations of a patch, and members of the document": (operations, members) =>
    jsonPatched(
      { a: 0, rest: object(members) },
      times(operations, (at) => ({ op: "replace", path: "/a", value: at })),
      1e6,
    ),
  "members of a patch, and of the document": (some, others) => mergePatched(object(others), object(some)),
  "members of two values that are equal": (some, others) =>
    isEqualJson({ a: object(some), b: object(others) }, { a: object(some), b: object(others) }, { steps: 1e9 }),
  "entries of a list with read-only members, and those of another": (some, others) =>
    new ReadOnlyMembers({ properties: { l: { items: { properties: { a: {} } } } } }).leaveOut(
      { l: times(some, (id) => ({ id, a: 1 })) },
      { l: times(others, (id) => ({ id, a: 2 })) },
    ),
  "parts of a form, and bytes of each": (parts, bytes) => {
    const part = `--B\r\nContent-Disposition: form-data; name=a\r\n\r\n`;
    const content = new TextEncoder().encode(`${part}${"x".repeat(bytes)}\r\n${`${part}\r\n`.repeat(parts)}--B--\r\n`);
    return fingerprintOf(
      { method: "POST", target: "/", type: "multipart/form-data; boundary=B", content },
      formPartsOf,
    );
  },
  "issues of a check, and values that could not be read": (issues, unread) =>
    failuresOf("query", {
      vendor: "x",
      sent: {},
      issues: times(issues, (at) => ({ message: "x", path: [`m${at}`] })),
      unread: times(unread, (at) => ({ path: [`u${at}`], detail: "x" })),
    }),
  "issues of a union, and issues before it": (inside, before) => {
    const issue = (place: string): CheckIssue => ({ keyword: "type", instancePath: place, schemaPath: "#/x" }) as never;
    return withBranches(
      [
        ...times(before, (at) => issue(`/b${at}`)),
        ...times(inside, (at) => issue(`/u/${at}`)),
        { keyword: "anyOf", instancePath: "/u", schemaPath: "#/properties/u/anyOf" } as never,
      ],
      {},
    );
  },
};

describe("products of two sizes that a client chooses", () => {
  it.each(Object.entries(products))("cost their sum: %s", async (_, run) => {
    await meter.costOf(() => run(50, 50));
    const cost = (some: number, others: number): Promise<number> => meter.costOf(() => run(some, others));
    const [first, second, both] = [await cost(800, 1), await cost(1, 800), await cost(800, 800)];
    expect(both, `${first} and ${second}`).toBeLessThan(2 * (first + second) + 5_000);
  });

  it("of operations that each look at the whole document have a bound, and then 413", async () => {
    const document = object(5_000);
    const patch = times(1_000, () => ({ op: "test", path: "", value: document }));
    await meter.reset();
    const cost = await meter.costOf(() => jsonPatched(document, patch, 1e6));
    expect(cost).toBeLessThan(5_000_000);
    expect(() => jsonPatched(object(5_000), patch, 1e6)).toThrow(expect.objectContaining({ status: 413 }));
  });

  it("of signatures and keys have a bound: 16 signatures, or nothing is signed", async () => {
    const sent = (count: number) => ({
      field: (name: string) =>
        ({ "webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": times(count, () => "v1,a").join(" ") })[
          name
        ] ?? null,
      content: new Uint8Array(1_000),
    });
    let asked = 0;
    const secrets = new Proxy(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
      get: (target, name) => (name === Symbol.iterator && asked++, Reflect.get(target, name) as unknown),
    });
    for (const count of [16, 17, 4_000]) {
      await expect(schemes.standard.keyOf(sent(count), secrets)).rejects.toMatchObject({ status: 403 });
    }
    expect(asked).toBe(1);
  });
});

describe("the patches of others", () => {
  const cases = suite.filter(({ error, disabled, patch }) => !error && disabled !== true && patch.length > 0);

  it("cost no more beside other members of the document, and a sum for many", async () => {
    const faults: string[] = [];
    const run = ({ doc, patch }: SuiteCase, copies: number, members: number): (() => unknown) => {
      const document = { docs: times(copies, () => structuredClone(doc)), rest: object(members) };
      const all = times(copies, (at) => {
        const below = (path: string): string => `/docs/${at}${path}`;
        return patch.map((one) => ({
          ...one,
          path: below(one.path),
          ...(one.from !== undefined && { from: below(one.from) }),
        }));
      }).flat();
      return () => jsonPatched(document, all, 1e6);
    };
    expect(cases.length).toBeGreaterThan(60);
    for (const one of cases) {
      const most = Math.floor(40 / one.patch.length);
      await meter.costOf(run(one, most, 0));
      await meter.reset();
      const [many, beside, both] = [
        await meter.costOf(run(one, most, 0)),
        await meter.costOf(run(one, 1, 2_000)),
        await meter.costOf(run(one, most, 2_000)),
      ];
      if (both > 1.2 * (many + beside) + 1_000)
        faults.push(`${JSON.stringify(one.patch)} costs ${many}, ${beside}, ${both}`);
    }
    expect(faults).toEqual([]);
  });
});

it("the issues of a union may be as many as content has members", () => {
  const issues = times(200_000, (at) => ({ keyword: "type", instancePath: `/u/${at}`, schemaPath: "#/x" }) as never);
  const union = { keyword: "anyOf", instancePath: "/u", schemaPath: "#/properties/u/anyOf" } as never;
  expect(withBranches([...issues, union], {})).toHaveLength(200_001);
});
