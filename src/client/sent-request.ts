import type { CallInput } from "./calls.ts";
import { filledForm } from "./filled-form.ts";
import type { ClientOptions } from "./client-options.ts";
import { isJson, isLines, isRaw, isStream } from "./sent-content.ts";

/** Sends the request of a call, again if need be, with more fields than the first one. */
export type Send = (more: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * Makes what sends the request of a call. The fields that all calls of a client share are asked for at each request.
 * @throws {TypeError} when the server would read another value in the path, a cookie or a list.
 */
export function sendingOf(url: string, method: string, input: CallInput, options: ClientOptions): Send {
  const { body: given, type } = bodyOf(input);
  const cookies = [...filledForm(new URLSearchParams(), input.cookies)].map((pair) =>
    checked(pair.join("="), pair[0], /[,";\\]|[^!-~]/),
  );
  const fields: Readonly<Record<string, unknown>> = {
    accept: input.accept,
    "content-type": type,
    cookie: cookies.join("; ") || undefined,
    "if-match": input.ifMatch,
    "if-none-match": input.ifNoneMatch,
    // A string of structured fields has the escapes of JSON (RFC 9651 §3.3.3).
    "idempotency-key": input.idempotencyKey && JSON.stringify(input.idempotencyKey),
    ...input.headers,
  };
  return async (more) => {
    // Lines are written for each request, because one that is sent again needs them again.
    const body =
      isLines.test(type!) && Object(given) === given && !isRaw(given) ? await linesOf(given, options) : given;
    const common = typeof options.headers === "function" ? await options.headers() : options.headers;
    const headers = Symbol.iterator in (common ?? []) ? common : filledForm(new Headers(), common);
    const init = { ...(isStream(body) && unkept()), ...options, ...input, method, body, headers, duplex: "half" };
    const request = new Request(url, init as RequestInit);
    setFields(request.headers, { ...fields, ...more });
    // A function of your own, such as `app.fetch`, may not ask the signal.
    input.signal?.throwIfAborted();
    return (options.fetch ?? fetch)(request);
  };
}

/**
 * Has `fetch()` of Node not keep what a stream has sent, for a redirect: only 303, which sends nothing again, could be
 * followed after a stream (Fetch §4.4). Workers refuse the word.
 */
function unkept(): RequestInit {
  try {
    return { redirect: new Request("http://a", { redirect: "error" }).redirect };
  } catch {
    return {};
  }
}

/** The content of a request, and its type where the content does not say it itself. */
function bodyOf({ content, type }: CallInput): { readonly body: unknown; readonly type: string | undefined } {
  if (/^multipart\/|-urlencoded/.test(type!)) {
    const form = /multipart/.test(type!) ? new FormData() : new URLSearchParams();
    // Only the form knows its boundary.
    return { body: filledForm(form, content as object), type: undefined };
  }
  if (type ? !isJson.test(type) : isRaw(content)) return { body: content, type };
  const body = JSON.stringify(content) as string | undefined;
  return { body, type: type ?? (body && "application/json") };
}

/** @throws {TypeError} when the client has nothing that writes lines. */
function linesOf(values: unknown, { lines }: ClientOptions): Promise<unknown> {
  if (!lines) throw new TypeError("Cannot send lines: write client(base, { lines: clientLines })");
  return lines.write(values as never);
}

/** Sets fields instead of those of all calls. A list repeats its name. */
function setFields(headers: Headers, fields: Readonly<Record<string, unknown>>): void {
  let before: string | undefined;
  for (const [name, text] of filledForm(new URLSearchParams(), fields)) {
    if (Array.isArray(fields[name])) checked(text, name, /[,"]|^\s|\s$|^$/);
    headers[name === before ? "append" : "set"](name, text);
    before = name;
  }
}

/**
 * Refuses a value that the server would read as something else: neither cookies (RFC 6265 §4.2.1) nor members of a list
 * in a field (RFC 9110 §5.6.1) are decoded there.
 */
function checked(text: string, name: string, unfit: RegExp): string {
  if (unfit.test(text)) throw new TypeError(`Cannot send "${name}": its value would be read as another; encode it`);
  return text;
}
