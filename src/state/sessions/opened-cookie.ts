import { dateOf, endAt } from "../../http/javascript/end-at.ts";
import type { SealedCookie } from "./sealed-cookie.ts";
import type { SessionData } from "./session-data.ts";
import type { SessionFields } from "./session-fields.ts";
import type { SealedSession } from "./session.ts";

export interface SealedRules<Data> {
  readonly cookie: SealedCookie;
  readonly data: SessionData<Data>;
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly everyMs: number;
}

/** How far clocks of processes may differ. A cookie from further ahead was sealed by a clock that was wrong. */
const mostAheadMs = 300_000;

/** The session of a request, in a sealed cookie. */
export class OpenedCookie<Data> implements SealedSession<Data> {
  readonly #rules: SealedRules<Data>;
  readonly #fields: SessionFields;
  #known: { readonly data: Data; readonly startedMs: number } | null = null;

  constructor(rules: SealedRules<Data>, fields: SessionFields) {
    this.#rules = rules;
    this.#fields = fields;
  }

  /** Reads what a cookie holds. */
  async open(text: string): Promise<void> {
    const { cookie, idleMs, absoluteMs, everyMs } = this.#rules;
    const content = await cookie.open(text);
    if (content === null) return;
    const { startedMs, seenMs, isOld } = content;
    const now = Date.now();
    if (now - seenMs >= idleMs || now - startedMs >= absoluteMs || seenMs - now > mostAheadMs) return;
    const fit = await this.#rules.data.read(content.data);
    if (fit === null) return;
    this.#known = { data: fit.data, startedMs };
    // The response gets the new cookie only if a handler reads the session.
    if (isOld || now - seenMs > everyMs) this.#fields.renewed = await cookie.seal({ ...content, seenMs: now });
  }

  get data(): Data | null {
    this.#fields.read();
    return this.#known === null ? null : this.#known.data;
  }

  get endsAt(): Date | null {
    this.#fields.read();
    return this.#known === null ? null : dateOf(this.#known.startedMs + this.#rules.absoluteMs);
  }

  /** Calls a function at the absolute end of the session. Returns how to stop that. */
  follow(end: () => void, at: typeof endAt = endAt): () => void {
    const known = this.#known;
    return known === null ? () => {} : at(known.startedMs + this.#rules.absoluteMs, end);
  }

  async start(given: Data): Promise<void> {
    this.#fields.refuseLate();
    const { text, data } = await this.#rules.data.written(given);
    const now = Date.now();
    const sealed = await this.#rules.cookie.seal({ data: text, startedMs: now, seenMs: now });
    this.#fields.set(sealed);
    this.#known = { data, startedMs: now };
  }

  async end(): Promise<void> {
    this.#fields.set(null);
    this.#known = null;
  }
}
