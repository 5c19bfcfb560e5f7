import { readdirSync, readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { calleeOf, childrenOf, isText, visit, type Node } from "./syntax-tree.ts";
import { TextReader } from "./text-reader.ts";

/** A text of the source that a person reads: values are `{}`, and what follows a line break is left out. */
export interface Message {
  readonly text: string;
  /** The class of error that is made from it where it stands; null if that is elsewhere. */
  readonly errorClass: string | null;
  readonly file: string;
}

/**
 * Every text in the sources below a folder that may be a message, put together as far as that is known: what an error
 * is made with, what begins with "Cannot", and whatever else has three words or more.
 *
 * By what is done with it a text is known to be none: see `isData()`, `isPhrase()` and `isDescription()`. Of the
 * command line tools, of documents and of what agents are told only errors count, because all else is their output.
 */
export function messagesBelow(folder: string): Message[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => messagesOf(readFileSync(`${folder}/${file}`, "utf8"), file));
}

/** What messages about an operation begin with, in files that read a part of it: reading.ts passes it on. */
const ofOperations = new Map([["cannot", "Cannot add {} to the application: static {}"]]);

/** The messages of one source; its file is named from `src` on. */
export function messagesOf(source: string, file: string): Message[] {
  const program = parseAst(source, { lang: "ts" }) as unknown as Node;
  const reader = new TextReader(program, file.startsWith("semantics/operation/") ? ofOperations : undefined);
  const found: { node: Node; texts: string[]; errorClass: string | null }[] = [];
  visit(program, null, (node, errorClass) => {
    if (isDescription(node)) {
      // Of a method, its function.
      for (const child of childrenOf((node["value"] ?? node["init"]) as Node)) reader.leaveOut(child);
      return false;
    }
    const ofField = descriptionIn(node);
    if (ofField !== null) reader.leaveOut(ofField);
    if (isData(node) || isPhrase(node)) {
      for (const child of childrenOf(node)) reader.leaveOut(child);
    }
    if (errorClass !== null) reader.nameClass(node, errorClass);
    if (!isText(node)) return true;
    found.push({ node, texts: reader.textsOf(node), errorClass });
    return false;
  });
  return found
    .filter(({ node }) => !reader.used.has(node))
    .flatMap(({ node, texts, errorClass }) =>
      texts.map((text) => ({
        text: text.split("\n")[0]!,
        errorClass: errorClass ?? reader.classes.get(node) ?? null,
        file,
      })),
    )
    .filter(({ text, errorClass }) => {
      if (errorClass !== null || text.startsWith("Cannot ")) return true;
      const hasWords = text.split(" ").length > 2 && /[a-z]{3}/i.test(text);
      return hasWords && !output.test(file) && !statement.test(text);
    });
}

/** What prints or describes: all its texts but errors are its output. */
const output =
  /^(?:agents|cli|openapi|state\/store-cases)\/|^semantics\/(?:explained|line\/line-trace|operation\/steps)\.ts$|\/(?:store-outage|node\/health)\.ts$/;

/** What PostgreSQL is told. */
const statement = /^(?:create|delete|do|grant|select|to_regclass\S+) /;

const dataCalls: ReadonlySet<unknown> = new Set(["statusConstant", "createContextKey", "upTo", "wordSet"]);
const dataMethods: ReadonlySet<unknown> = new Set([
  "split",
  "createCounter",
  "createHistogram",
  "createUpDownCounter",
  "lastIndexOf",
]);

/**
 * Lists of names (what is split), words that a message of a library is searched for, date patterns, the constants of
 * statuses with their phrases, names of OpenTelemetry.
 */
function isData(node: Node): boolean {
  const { name, property } = calleeOf(node);
  if (node.type === "NewExpression") return name === "RegExp";
  return dataMethods.has(property?.name) || dataCalls.has(name);
}

/** What a document says of the answers of middleware and of members, and what `explain()` says of members. */
function isDescription({ type, static: isStatic, key, id }: Node): boolean {
  if (type === "VariableDeclarator") return String((id as Node)["name"]) === "keyAnswers";
  if (type === "Property" && /^(?:answers|fieldTexts|question)$/.test(String((key as Node)["name"]))) return true;
  return /^(?:Property|Method)Definition$/.test(type) && isStatic === true && (key as Node)["name"] === "answers";
}

/** What a document says of a field, beside the schema, and metrics of an instrument, beside the unit. */
function descriptionIn({ type, properties }: Node): Node | null {
  if (type !== "ObjectExpression") return null;
  const valueOf = (name: string): Node | undefined =>
    (properties as Node[]).find(({ key }) => (key as Node | undefined)?.["name"] === name)?.["value"] as
      | Node
      | undefined;
  return (valueOf("schema") ?? valueOf("unit")) === undefined ? null : (valueOf("description") ?? null);
}

/** What is said of an option, put into the template of `OptionCheck`. */
function isPhrase(node: Node): boolean {
  const { object, property } = calleeOf(node);
  return (
    object?.name === "check" ||
    (object?.type === "ThisExpression" && /^(?:require(?:Secret)?|each)$/.test(String(property?.name)))
  );
}
