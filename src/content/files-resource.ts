import { isPromise } from "../http/javascript/any-realm.ts";
import { Resource, type RequestOf } from "../application/native.ts";
import { answersAlike, refuseAt } from "../dispatch/mounted-resource.ts";
import { preferredCoding } from "../fields/accept-encoding.ts";
import { preferredMediaType } from "../fields/accept.ts";
import { essenceOf } from "../fields/media-type.ts";
import { requestField } from "../fields/request-fields.ts";
import { described } from "../http/javascript/described.ts";
import { HTTPError, refusal } from "../http/protocol/http-error.ts";
import { markOwn } from "../dispatch/own-handler.ts";
import { notFound } from "../http/protocol/status-constant.ts";
import { Status } from "../http/protocol/status.ts";
import { isFileName } from "./file-name.ts";
import { servedFile, unchangedResponse, type Served } from "./file-response.ts";
import type { FileCoding, FileSource, FoundFile } from "./file-source.ts";
import { tellerOf, type FileState } from "./file-state.ts";

/**
 * A resource of the native module that serves files: `GET` and `HEAD` of what its `source` finds at the param `path`.
 *
 * A folder is answered by its `index.html`, after a redirect to the trailing slash. Of the codings in which the source
 * has a file, the client gets the one it prefers. Everything that `fileResponse()` does for one file is done here:
 * preconditions, ranges, fields.
 *
 * @example
 * ```ts
 * import { Files } from "fingerpost/files";
 * import { snapshot } from "fingerpost/folder";
 *
 * class Assets extends Files {
 *   paths = ["/assets/:path*"] as const;
 *   source = snapshot("./dist");
 *   immutable = true;
 *   fallback = "index.html";
 * }
 * ```
 */
export abstract class Files extends Resource {
  /** Where the files come from, such as `folder("./public")` or `snapshot("./dist")`. */
  abstract readonly source: FileSource;
  /**
   * Says that names change with the content, so that clients may cache files for a year. HTML keeps its names and is
   * left out. Default: clients revalidate each time.
   */
  readonly immutable: boolean = false;
  /**
   * The file for paths without a file, such as the page of a single-page application. Sent to
   * clients that accept HTML, if the last segment of the path has no dot. Default: 404.
   */
  readonly fallback?: string | undefined;
  /** The name of the file that answers for its folder. Default: `index.html`. */
  readonly index: string = "index.html";

  static {
    Object.defineProperty(this.prototype, refuseAt, { value: refuse });
    Object.defineProperty(this.prototype, answersAlike, { value: true });
    markOwn(this.prototype.GET);
    markOwn(this.prototype.HEAD);
  }

  /**
   * Answers with a file.
   *
   * @throws {HTTPError} 404 when there is none; 412 and 416 as `fileResponse()` does.
   * @throws {TypeError} when another resource calls it whose pattern has no param `path`.
   */
  GET(request: RequestOf): Promise<Response> {
    return this.#answer(request);
  }

  /**
   * Answers as `GET` does, without content. @throws {HTTPError} what `GET` throws. @throws {TypeError} as `GET` does.
   */
  HEAD(request: RequestOf): Promise<Response> {
    return this.#answer(request);
  }

  async #answer(request: RequestOf): Promise<Response> {
    const segments = segmentsOf(request);
    // After the last slash there is an empty string if a folder is asked for.
    const isFolder = segments.at(-1) === "";
    const names = isFolder ? segments.slice(0, -1) : segments;
    if (!names.every(isFileName)) throw refusal(notFound);

    const path = isFolder ? [...names, this.index] : names;
    const isImmutable = this.immutable && !isFolder;
    const unchanged = this.#unchanged(request, path, isImmutable);
    if (unchanged !== null) return unchanged;
    const stored = path.length === 0 ? undefined : await this.#find(request, path);
    if (stored !== undefined) return servedFile(request, stored, this.#servedAs(stored, isImmutable));

    const folder = isFolder ? undefined : (names.at(-1) ?? lastSegmentBefore(request));
    if (folder !== undefined && (await this.#isFolder(names))) return redirectInto(folder, request);
    return this.#fallBack(request, names.at(-1) ?? "");
  }

  /** Answers with 304 if the client has the file, and the source knows it without opening it. */
  #unchanged(request: Request, path: readonly string[], isImmutable: boolean): Response | null {
    const { source } = this;
    const tell = tellerOf(source);
    if (tell === null) return null;
    if (requestField(request, "if-none-match") === null && requestField(request, "if-modified-since") === null)
      return null;
    for (const coding of codingsFor(request, source.codings)) {
      const state = tell(path, coding);
      if (state !== null)
        return state === undefined ? null : unchangedResponse(request, state, this.#servedAs(state, isImmutable));
    }
    return null;
  }

  /** The file in the coding that the client prefers, of those in which it is there. */
  async #find(request: Request, path: readonly string[]): Promise<FoundFile | undefined> {
    const { source } = this;
    for (const coding of codingsFor(request, source.codings)) {
      const found = source.find(path, coding);
      // A result that is there at once needs no turn.
      const stored = isPromise(found) ? await found : found;
      if (stored !== undefined) return stored;
    }
    return undefined;
  }

  async #isFolder(names: readonly string[]): Promise<boolean> {
    const stored = await this.source.find([...names, this.index], null);
    await stored?.close();
    return stored !== undefined;
  }

  async #fallBack(request: Request, lastName: string): Promise<Response> {
    if (this.fallback === undefined || lastName.includes(".")) throw refusal(notFound);
    const isAccepted = preferredMediaType(requestField(request, "accept"), ["text/html"]) !== null;
    const stored = isAccepted ? await this.#find(request, this.fallback.split("/")) : undefined;
    // RFC 9110 §12.5.5: another client might get the file.
    if (stored === undefined) throw new HTTPError(Status.NotFound, undefined, { headers: { vary: "Accept" } });
    return servedFile(request, stored, this.#servedAs(stored, false, "Accept"));
  }

  #servedAs({ type }: FileState, isImmutable: boolean, ...varying: string[]): Served {
    // Also on a file that is not coded: another client might get it otherwise.
    const vary = [...(this.source.codings.length > 0 ? ["Accept-Encoding"] : []), ...varying].join(", ");
    return { immutable: isImmutable && essenceOf(type) !== "text/html", vary };
  }
}

/** Refuses fields by which each request would be 500 or 404. */
function refuse(this: Files, name: string, patterns: readonly string[]): void {
  const { source, index, fallback = index } = this;
  const pattern = patterns.find((each) => !/\/:path[*+]$/.test(each));
  if (pattern !== undefined) {
    throw new TypeError(
      `Cannot add ${name} to the application: expected a pattern that ends in "/:path*" or "/:path+", got ` +
        `${described(pattern)}`,
    );
  }
  if (typeof source?.find !== "function" || !Array.isArray(source.codings)) {
    throw new TypeError(
      `Cannot add ${name} to the application: its source must hold files, as folder("./public") does, got ` +
        `${described(source)}`,
    );
  }
  if (typeof index !== "string" || !isFileName(index)) {
    throw new TypeError(
      `Cannot add ${name} to the application: its index must be the name of a file, such as "index.html", got ` +
        `${described(index)}`,
    );
  }
  if (!isFilePath(fallback)) {
    throw new TypeError(
      `Cannot add ${name} to the application: its fallback must be a path in the source, such as "index.html", got ` +
        `${described(fallback)}`,
    );
  }
}

function isFilePath(path: unknown): boolean {
  return typeof path === "string" && path.split("/").every(isFileName);
}

/** The codings to look for, the one that the client prefers first, up to null, which is the file as it is. */
function* codingsFor(request: Request, offered: readonly FileCoding[]): Generator<FileCoding | null, void> {
  // Without the field any coding is acceptable; a client that does not send it will hardly know one.
  const acceptEncoding = requestField(request, "accept-encoding") ?? "";
  let left: readonly (FileCoding | "identity")[] = acceptEncoding === "" ? [] : [...offered, "identity"];
  while (left.length > 1) {
    const coding = preferredCoding(acceptEncoding, left);
    if (coding === null || coding === "identity") break;
    yield coding;
    left = left.filter((other) => other !== coding);
  }
  yield null;
}

/** Leads to the same with a slash after it. Relative, so that it never leads to another host. */
function redirectInto(folder: string, { url }: Request): Response {
  // Not every server writes a query as the URL parser does, by which it is ASCII.
  const { search } = new URL(url.replace(/^[^?#]*/, ""), "http://h");
  const headers = { location: `./${encodeURIComponent(folder)}/${search}`, "cache-control": "no-cache" };
  return new Response(null, { ...Status.MovedPermanently, headers });
}

/**
 * Returns the segments of the param `path`, each decoded once. Returns none if the path ends before the slash of the
 * param.
 */
function segmentsOf({ params }: RequestOf): readonly string[] {
  return params.segments("path", "any");
}

/** Returns the last segment of a path that ends before the slash of the param, as the pattern shows. */
function lastSegmentBefore({ params }: RequestOf): string | undefined {
  const segment = params.pattern.split("/").at(-2)!;
  if (/^[\w.~-]+$/.test(segment)) return segment;
  const [, name] = /^:(\w+)$/.exec(segment) ?? [];
  return name === undefined ? undefined : params.pathParam(name);
}
