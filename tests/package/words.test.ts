// One word has one meaning in what users write: decision 179. The reports of what the package declares are whole, as
// `scripts/check/api.js` holds them against the build.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";
import { describe, expect, it } from "vitest";
import { childrenOf, type Node } from "./syntax-tree.ts";

const reports = fileURLToPath(new URL("api/", import.meta.url));

/** Words of options that said what another word says, and that word. */
const retired = new Map([
  ...(["user", "claims"] as const).map((word) => [word, "identity"] as const),
  ["scope", "scopes, or ownerOf"],
  ...(["atMost", "max", "many", "most", "times", "tries"] as const).map((word) => [word, "max with a noun"] as const),
  ["perSecond", "maxMessagesPerSecond"],
  ["maxWaiting", "maxWaitingBytes"],
  ["conditional", "precondition"],
  ["streaming", "stream"],
  ["insecure", "secure"],
  ["signIn", "signInURL"],
  ["onInvalid", "whenInvalid"],
  ["as", "what is done with it"],
  ["maxLength", "maxBytes or maxCharacters"],
  ["firstMs", "firstDelayMs"],
  ["longestMs", "maxDelayMs"],
  ["mediaTypes", "types"],
  ...(["origin", "trustedOrigins"] as const).map((word) => [word, "origins"] as const),
  ["openapi", "openapiVersion"],
  ["of", "only"],
]);

/** Names that functions and types had. */
const retiredNames = new Set(["send", "eventsOf", "allOf", "AllOptions"]);

/** Numbers that are a count or a name by themselves, or are named by the field, or by a limiter. */
const unitless = /^(?:backlog|fd|limit|port|quota|seed|trustedHops)$/;

/** Seconds are on the wire: `Max-Age`, `RateLimit-Policy`, and the claims of a token. */
const onTheWire = /^(?:clockTolerance|maxAge|maxTokenAge|preflightMaxAge|window)Seconds$/;

/** What has the path of a URL: of a cookie, and of a resource of the package. */
const placed = /^(?:CookieAttributes|OpenAPIOptions|AsyncAPIOptions|McpOptions|Operation)$/;

const options = /(?:Options|Rules|Settings|Attributes|Timeout)$|^(?:Operation|Tool)$/;

function* faultsIn(statement: Node): Generator<string> {
  const exported = statement["declaration"] as Node | null | undefined;
  const node = exported ?? statement;
  const name = ((node["id"] as { name?: string } | undefined)?.name ?? "").replace(/_\d$/, "");
  if (exported && (retiredNames.has(name) || /(?:Fields|Limits)$/.test(name))) yield `${name}: a name that was retired`;
  if (!options.test(name)) return;
  for (const member of membersOf(node)) {
    const word = (member["key"] as { name?: string }).name ?? "";
    const place = `${name}.${word}`;
    const meant = retired.get(word);
    if (meant !== undefined) yield `${place}: say ${meant}`;
    if (/^is[A-Z]/.test(word)) yield `${place}: an option has a bare adjective`;
    if (/(?:^f|F)ields?$/.test(word)) yield `${place}: say headers`;
    if (word === "path" && !placed.test(name)) yield `${place}: say of what the path is`;
    if (word.endsWith("Seconds") && !onTheWire.test(word)) yield `${place}: say it in milliseconds`;
    const hasUnit = /(?:Ms|Seconds|Bytes|Characters)$|^max[A-Z]/.test(word) || unitless.test(word);
    if (isNumeric(member["typeAnnotation"] as Node) && !hasUnit) yield `${place}: say its unit`;
  }
}

function* membersOf(node: Node): Generator<Node> {
  if (node.type === "TSPropertySignature") yield node;
  else for (const child of childrenOf(node)) yield* membersOf(child);
}

/** Whether a member takes any number, and not a list of them, or a function. */
function isNumeric(node: Node): boolean {
  if (/^TS(?:FunctionType|TypeReference|ArrayType)$/.test(node.type)) return false;
  return node.type === "TSNumberKeyword" || [...childrenOf(node)].some(isNumeric);
}

function faultsOf(source: string): string[] {
  const { body } = parseAst(source, { lang: "dts" }) as unknown as { readonly body: readonly Node[] };
  return body.flatMap((statement) => [...faultsIn(statement)]);
}

/** Each chain has its own. */
const ofChains = /^(?:Application(?:Builder)?|Method|Middleware|Resource(?:Group(?:Builder)?)?)$/;

/** Options that several functions share, or that are one of two forms. */
const shared =
  /^(?:Durable|EventStream|RawContent|Listener|Postgres|(?:Stored|Sealed)Sessions|(?:Named|Own)Webhook)Options$/;

/** What reports export, by name: each text that it has, without the numbers that keep names apart in one report. */
function exportsIn(texts: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const text of texts) {
    const own = new Map<string, string>();
    for (const block of text.split(/\n\n(?=\S)/)) {
      const [, name] = /^export (?:abstract )?(?:interface|type|class|const|function) (\w+)/.exec(block) ?? [];
      if (name !== undefined) own.set(name, (own.get(name) ?? "") + block.trim().replaceAll(/_\d\b/g, ""));
    }
    for (const [name, whole] of own) found.set(name, (found.get(name) ?? new Set()).add(whole));
  }
  return found;
}

/** Types of options that are not named after their function. */
function strangersIn(texts: readonly string[]): string[] {
  const all = [...texts.join("\n").matchAll(/^export function (\w+)[^\n]*\boptions\??: (\w+Options)\b/gm)];
  return all
    .filter(([, name, type]) => !shared.test(type!) && type!.toLowerCase() !== `${name!.toLowerCase()}options`)
    .map(([, name, type]) => `${name}: ${type}`);
}

const texts = readdirSync(reports).map((name) => readFileSync(reports + name, "utf8"));

describe("names of the interface", () => {
  it("have one meaning in all entries", () => {
    const several = [...exportsIn(texts)].filter(([name, { size }]) => size > 1 && !ofChains.test(name));
    expect(several.map(([name]) => name)).toEqual([]);
    expect(exportsIn(["export type A = 1;\n", "export type A = 2;\n"]).get("A")!.size).toBe(2);
  });

  it("of options are those of their functions", () => {
    expect(strangersIn(texts)).toEqual([]);
    expect(strangersIn(["export function send(options?: SentOptions): void;"])).toEqual(["send: SentOptions"]);
  });
});

describe("words of the interface", () => {
  it.each(readdirSync(reports))("are those of decision 179 in %s", (name) => {
    expect(faultsOf(readFileSync(reports + name, "utf8"))).toEqual([]);
  });

  it("are found where somebody writes another one", () => {
    const source = `
      export interface AOptions extends B {
        readonly max?: number; readonly times?: 5; readonly waitSeconds?: number | undefined; readonly wait?: number;
        readonly isOpen?: boolean; readonly fields?: readonly string[]; readonly path?: string; readonly seed?: number;
        readonly until?: (ms: number) => number; readonly maxItems?: number; readonly graceMs?: number; }
      type COptions_2 = { readonly scope?: string } | { readonly claims: object };
      interface Given { readonly max: number; readonly path: string }
      interface InnerFields {}
      export interface OwnFields {}
      export function send(max: number): void;
    `;
    expect(faultsOf(source)).toEqual([
      "AOptions.max: say max with a noun",
      "AOptions.max: say its unit",
      "AOptions.times: say max with a noun",
      "AOptions.waitSeconds: say it in milliseconds",
      "AOptions.wait: say its unit",
      "AOptions.isOpen: an option has a bare adjective",
      "AOptions.fields: say headers",
      "AOptions.path: say of what the path is",
      "COptions.scope: say scopes, or ownerOf",
      "COptions.claims: say identity",
      "OwnFields: a name that was retired",
      "send: a name that was retired",
    ]);
  });
});
