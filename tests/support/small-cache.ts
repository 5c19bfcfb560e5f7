import { parseCacheControl } from "../../src/fields/cache-control.ts";
import { parseList } from "../../src/fields/list.ts";

/** The statuses that a cache may store without being told for how long (RFC 9110 §15.1). */
const byHeuristics: ReadonlySet<number> = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]);

interface Stored {
  readonly url: string;
  /** The values that a request must have for this answer. */
  readonly selecting: readonly (readonly [name: string, value: string | null])[];
  readonly answer: Answered;
}

/** An answer as a client gets it. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly content: string;
}

/** A cache that stores whatever RFC 9111 lets it store, and asks again as seldom as that lets it. */
export class SmallCache {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #isShared: boolean;
  readonly #heedsVary: boolean;
  #stored: Stored[] = [];

  /** @param heedsVary whether it looks at `Vary`, which some shared caches do not. */
  constructor(fetch: (request: Request) => Promise<Response>, isShared: boolean, heedsVary = true) {
    this.#fetch = fetch;
    this.#isShared = isShared;
    this.#heedsVary = heedsVary;
  }

  async ask(request: Request): Promise<Answered> {
    const found = this.#stored.find((one) => one.url === request.url && isSelected(one, request));
    if (found === undefined) return this.#keep(request, await answerOf(await this.#fetch(request)));
    const tag = found.answer.headers.get("etag");
    if (!directivesOf(found.answer).has("no-cache")) return found.answer;
    // §4.3.1. What the client sent stays.
    const asking = new Request(request, { method: "GET" });
    if (tag !== null) asking.headers.set("if-none-match", tag);
    const answer = await answerOf(await this.#fetch(asking));
    if (answer.status !== 304) return this.#keep(request, answer);
    const headers = new Headers(found.answer.headers);
    for (const [name, value] of answer.headers) headers.set(name, value);
    this.#stored = this.#stored.filter((one) => one !== found);
    return this.#keep(request, { ...found.answer, headers });
  }

  /** §3 says what may be stored, §4.1 for whom. */
  #keep(request: Request, answer: Answered): Answered {
    const directives = directivesOf(answer);
    const has = (...names: readonly string[]): boolean => names.some((name) => directives.has(name));
    const isTold = has("public", "max-age", ...(this.#isShared ? ["s-maxage"] : ["private"]));
    const mayBeShared = !has("private") && (!request.headers.has("authorization") || has("public", "s-maxage"));
    const vary = parseList(answer.headers.get("vary") ?? "").map((name) => name.toLowerCase());
    const isStored =
      request.method === "GET" &&
      !has("no-store") &&
      (isTold || byHeuristics.has(answer.status)) &&
      (mayBeShared || !this.#isShared) &&
      !vary.includes("*");
    if (isStored) {
      const selecting = (this.#heedsVary ? vary : []).map((name) => [name, request.headers.get(name)] as const);
      this.#stored.unshift({ url: request.url, selecting, answer });
    }
    return answer;
  }
}

function isSelected({ selecting }: Stored, { headers }: Request): boolean {
  return selecting.every(([name, value]) => headers.get(name) === value);
}

function directivesOf({ headers }: Answered): ReadonlyMap<string, unknown> {
  return parseCacheControl(headers.get("cache-control") ?? "");
}

export async function answerOf(response: Response): Promise<Answered> {
  return { status: response.status, headers: response.headers, content: await response.text() };
}
