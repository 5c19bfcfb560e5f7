/** What the command line asks for. */
export interface Command {
  readonly name: "routes" | "check" | "explain";
  /** The file or package that exports the application. */
  readonly module: string;
  /** The name of the export that is the application; null takes the only one there is. */
  readonly exportName: string | null;
  readonly isJSON: boolean;
  /** Of `explain`. */
  readonly method: string;
  readonly target: string;
  /** Kinds of findings that `check` leaves out. */
  readonly ignored: readonly string[];
}

/** Says that the command line cannot be understood: what is wrong with it. */
export class UsageError extends Error {}

export const usage = `Usage:
  fingerpost routes <module>                    prints patterns, resources, methods and middleware
  fingerpost check <module>                     finds what is dangerous or unreachable
  fingerpost explain <module> <method> <target> shows which resource answers a request, and why

<module> is the file that exports the application, compiled to JavaScript if Node cannot run it as it is.

Options:
  --export <name>   the export that is the application, if there are several
  --json            prints JSON
  --ignore <kind>   leaves out findings of a kind (check; may be repeated): backtracking, unreachable, no-paths,
                    order, unchecked
  --help, --version

Exit codes: 0 fine, 1 there are findings or the request has no resource, 2 the command cannot be carried out
`;

const names = ["routes", "check", "explain"] as const;
const kinds = ["backtracking", "unreachable", "no-paths", "order", "unchecked"] as const;

/** Reads the arguments behind the name of the program. @throws {UsageError} when they make no command. */
export function commandOf(args: readonly string[]): Command {
  const words: string[] = [];
  const ignored: string[] = [];
  let exportName: string | null = null;
  let isJSON = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === "--json") isJSON = true;
    else if (word === "--export") exportName = valueOf(word, args[++at]);
    else if (word === "--ignore") ignored.push(kindOf(valueOf(word, args[++at])));
    else if (word.startsWith("--")) throw new UsageError(`Unknown option ${JSON.stringify(word.slice(0, 80))}`);
    else words.push(word);
  }
  const [name, module, method = "", target = ""] = words;
  if (name === undefined || !isName(name)) throw new UsageError(`Expected one of the commands ${names.join(", ")}`);
  const expected = name === "explain" ? 4 : 2;
  if (words.length !== expected || module === undefined) {
    throw new UsageError(
      name === "explain" ? "Expected a module, a method and a target" : `Expected one module behind ${name}`,
    );
  }
  return { name, module, exportName, isJSON, method, target, ignored };
}

function isName(word: string): word is Command["name"] {
  return (names as readonly string[]).includes(word);
}

function valueOf(option: string, value: string | undefined): string {
  if (value === undefined || value.startsWith("--")) throw new UsageError(`Expected a value behind ${option}`);
  return value;
}

function kindOf(value: string): string {
  if ((kinds as readonly string[]).includes(value)) return value;
  throw new UsageError(`Expected one of ${kinds.join(", ")} behind --ignore`);
}
