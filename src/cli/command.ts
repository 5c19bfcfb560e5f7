import { described } from "../http/javascript/described.ts";
import { findingKinds, type Finding } from "./findings.ts";

export interface Command {
  readonly name: "routes" | "check" | "explain" | "openapi" | "asyncapi" | "client-types" | "mcp" | "mock";
  /** The file or package that exports the application. */
  readonly module: string;
  /** The name of the export that is the application. Null for the only one. */
  readonly exportName: string | null;
  readonly isJSON: boolean;
  /** For `explain`. */
  readonly method: string;
  readonly target: string;
  /** Fields of the request that `explain` asks about, by names and values. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content of that request; null for none. */
  readonly content: string | null;
  /** Whether `explain` calls validator, middleware and handler. */
  readonly isRun: boolean;
  /** Kinds of findings that `check` leaves out. */
  readonly ignored: readonly Finding["kind"][];
  /** The path of the document that `openapi` prints, of several. Null for the only one. */
  readonly document: string | null;
  /** The file that `openapi` compares with. Null to print. */
  readonly against: string | null;
  /** Whether any difference from that file is a failure, or only one that breaks somebody. */
  readonly isAny: boolean;
  /** How differences are printed. */
  readonly format: "text" | "json" | "markdown";
  /** Where `mock` serves. */
  readonly port: number;
  /** The seed of `mock`; undefined for its default. */
  readonly seed: number | undefined;
  /** Whether guards of `mock` refuse. */
  readonly isGuarded: boolean;
  /** The day on which a sunset has passed; null for today. */
  readonly date: string | null;
}

export class UsageError extends Error {}

const exitCodes =
  "0 fine, 1 there are findings or breaking differences, or the request is refused, " +
  "2 the command cannot be carried out";

export const usage: string = `Usage:
  fingerpost new <name>                         makes a project in a new folder
  fingerpost routes <module>                    prints patterns, resources, methods and middleware
  fingerpost check <module>                     finds what is dangerous or unreachable
  fingerpost explain <module> <method> <target> shows which resource answers a request, and why
  fingerpost openapi <module>                   prints the OpenAPI document
  fingerpost asyncapi <module>                  prints the AsyncAPI document: sockets and events
  fingerpost client-types <module>              prints the types of a typed client
  fingerpost mcp <module>                       prints the tools of agents, and how many tokens each takes
  fingerpost mock <module>                      serves answers made of the declarations, without the handlers
  fingerpost tables [<role>]                    prints the tables of stores in PostgreSQL, and the grants of a role

<module> is the file that exports the application, compiled to JavaScript if Node cannot run it as it is.

Options:
  --runtime <name>  node, bun, deno or workers (new). Default: node
  --chain <name>    semantics or native (new). Default: semantics
  --template <name> notes: a whole application (new). Default: one resource
  --export <name>   the export that is the application, if there are several
  --json            prints JSON
  --ignore <kind>   leaves out findings of a kind (check; may be repeated): ${inTwoLines(findingKinds.join(", "))}
  --document <path> the document of one of several openapi() (openapi)
  --against <file>  compares the document with an older one, and says what the differences break (openapi)
  --any             lists the places of all differences, and fails for any (openapi --against)
  --format <name>   text, json or markdown (openapi --against). Default: text
  --date <day>      the day on which a sunset has passed, as in 2027-01-31 (openapi --against). Default: today
  --header <field>  adds a field to the request, as in --header "Accept: text/csv" (explain; may be repeated)
  --content <text>  gives the request content (explain)
  --run             calls validator, middleware and handler, too (explain)
  --port <number>   where to serve (mock); 0 for any. Default: 3000
  --seed <number>   makes other values (mock). Default: 1
  --guards          lets guards refuse (mock)
  --help, --version

Exit codes: ${exitCodes}
`;

const names = ["routes", "check", "explain", "openapi", "asyncapi", "client-types", "mcp", "mock"] as const;

/** Reads the arguments after the name of the program. @throws {UsageError} when they do not make a command. */
export function commandOf(args: readonly string[]): Command {
  const words: string[] = [];
  const ignored: Finding["kind"][] = [];
  let exportName: string | null = null;
  let isJSON = false;
  let isRun = false;
  let content: string | null = null;
  const headers: [string, string][] = [];
  let document: string | null = null;
  let against: string | null = null;
  let isAny = false;
  let format: Command["format"] = "text";
  let date: string | null = null;
  let port: number | undefined;
  let seed: number | undefined;
  let isGuarded = false;
  for (let at = 0; at < args.length; at++) {
    const { option, value } = optionOf(args[at]!);
    if (option === null) words.push(args[at]!);
    else if (option === "--json" && value === undefined) isJSON = true;
    else if (option === "--run" && value === undefined) isRun = true;
    else if (option === "--any" && value === undefined) isAny = true;
    else if (option === "--guards" && value === undefined) isGuarded = true;
    else if (option === "--json" || option === "--run" || option === "--any" || option === "--guards")
      throw new UsageError(`Cannot use ${option}: it takes no value`);
    else if (option === "--export") exportName = valueOf(option, value ?? args[++at]);
    else if (option === "--document") document = valueOf(option, value ?? args[++at]);
    else if (option === "--against") against = valueOf(option, value ?? args[++at]);
    else if (option === "--format") format = formatOf(valueOf(option, value ?? args[++at]));
    else if (option === "--port") port = numberOf(option, value ?? args[++at], 65_535);
    else if (option === "--seed") seed = numberOf(option, value ?? args[++at], Number.MAX_SAFE_INTEGER);
    else if (option === "--date") date = dateOf(valueOf(option, value ?? args[++at]));
    else if (option === "--content") content = valueOf(option, value ?? args[++at], true);
    else if (option === "--header") headers.push(fieldOf(valueOf(option, value ?? args[++at])));
    else if (option === "--ignore") ignored.push(kindOf(valueOf(option, value ?? args[++at])));
    else throw new UsageError(`Cannot understand ${described(option)}: there is no such option`);
  }
  const [name, module, method = "", target = ""] = words;
  if (name === undefined || !isName(name)) {
    const given = name === undefined ? "none" : described(name);
    throw new UsageError(`Cannot run a command: expected ${["new", ...names, "tables"].join(", ")}, got ${given}`);
  }
  if (words.length !== (name === "explain" ? 4 : 2) || module === undefined) {
    const needed = name === "explain" ? "a module, a method and a target" : "one module";
    throw new UsageError(`Cannot run ${name}: expected ${needed} behind it, got ${words.length - 1} words`);
  }
  if (module === "") throw new UsageError(`Cannot run ${name}: its module is an empty text`);
  if (ignored.length > 0 && name !== "check") {
    throw new UsageError(`Cannot use --ignore with ${name}: only check has findings`);
  }
  if (against !== null && name !== "openapi") {
    throw new UsageError(`Cannot use --against with ${name}: only openapi compares`);
  }
  if (document !== null && name !== "openapi") {
    throw new UsageError(`Cannot use --document with ${name}: only openapi prints a document`);
  }
  if (against === null && (isAny || format !== "text" || date !== null)) {
    throw new UsageError("Cannot use --any, --format or --date without --against: only differences have them");
  }
  if (name !== "mock" && (port !== undefined || seed !== undefined || isGuarded)) {
    throw new UsageError(`Cannot use --port, --seed or --guards with ${name}: only mock serves`);
  }
  if (name !== "explain" && (isRun || content !== null || headers.length > 0)) {
    throw new UsageError(`Cannot use --header, --content or --run with ${name}: only explain asks about a request`);
  }
  return {
    name,
    module,
    exportName,
    isJSON,
    method,
    target,
    headers,
    content,
    isRun,
    ignored,
    document,
    against,
    isAny,
    format: isJSON ? "json" : format,
    date,
    port: port ?? 3000,
    seed,
    isGuarded,
  };
}

function isName(word: string): word is Command["name"] {
  return (names as readonly string[]).includes(word);
}

/** Reads an option, and the value after its equals sign if it has one. Null for any other word. */
function optionOf(word: string): { readonly option: string | null; readonly value?: string } {
  if (!/^-./.test(word)) return { option: null };
  const equals = word.indexOf("=");
  return equals < 0 ? { option: word } : { option: word.slice(0, equals), value: word.slice(equals + 1) };
}

function fieldOf(field: string): [string, string] {
  const colon = field.indexOf(":");
  if (colon > 0) return [field.slice(0, colon).trim(), field.slice(colon + 1).trim()];
  throw new UsageError(`Cannot use --header ${described(field)}: expected a name, a colon and a value`);
}

function valueOf(option: string, value: string | undefined, isAny: boolean = false): string {
  if (value === undefined || (!isAny && (value === "" || value.startsWith("-")))) {
    throw new UsageError(`Cannot use ${option}: expected a value behind it`);
  }
  return value;
}

function numberOf(option: string, value: string | undefined, most: number): number {
  const number = /^\d+$/.test(value ?? "") ? Number(value) : NaN;
  if (number <= most) return number;
  throw new UsageError(`Cannot use ${option}: expected a number from 0 to ${most} behind it, got ${described(value)}`);
}

function kindOf(value: string): Finding["kind"] {
  const kind = findingKinds.find((known) => known === value);
  if (kind !== undefined) return kind;
  throw new UsageError(`Cannot ignore ${described(value)}: expected ${findingKinds.join(", ")}`);
}

function formatOf(value: string): Command["format"] {
  if (value === "text" || value === "json" || value === "markdown") return value;
  throw new UsageError(`Cannot use --format ${described(value)}: expected text, json or markdown`);
}

function dateOf(value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new UsageError(`Cannot use --date ${described(value)}: expected a day such as 2027-01-31`);
}

/** Continues below the descriptions of options when the line is full. */
function inTwoLines(list: string): string {
  const full = list.indexOf(" ", 30);
  return `${list.slice(0, full)}\n${" ".repeat(20)}${list.slice(full + 1)}`;
}
