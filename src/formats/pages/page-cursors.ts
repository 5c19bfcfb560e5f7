import { Params } from "../../dispatch/params.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { formatBase64url, parseBase64url } from "../../http/javascript/base64url.ts";
import { TextSigner } from "../../http/javascript/text-signer.ts";
import { schemaMembersOf } from "../../json-schema/shape/schema-members.ts";
import { jsonSchemaOf, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { namelessOf } from "../../routing/pattern/nameless-pattern.ts";
import { validated } from "../../json-schema/shape/validation.ts";

export interface PageRules {
  /** The schema of the place where a page ends. */
  readonly by: StandardSchema;
  readonly limit: number;
  readonly maxLimit: number;
  readonly secrets: readonly string[];
}

class AskedPage {
  readonly after: unknown;
  readonly limit: number;

  constructor(after: unknown, limit: number) {
    this.after = after;
    this.limit = limit;
  }

  /** Rows are one more than `limit` where more follow. */
  of<Row>(rows: readonly Row[]): { readonly items: readonly Row[]; readonly next: Row | null } {
    const items = rows.slice(0, this.limit);
    return { items, next: rows.length > this.limit ? items.at(-1)! : null };
  }
}

/** The page that a request asks for, and the faults in how it asks. */
export interface PageReading {
  readonly page: AskedPage;
  readonly failures: readonly PageFailure[];
  /** The other query parameters. */
  readonly others: string;
}

interface PageFailure {
  readonly in: "query";
  readonly pointer: string;
  readonly detail: string;
}

/** A page as it is sent, and the query of the page after it. */
export interface SentPage {
  readonly content: { readonly items: unknown; readonly next: unknown };
  /** The value of `Link` (RFC 8288); null for the last page. */
  readonly link: string | null;
}

export interface GivenPage {
  readonly items?: unknown;
  readonly next?: unknown;
}

/** What the path of a request says of its collection: its params, of which the texts are read, too. */
type PathOfCollection = Pick<Params, "pattern">;

/**
 * The formats of cursors, and the name of the pattern in each. A cursor of another one is refused. The first format has
 * the names of path params. It is the one that is written as long as processes of a release run that know no other.
 */
const formats = { 1: (pattern: string) => pattern, 2: namelessOf } as const;
const version = "1";

/**
 * Reads and writes the cursors of a collection: the place where a page ends, as JSON, in a string that clients do not
 * read. A cursor has a mark of the path pattern, of the values of path params, and of the names in the schema. So a
 * cursor of another collection, or of an order before a change, is refused, though its value may fit.
 */
export class PageCursors {
  readonly #rules: PageRules;
  readonly #signer: TextSigner | null;
  #read: readonly string[] | null = null;

  constructor(rules: PageRules) {
    this.#rules = rules;
    this.#signer = rules.secrets.length > 0 ? new TextSigner(rules.secrets) : null;
  }

  /**
   * Reads which page a request asks for. Returns a Promise if it has a cursor.
   * @param query the query of its URL, without the question mark.
   * @param params the params of its path, which say what collection it is.
   */
  read(query: string, params: PathOfCollection): PageReading | Promise<PageReading> {
    const texts = new URLSearchParams(`?${query}`);
    const limits = texts.getAll("limit").filter((text) => text !== "");
    const cursors = texts.getAll("cursor");
    texts.delete("limit");
    texts.delete("cursor");
    const failures: PageFailure[] = [];
    const { maxLimit } = this.#rules;
    const limit = limits.length === 0 ? this.#rules.limit : limitOf(limits);
    if (!(limit <= maxLimit)) failures.push(failureOf("limit", `Expected an integer from 1 to ${maxLimit}`));
    const others = `${texts}`;
    if (cursors.length === 0) return { page: new AskedPage(undefined, limit), failures, others };
    return this.#placeOf(cursors, params).then((found) => {
      if (found === null) failures.push(failureOf("cursor", "Expected the cursor of a page that was read here"));
      return { page: new AskedPage(found?.after, limit), failures, others };
    });
  }

  /** Writes a page as it is sent. @throws {TypeError} when the next place is not one that the schema reads again. */
  async write({ items, next }: GivenPage, query: string, params: PathOfCollection): Promise<SentPage> {
    if (next === null || next === undefined) return { content: { items, next }, link: null };
    const cursor = await this.#cursorOf(next, params);
    const texts = new URLSearchParams(`?${query}`);
    texts.delete("cursor");
    texts.append("cursor", cursor);
    // Relative, so that it is right behind a proxy that changes the path.
    return { content: { items, next: cursor }, link: `<?${texts}>; rel="next"` };
  }

  async #cursorOf(next: unknown, params: PathOfCollection): Promise<string> {
    const text = jsonOf(next);
    const outcome = await validated(this.#rules.by, JSON.parse(text));
    if (outcome.issues !== undefined) {
      const [{ message, path = [] }] = outcome.issues as [(typeof outcome.issues)[number]];
      const place = path.map((step) => `/${String(typeof step === "object" ? step.key : step)}`).join("");
      throw new TypeError(
        `Cannot write a page of ${params.pattern}: its next is not what "by" reads, at #${place} (${message}); ` +
          'return the members that "by" names, of the last item',
      );
    }
    // Handlers may return a whole item. Clients must not see members that "by" does not name.
    const place = JSON.stringify(this.#named(JSON.parse(text)));
    const collection = this.#collectionOf(params, version);
    const unsigned = [version, hashOf(collection), formatBase64url(new TextEncoder().encode(place))].join(".");
    return this.#signer === null ? unsigned : `${unsigned}.${await this.#signer.sign(unsigned + collection)}`;
  }

  /** Null for what is not a cursor of this collection. */
  async #placeOf(
    [cursor, ...more]: readonly string[],
    params: PathOfCollection,
  ): Promise<{ readonly after: unknown } | null> {
    const [format, mark, content = "", signature = "", ...rest] = cursor!.split(".");
    if (more.length > 0 || rest.length > 0 || (format !== "1" && format !== "2")) return null;
    const collection = this.#collectionOf(params, format);
    if (mark !== hashOf(collection)) return null;
    const isGenuine =
      this.#signer === null
        ? signature === ""
        : await this.#signer.verify([format, mark, content].join(".") + collection, signature);
    const value = isGenuine ? parsed(content) : undefined;
    if (value === undefined) return null;
    const outcome = await validated(this.#rules.by, value);
    return outcome.issues === undefined ? { after: outcome.value } : null;
  }

  /** Names the collection: another value of a path param is another one. A signature covers all of it. */
  #collectionOf(params: PathOfCollection, format: "1" | "2"): string {
    return JSON.stringify([formats[format](params.pattern), Params.textsOf(params), this.#names]);
  }

  /** A place without other members than those that `by` names. All of them where it has no JSON Schema. */
  #named(place: unknown): unknown {
    if (this.#names.length === 0 || !isPlainObject(place)) return place;
    return Object.fromEntries(Object.entries(place).filter(([name]) => this.#names.includes(name)));
  }

  get #names(): readonly string[] {
    if (this.#read !== null) return this.#read;
    // At the first cursor: schemas may be completed after they are declared.
    const shown = jsonSchemaOf(this.#rules.by, "input") ?? {};
    return (this.#read = [...schemaMembersOf(shown, shown).named.keys()].toSorted());
  }
}

/** NaN for what is not one whole number from 1 on. */
function limitOf([text, ...more]: readonly string[]): number {
  return more.length === 0 && /^[1-9]\d*$/.test(text!) ? Number(text) : Number.NaN;
}

function failureOf(name: string, detail: string): PageFailure {
  return { in: "query", pointer: `#/${name}`, detail };
}

function jsonOf(next: unknown): string {
  try {
    return (JSON.stringify(next) as string | undefined) ?? "null";
  } catch (cause) {
    throw new TypeError('Cannot write a page: JSON cannot write its next; have "by" read text', { cause });
  }
}

/** Returns undefined, which no JSON is, for what is not JSON. */
function parsed(content: string): unknown {
  const bytes = parseBase64url(content);
  try {
    return bytes === null ? undefined : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** FNV-1a, of 32 bits: it tells collections apart, and protects nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}
