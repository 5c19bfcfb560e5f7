import { types } from "node:util";
import { described } from "../http/javascript/described.ts";

/**
 * Returns the text to print for any value that the user's module threw. For an error it shows where it was made. Never
 * throws.
 */
export function thrownText(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error || types.isNativeError(thrown))) {
      return `Cannot carry out the command: the module threw ${described(thrown)}`;
    }
    const { stack } = thrown;
    const text = typeof stack === "string" ? withoutForeignFrames(stack) : String(thrown);
    // An engine that cannot parse a file does not tell importers which.
    return /^(?:SyntaxError|BuildMessage): .*$/.test(text) ? `${text}\nRun the module by itself to see where` : text;
  } catch {
    return "Cannot carry out the command: the module threw something that cannot be shown";
  }
}

const ownFolder = new URL(".", import.meta.url).href;
const frame = /^ +at /;
const frameOfRuntime = /^ +at (?:.*[( ])?(?:node|native|ext):\w/;

/** Leaves out frames that the user did not write: calls inside of the runtime and of this program. */
function withoutForeignFrames(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => !(frameOfRuntime.test(line) || (frame.test(line) && line.includes(ownFolder))))
    .join("\n");
}
