import { sha256 } from "../http/javascript/digest.ts";

/** The name under which a store knows a write. Scopes, methods, patterns and keys of any text are never confused. */
export function writeNameOf(scope: string, method: string, pattern: string, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scope, method, pattern, key]));
}
