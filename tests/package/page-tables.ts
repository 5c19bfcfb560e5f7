// Tables below a program of a page, whose rows are a request and its response: sent to the program's `app`, in order.

/** A row: what is sent, and the cell that says what comes back. */
export interface TableRow {
  readonly request: string;
  readonly response: string;
}

/** The head of such a table, and its rows. */
export const tablePattern = String.raw`\| request \| response \|\n\|[-|]+\|\n(?<table>(?:\|.*\|\n)+)`;

const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
const fieldPattern = /^[A-Z][\w-]*: /;

/** The rows of a table's text. A bar within code is written `\|`. */
export function rowsOf(table: string): TableRow[] {
  return table
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, request, response] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
      return { request: request!, response: response! };
    });
}

/** A program that sends the rows when it has run, and prints each response as JSON. */
export function withRows(code: string, rows: readonly TableRow[]): string {
  if (rows.length === 0) return code;
  const calls = rows.map(({ request }) => {
    const [line, ...rest] = codesIn(request);
    const [, method, path] = /^([A-Z]+) (\S+)$/.exec(line ?? "") ?? [];
    if (path === undefined) throw new Error(`A request begins with a method and a path in code, unlike ${request}`);
    const fields = rest.filter((part) => fieldPattern.test(part)).map((part) => part.split(/: (.*)/s).slice(0, 2));
    const body = rest.find((part) => !fieldPattern.test(part));
    const isJSON = body !== undefined && !fields.some(([name]) => name === "Content-Type");
    const headers = isJSON ? [["Content-Type", "application/json"], ...fields] : fields;
    return [path, { method, headers, ...(body !== undefined && { body }) }];
  });
  return `${code}
for (const [path, init] of ${JSON.stringify(calls)}) {
  const response = await app.request(path, init as RequestInit);
  console.log(JSON.stringify([response.status, [...response.headers], await response.text()]));
}
`;
}

/**
 * The cells of responses, with what came back wherever that is something else. In a code, `…` is any text; "no" before
 * the name of a field says that it is absent.
 */
export function cellsOf(rows: readonly TableRow[], printed: readonly string[]): string[] {
  return rows.map(({ response }, index) => {
    const [status, headers, body] = JSON.parse(printed[index]!) as [number, [string, string][], string];
    const cell = response.replace(/^\d+/, String(status));
    return cell.replace(/(\bno )?`([^`]+)`/g, (code, isAbsent: string | undefined, text: string) => {
      if (isAbsent !== undefined) return headers.some(([name]) => name === text.toLowerCase()) ? `\`${text}\`` : code;
      const [name] = fieldPattern.test(text) ? text.split(": ") : [];
      const found =
        name === undefined
          ? [body]
          : headers.filter(([other]) => other === name.toLowerCase()).map(([, value]) => `${name}: ${value}`);
      return found.some((value) => isLike(value, text)) ? code : `\`${found.join("`, `")}\``;
    });
  });
}

function isLike(value: string, text: string): boolean {
  const parts = text.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(value);
}
