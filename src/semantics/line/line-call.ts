import { original } from "../../dispatch/input-exchange.ts";
import { stoppingSignalFor } from "../../dispatch/stopping-signal.ts";
import { Params } from "../../dispatch/params.ts";
import { CarriedContent } from "../../fields/carried-content.ts";
import { RequestFields } from "../../fields/request-fields.ts";
import { queryOf } from "../../routing/request/target-path.ts";
import { AnySignal } from "../../http/javascript/any-signal.ts";
import { reply } from "../declaration/reply.ts";

/** A request that was matched. */
export type LineRequest = Request & { readonly params: Params };

/** Marks fields that no schema has read: a schema may return any value. */
const unread: unique symbol = Symbol("unread");

const withoutKey = { commit: async (_transaction: unknown, answer: unknown): Promise<unknown> => answer };

/** What handlers of the semantics chain take: the values that were read as declared. */
export class LineCall {
  readonly request: LineRequest;
  readonly fields: RequestFields;
  path: unknown;
  query: unknown;
  cookies: unknown;
  content: unknown;
  page: unknown;
  /** The media type of `content`, as declared. */
  contentType = "";
  /** The media type that the client prefers, of those that are declared. */
  mediaType = "";
  /** Whether the request asks for a WebSocket that the operation declares. */
  isHandshake = false;
  /** Commits the answer of a write. Without a key there is no record: the answer is returned as it is. */
  idempotency: { commit(transaction: unknown, answer: unknown): Promise<unknown> } = withoutKey;
  /** The text of the entity tag of `validator()`, without its quotes; null without one. */
  version: string | null = null;
  readonly #names: readonly string[];
  #carried: CarriedContent | undefined;
  #leaving: AnySignal | undefined;
  #headers: unknown = unread;

  /** The same function for all calls. */
  declare readonly reply: typeof reply;

  constructor(request: LineRequest, names: readonly string[]) {
    this.request = request;
    this.fields = new RequestFields(request);
    this.#names = names;
  }

  /** The fields as their schema returns them. Without a schema, the fields of the request, made on first use. */
  get headers(): unknown {
    return this.#headers === unread ? this.request.headers : this.#headers;
  }

  set headers(read: unknown) {
    this.#headers = read;
  }

  /** The content of the request, before a schema reads it. */
  get carried(): CarriedContent {
    return (this.#carried ??= new CarriedContent(this.request, this.fields));
  }

  /** Aborts when the client has left, or the server stops. */
  get signal(): AbortSignal {
    return this.leaving.signal;
  }

  /** Whether the client has left. The signal also aborts when the server stops. */
  get hasLeft(): boolean {
    return this.request.signal.aborted;
  }

  /** The controller that aborts the signal. */
  get leaving(): AnySignal {
    return (this.#leaving ??= new AnySignal().follow(this.request.signal).follow(stoppingSignalFor(this.request)));
  }

  static {
    Object.assign(this.prototype, { reply });
    // Attributes of the request are also attributes of the call.
    Object.defineProperty(this.prototype, original, {
      get(this: LineCall): object {
        return this.request;
      },
    });
    // Members of a `Request`, and of what other frameworks pass. The type has none of them: JavaScript alone asks.
    for (const [instead, members] of [
      ["call.path", "params"],
      ["call.request", "url method req"],
      ["call.content", "body json text formData arrayBuffer"],
      ["reply()", "res html redirect"],
      ["an Attribute", "get set user"],
    ]) {
      for (const member of members!.split(" ")) {
        Object.defineProperty(this.prototype, member, {
          get(this: LineCall): never {
            throw new TypeError(
              `Cannot read ${member} of the call${Params.ownerOf(this.request.params)}: it extends the Resource of ` +
                `fingerpost; write ${instead}, or extend the Resource of fingerpost/native`,
            );
          },
        });
      }
    }
  }

  /** The segments of a rest param: see `Call`. */
  segments(name: string, which?: "any"): string[] {
    return this.request.params.segments(name, which);
  }

  pathEntries(): [string, string][] {
    return pathEntriesOf(this.request.params, this.#names);
  }

  queryText(): string {
    return queryOf(this.request.url).slice(1);
  }
}

export function pathEntriesOf(params: Params, names: readonly string[]): [string, string][] {
  const entries: [string, string][] = [];
  for (const name of names) {
    const value = params.pathParam(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return entries;
}
