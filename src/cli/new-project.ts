import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { described } from "../http/javascript/described.ts";
import { UsageError } from "./command.ts";

const runtimes = ["node", "bun", "deno", "workers"] as const;
const chains = ["semantics", "native"] as const;
const templates = ["notes"] as const;

type Runtime = (typeof runtimes)[number];

interface Wish {
  /** The folder, and the package in it. */
  readonly name: string;
  readonly runtime: Runtime;
  readonly chain: (typeof chains)[number];
  /** A whole application instead of the first resource. */
  readonly template: (typeof templates)[number] | null;
}

/** What to type in the new folder, line by line. */
const steps: Readonly<Record<Runtime, readonly string[]>> = {
  node: ["npm install", "npm start", "npm test"],
  bun: ["bun install", "bun run start", "bun test"],
  deno: ["deno task start", "deno task test"],
  workers: ["npm install", "npm start", "npm test"],
};

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** What npm leaves out of packages, so that a template cannot have it. */
const ignored = "node_modules/\ndist/\n";

/** Says why a folder could not be made. */
export class FolderError extends Error {}

/**
 * Makes a project from the templates of the package, in a new folder, and says what to type next.
 * @throws {UsageError} when the words do not say which project.
 * @throws {FolderError} when the folder exists.
 */
export function newProject(args: readonly string[], version: string, parent: string = process.cwd()): string {
  const wish = wishOf(args);
  const folder = join(parent, wish.name);
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new FolderError(`Cannot make ${wish.name}: the folder exists; choose another name, or remove it`);
  }
  if (wish.template === "notes") copyNotes(folder);
  else copyTemplate(`template-${wish.runtime}`, folder);
  const manifests = readdirSync(folder).filter((file) => /^(?:package|deno|wrangler)\.json$/.test(file));
  if (wish.template === null && wish.chain === "semantics") addSemantics(folder, wish.runtime, manifests);
  for (const file of manifests) nameIn(join(folder, file), wish, version);
  const readme = join(folder, "README.md");
  const ofSemantics = wish.chain === "semantics" ? "- $1" : "";
  writeFileSync(readme, readFileSync(readme, "utf8").replace(/^- With declared operations, (.*\n)/m, ofSemantics));
  writeFileSync(join(folder, ".gitignore"), ignored);
  const todo = wish.template === null ? steps[wish.runtime] : ["npm install", "npm start"];
  const lines = [`cd ${wish.name}`, ...todo].map((line) => `  ${line}\n`).join("");
  return `Made ${wish.name}: runtime ${wish.runtime}, chain ${wish.chain}\n\n${lines}`;
}

function wishOf(args: readonly string[]): Wish {
  const names: string[] = [];
  let runtime: Runtime = "node";
  let chain: Wish["chain"] = "semantics";
  let template: Wish["template"] = null;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const [, option, given] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) names.push(word);
    else if (option === "--runtime") runtime = oneOf(runtimes, option, given ?? args[++at]);
    else if (option === "--chain") chain = oneOf(chains, option, given ?? args[++at]);
    else if (option === "--template") template = oneOf(templates, option, given ?? args[++at]);
    else throw new UsageError(`Cannot use ${described(option)} with new: expected --runtime, --chain or --template`);
  }
  if (template !== null && (runtime !== "node" || chain !== "semantics")) {
    throw new UsageError(
      "Cannot use --template with another runtime or chain: it is for Node, with declared operations",
    );
  }
  const [name = ""] = names;
  if (names.length !== 1) throw new UsageError(`Cannot run new: expected one name, got ${names.length}`);
  // Rules of npm for the names of packages. A name is not a path.
  if (!/^[a-z\d][a-z\d._-]{0,99}$/.test(name)) {
    throw new UsageError(
      `Cannot make ${described(name)}: expected a name of lower-case letters, digits, ".", "_" and "-"`,
    );
  }
  return { name, runtime, chain, template };
}

function oneOf<T extends string>(known: readonly T[], option: string, value: string | undefined): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const given = value === undefined ? "none" : described(value);
  throw new UsageError(`Cannot use ${option}: expected ${known.join(", ")}, got ${given}`);
}

function copyTemplate(template: string, folder: string): void {
  for (const entry of readdirSync(join(examples, template)).filter((name) => isCopied(`/${name}`))) {
    cpSync(join(examples, template, entry), join(folder, entry), { recursive: true, filter: isCopied });
  }
}

/** Returns whether a template has a file by itself: in a clone, its commands may have left others there. */
function isCopied(source: string): boolean {
  return !/[\\/](?:node_modules|dist|package-lock\.json)$/.test(source);
}

/** Copies the application of examples/notes, without what belongs to the repository. */
function copyNotes(folder: string): void {
  for (const entry of ["page", "server", "package.json", "tsconfig.json", "tsconfig.build.json", "README.md"]) {
    cpSync(join(examples, "notes", entry), join(folder, entry), { recursive: true });
  }
  const [readme, manifest] = [join(folder, "README.md"), join(folder, "package.json")];
  writeFileSync(readme, readFileSync(readme, "utf8").replace(/\n## In the repository\n[^]*$/, ""));
  const { scripts, dependencies, ...others } = read(manifest) as Record<string, Manifest>;
  const { compile, start } = scripts!;
  write(manifest, {
    ...others,
    name: "template-node",
    scripts: { prestart: "npm run --silent compile", compile, start },
    dependencies: { ...dependencies, fingerpost: "^0.0.0" },
  });
}

type Manifest = Record<string, unknown>;

/** Puts resources of the other chain in place, and the library of schemas that they use. */
function addSemantics(folder: string, runtime: Runtime, manifests: readonly string[]): void {
  copyTemplate("template-semantics/src", join(folder, "src"));
  if (runtime === "node") copyTemplate("template-semantics/node", join(folder, "src"));
  const { dependencies } = read(join(examples, "template-semantics/package.json")) as {
    dependencies: Record<string, string>;
  };
  for (const file of manifests) {
    const manifest = read(join(folder, file));
    if (file === "package.json")
      manifest["dependencies"] = { ...(manifest["dependencies"] as Manifest), ...dependencies };
    if (file === "deno.json") {
      const imports = Object.entries(dependencies).map(([name, range]) => [name, `npm:${name}@${range}`]);
      manifest["imports"] = { ...(manifest["imports"] as Manifest), ...Object.fromEntries(imports) };
    }
    write(join(folder, file), manifest);
  }
}

function nameIn(file: string, { name, runtime }: Wish, version: string): void {
  const text = readFileSync(file, "utf8")
    .replaceAll(`"template-${runtime}"`, JSON.stringify(name))
    .replace(/(?<="fingerpost": "\^|npm:\/?fingerpost@\^)\d[^"/]*/g, version);
  writeFileSync(file, text);
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

function write(file: string, manifest: Manifest): void {
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
