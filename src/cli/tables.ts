import { described } from "../http/javascript/described.ts";
import { writesTable } from "../state/postgres-records.ts";
import { sessionsTable } from "../state/postgres-sessions.ts";
import { tableStatements } from "../state/postgres-table.ts";
import { UsageError } from "./command.ts";

/**
 * Returns what creates the tables of the stores in PostgreSQL, for a migration, and what a role needs that only works
 * with them.
 */
export function tablesText(args: readonly string[]): string {
  const [role, other] = args;
  const wrong = other ?? args.find((word) => word === "" || word.startsWith("-"));
  if (wrong !== undefined)
    throw new UsageError(`Cannot print tables: expected the name of one role, or nothing, got ${described(wrong)}`);
  const statements = [writesTable, sessionsTable].flatMap(tableStatements);
  const names = [writesTable, sessionsTable].map(({ name }) => name).join(", ");
  if (role !== undefined)
    statements.push(`grant select, insert, update, delete on ${names} to "${role.replaceAll('"', '""')}";`);
  return `${statements.join("\n")}\n`;
}
