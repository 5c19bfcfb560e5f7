import { types } from "node:util";
import { described } from "../http/described.ts";

/** What is printed of something that the user's module threw, whatever it is: of an error where it was made. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error || types.isNativeError(thrown))) {
      return `Cannot carry out the command: the module threw ${described(thrown)}`;
    }
    const { stack } = thrown;
    return typeof stack === "string" ? stack : String(thrown);
  } catch {
    return "Cannot carry out the command: the module threw something that cannot be shown";
  }
}
