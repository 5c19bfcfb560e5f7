import { readLines } from "../formats/lines/line-reader.ts";
import { contentReaderOf } from "../fields/carried-content.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { streamedValues } from "../http/message/streamed-values.ts";
import { HTTPError, refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { isSchema, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { LinesContent } from "./declaration/lines-content.ts";
import { openedBy } from "./declaration/opened-values.ts";
import { sentValues } from "./declaration/content-sending.ts";
import { failuresOf } from "../json-schema/library/issues.ts";
import { parseJsonContent } from "../json-schema/text/parsed-json.ts";
import { validated } from "../json-schema/shape/validation.ts";

/** Options of `lines()`. */
export interface LinesOptions<OnInvalid extends "throw" | "yield" = "throw" | "yield"> {
  /** Maximum size of a request body in bytes. Required to read requests. */
  readonly maxBytes?: number | undefined;
  /** Maximum size of a line of a request in bytes. Default: 64 KiB. */
  readonly maxLineBytes?: number | undefined;
  /**
   * What happens to a value that does not fit. `"throw"` throws 422 where the values are iterated. With `"yield"`, each
   * line is `{ value }` or `{ errors }`. Default: `"throw"`.
   */
  readonly whenInvalid?: OnInvalid | undefined;
}

/**
 * Declares content as JSON lines: a handler takes an async iterable of checked values, or returns one.
 *
 * Lines are read as they are asked for, and written as fast as the client reads. So an import or an export can have any
 * length.
 *
 * A handler that is a generator decides the status by its first value. Before its first `yield` it may return a
 * `reply()`, or throw. Afterwards both break the response off, so that no client takes a part for all.
 *
 * @param schema the schema of the value of each line.
 * @throws {TypeError} when the schema or an option is wrong.
 * @example
 * ```ts
 * const book = z.object({ id: z.int(), title: z.string() });
 *
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static GET = { 200: lines(book) };
 *   async *GET() {
 *     yield { id: 1, title: "Emma" };
 *   }
 *
 *   static POST = { content: lines(book, { maxBytes: 1_000_000 }), 200: z.int() };
 *   async POST({ content }: Call<typeof Books, "POST">) {
 *     let count = 0;
 *     for await (const { title } of content) count += title.length > 0 ? 1 : 0;
 *     return count;
 *   }
 * }
 * const app = Application.builder().resources(Books).build();
 * console.log((await (await app.request("/books")).text()).trim()); // {"id":1,"title":"Emma"}
 * ```
 */
export function lines<Schema extends StandardSchema, OnInvalid extends "throw" | "yield" = "throw">(
  schema: Schema,
  options: LinesOptions<OnInvalid> = {},
): LinesContent<Schema, OnInvalid> {
  const check = new OptionCheck<LinesOptions<OnInvalid>>("lines", options, ["maxBytes", "maxLineBytes", "whenInvalid"]);
  const { maxBytes, maxLineBytes = 65_536, whenInvalid } = check.options;
  check.require(isSchema(schema), "schema", "a schema, such as z.string(), or jsonSchema(schema, check)", schema);
  check.count("maxBytes", "maxLineBytes");
  const isKnown = whenInvalid === undefined || whenInvalid === "throw" || whenInvalid === "yield";
  check.require(isKnown, "whenInvalid", '"throw" or "yield"');
  return Object.freeze({
    kind: "lines",
    type: "application/jsonl",
    schema,
    maxBytes,
    whenInvalid,
    read: (input: object) => valuesOf(input, schema, { maxBytes: maxBytes!, maxLineBytes }, whenInvalid === "yield"),
    open: openedBy,
    sending: sentValues,
    stream: (values, write, leaving, headers) => {
      // A proxy must not hold lines back.
      headers.set("x-accel-buffering", "no");
      return streamedValues(values, async (value) => `${await write(value)}\n`, leaving);
    },
  } satisfies LinesContent<Schema, OnInvalid>);
}

async function* valuesOf(
  input: object,
  schema: StandardSchema,
  bounds: { readonly maxBytes: number; readonly maxLineBytes: number },
  isYielding: boolean,
): AsyncGenerator<unknown, void, undefined> {
  const source = contentReaderOf(input, bounds.maxBytes);
  if (source === null) return;
  const { vendor } = schema["~standard"];
  let at = 0;
  for await (const { number, text } of readLines(source, bounds.maxLineBytes)) {
    const sent = valueOf(text, number);
    const outcome = await validated(schema, sent);
    if (outcome.issues === undefined) yield isYielding ? { value: outcome.value } : outcome.value;
    else {
      const errors = failuresOf("content", { vendor, schema, sent, issues: outcome.issues }).map((failure) => ({
        ...failure,
        pointer: `#/${at}${failure.pointer.slice(1)}`,
      }));
      if (!isYielding) {
        throw Object.assign(refusal(Status.UnprocessableContent, `Line ${number} does not fit`), { errors });
      }
      yield { errors: errors.map(({ pointer, detail, code }) => ({ pointer, detail, ...(code && { code }) })) };
    }
    at++;
  }
}

function valueOf(text: string, number: number): unknown {
  try {
    return parseJsonContent(text);
  } catch (error) {
    const { message } = error as HTTPError;
    throw new HTTPError(Status.BadRequest, message.replace(/^The content/, `Line ${number}`));
  }
}
