import { readFileSync } from "node:fs";
import { types } from "node:util";
import { agentToolsOf, agentToolsText } from "./agent-tools.ts";
import { commandOf, UsageError, usage, type Command } from "./command.ts";
import { findingsOf } from "./findings.ts";
import { findingsText } from "./findings-text.ts";
import { askedExplanationOf, isRefusedBy } from "./explained-request.ts";
import { explanationText } from "./explanation-text.ts";
import { loadApplication, ModuleError } from "./loaded-application.ts";
import { serveMock } from "./mock-server.ts";
import { FolderError, newProject } from "./new-project.ts";
import { printable } from "./printable-text.ts";
import { routesOf, routesText } from "./routes.ts";
import { changesMarkdown, changesText } from "../openapi/changes/change-report.ts";
import type { OpenAPIDocument } from "../openapi/openapi-document.ts";
import { changesFrom, clientTypesBy, describedBy, differencesFrom, messagesBy } from "./application-description.ts";
import { tablesText } from "./tables.ts";
import { thrownText } from "./thrown-text.ts";

/** The output of a command, and the exit code of the process: 2 if the command failed to run. */
export interface Outcome {
  readonly output: string;
  readonly code: 0 | 1 | 2;
  /** Stops what goes on after the output. Absent where nothing does: then the process is over. */
  readonly stop?: () => void;
}

/** Runs a command line. Never rejects. */
export async function run(args: readonly string[]): Promise<Outcome> {
  const outcome = await outcomeOf(args);
  return { ...outcome, output: printable(outcome.output) };
}

async function outcomeOf(args: readonly string[]): Promise<Outcome> {
  if (args.includes("--help") || args.includes("-h")) return { output: usage, code: 0 };
  if (args.includes("--version")) return { output: `${version()}\n`, code: 0 };
  try {
    if (args[0] === "tables") return { output: tablesText(args.slice(1)), code: 0 };
    if (args[0] === "new") return { output: newProject(args.slice(1), version()), code: 0 };
    return await carryOut(commandOf(args));
  } catch (error) {
    if (isOwn(error, UsageError)) return { output: `${error.message}\n\n${usage}`, code: 2 };
    if (isOwn(error, ModuleError) || isOwn(error, FolderError)) return { output: `${error.message}\n`, code: 2 };
    return { output: `${thrownText(error)}\n`, code: 2 };
  }
}

/** A thrown value may be a proxy that throws when its class is read. */
function isOwn<E extends Error>(error: unknown, Class: new () => E): error is E {
  return types.isNativeError(error) && error instanceof Class;
}

async function carryOut(command: Command): Promise<Outcome> {
  const app = await loadApplication(command.module, command.exportName);
  if (command.name === "routes") {
    const routes = routesOf(app);
    return { output: written(command, routes, routesText), code: 0 };
  }
  if (command.name === "explain") {
    const explanation = await askedExplanationOf(app, command.method, command.target, command);
    const isRefused = !explanation.matched || isRefusedBy(explanation.questions, explanation.status);
    return { output: written(command, explanation, explanationText), code: isRefused ? 1 : 0 };
  }
  if (command.name === "openapi") {
    const described = describedBy(app, command.module, command.document);
    if (command.against === null) return { output: `${JSON.stringify(described, null, 2)}\n`, code: 0 };
    if (!command.isAny) return comparedWith(command.against, described, command);
    const differences = differencesFrom(command.against, described);
    return { output: written(command, differences, differencesText), code: differences.length === 0 ? 0 : 1 };
  }
  if (command.name === "asyncapi")
    return { output: `${JSON.stringify(messagesBy(app, command.module), null, 2)}\n`, code: 0 };
  if (command.name === "mcp") return { output: written(command, agentToolsOf(app), agentToolsText), code: 0 };
  if (command.name === "mock") {
    const { server, url } = await serveMock(app, command.module, command);
    return { output: `Mocked at ${url}\n`, code: 0, stop: () => void server.close() };
  }
  if (command.name === "client-types") return { output: clientTypesBy(app, command.module), code: 0 };
  const findings = (await findingsOf(app)).filter(({ kind }) => !command.ignored.includes(kind));
  return { output: written(command, findings, findingsText), code: findings.length === 0 ? 0 : 1 };
}

function written<T>({ isJSON }: Command, value: T, text: (value: T) => string): string {
  return `${isJSON ? JSON.stringify(value, null, 2) : text(value)}\n`;
}

/** Says what the differences from an older document break. Only what breaks somebody is a failure. */
function comparedWith(file: string, described: OpenAPIDocument, { format, date }: Command): Outcome {
  const changes = changesFrom(file, described, date ?? undefined);
  const texts = { text: changesText, markdown: changesMarkdown, json: (all: unknown) => JSON.stringify(all, null, 2) };
  const isBroken = changes.some(({ verdict }) => verdict === "breaking");
  return { output: `${texts[format](changes)}\n`, code: isBroken ? 1 : 0 };
}

function differencesText(differences: readonly string[]): string {
  if (differences.length === 0) return "The document is the same";
  const shown = differences.slice(0, 50).map((pointer) => `  ${pointer}\n`);
  return (
    `The document differs:\n${shown.join("")}${differences.length} ` +
    `${differences.length === 1 ? "difference" : "differences"}`
  );
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
