/** A response as it came over a connection. */
export interface RawAnswer {
  readonly status: number;
  readonly field: (name: string) => string | null;
  readonly text: string;
}

/**
 * Reads the one response that a connection brought until it was closed (RFC 9112 §6.3). @throws {Error} when it is
 * none.
 */
export function rawAnswerOf(raw: string): RawAnswer {
  const end = raw.indexOf("\r\n\r\n");
  const [line = "", ...lines] = raw.slice(0, Math.max(0, end)).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN);
  if (end < 0 || Number.isNaN(status)) throw new Error(`Not a response: ${JSON.stringify(raw.slice(0, 200))}`);
  const fields = new Map<string, string>();
  for (const one of lines) {
    const [name, value] = [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 1).trim()];
    fields.set(name, fields.has(name) ? `${fields.get(name)}, ${value}` : value);
  }
  const rest = raw.slice(end + 4);
  const text = fields.get("transfer-encoding") === "chunked" ? unchunked(rest) : rest;
  return { status, field: (name) => fields.get(name) ?? null, text };
}

/** Of content in ASCII, so that sizes count characters, too. */
function unchunked(text: string): string {
  let whole = "";
  for (let at = 0; ;) {
    const size = Number.parseInt(text.slice(at), 16);
    if (!(size > 0)) return whole;
    const from = text.indexOf("\r\n", at) + 2;
    whole += text.slice(from, from + size);
    at = from + size + 2;
  }
}
