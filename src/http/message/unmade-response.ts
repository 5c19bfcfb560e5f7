import { FieldList, headersInitOf } from "./field-list.ts";

/**
 * A response of text before the platform makes it, so that middleware of this package adds its fields to a list. Nobody
 * else gets one: see `dispatch/unfinished.ts`.
 *
 * PERF: once `headers` and `body` of a `Response` were asked for, it takes 10 us of 32 more on Deno. On Bun that is 0.5
 * of 16 (`node bench/requests.js --measure=sockets`, R4).
 */
export class UnmadeResponse {
  readonly status: number;
  readonly headers: FieldList;
  readonly #text: string | null;

  /** @param fields names and values by turns, the length of the text included. */
  constructor(status: number, fields: readonly string[], text: string | null) {
    this.status = status;
    this.headers = new FieldList([...fields]);
    this.#text = text;
  }

  /** Makes the response. */
  finished(): Response {
    return new Response(this.#text, { status: this.status, headers: headersInitOf(this.headers.lines) });
  }
}
