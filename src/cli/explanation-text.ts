import { isRefusedBy, type Explanation } from "./explained-request.ts";
import { shown, tableOf } from "./text-table.ts";

export function explanationText(explanation: Explanation): string {
  const { method, target, path, status, because, resource, pattern, params, middleware, guessedType } = explanation;
  const facts: string[][] = [["path", path === null ? "(none)" : shown(path)]];
  if (pattern !== null) facts.push(["pattern", shown(pattern)], ["resource", shown(resource!)]);
  for (const [name, value] of Object.entries(params)) {
    facts.push([`param ${shown(name)}`, value === null ? "(not supplied)" : shown(JSON.stringify(value))]);
  }
  if (middleware.length > 0) facts.push(["inside", middleware.map((name) => shown(name)).join(" > ")]);
  if (guessedType !== undefined) {
    facts.push(["type", `${guessedType}, guessed by the content; for another write --header "Content-Type: …"`]);
  }
  const isRefused = isRefusedBy(explanation.questions, status);
  facts.push(
    isRefused ? ["answer", `${status ?? "refused"}: ${shown(because)}`] : ["calls", shown(`${resource}.${method}`)],
  );
  return [
    `${shown(method, 40)} ${shown(target)}`,
    tableOf(facts, "  "),
    questionsText(explanation),
    consideredText(explanation),
    middlewareText(explanation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function questionsText({ questions, status }: Explanation): string {
  if (questions.length === 0) return "";
  const rows = questions.map(({ step, question, finding }) => [`${step}.`, question, shown(finding)]);
  const decider = isRefusedBy(questions, status) ? "validator() decides" : "The handler decides";
  const end = status === null ? `${decider} the status` : `The status is ${status}`;
  return `  Questions, in their order:\n\n${tableOf(rows, "    ")}\n\n  ${end}`;
}

/** The model has names only: neither what a middleware implements, nor what is around the application. */
function middlewareText({ middleware: { length }, questions }: Explanation): string {
  // The questions come with the middleware that runs, including the application's.
  if (questions.length > 0) return length === 0 ? "  No middleware runs" : "  Middleware runs first, and may answer";
  const unlisted = "of the application is not listed, and may answer first";
  return length === 0
    ? `  Middleware ${unlisted}`
    : `  Middleware runs for the methods that it implements; that ${unlisted}`;
}

function consideredText({ considered, path }: Explanation): string {
  if (considered.length === 0) return path === null ? "" : "  No pattern begins as this path does";
  const rows = considered.map((entry, index) => [
    entry.matches ? `${index + 1}.` : "-",
    shown(entry.pattern),
    shown(entry.resource),
    shown(entry.because),
  ]);
  const title = considered[0]!.matches ? "Patterns that match, best first" : "No pattern matches";
  const hasMisses = considered.some((entry) => !entry.matches);
  return `  ${title}${hasMisses ? '; "-" for those that come close' : ""}:\n\n${tableOf(rows, "    ")}`;
}
