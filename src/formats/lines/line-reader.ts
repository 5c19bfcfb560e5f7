import type { ChunkReader } from "../../fields/whole-content.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { utf8Text } from "../../http/message/utf8-text.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";

const [lineFeed, carriageReturn] = [10, 13];

/** A line of content, without its end. */
export interface Line {
  /** The number of the line: the first is 1. Empty lines count. */
  readonly number: number;
  readonly text: string;
}

/**
 * Reads content line by line, as far as lines are asked for. Leaves out empty lines. A line ends in LF or CRLF, the
 * last one also where the content ends. Holds one chunk and one line.
 *
 * @param source chunks of bytes, which it bounds.
 * @param maxLineBytes how many bytes one line may have.
 * @throws {HTTPError} 413 for a line that is too long; 400 for a line that is not UTF-8.
 */
export async function* readLines(source: ChunkReader, maxLineBytes: number): AsyncGenerator<Line, void, undefined> {
  let [number, isOver] = [0, false];
  let begun = new JoinedBytes(maxLineBytes + 1);
  try {
    while (!isOver) {
      const { done, value } = await source.read();
      isOver = done === true;
      const chunk = isOver ? endOfLine : (value as Uint8Array);
      for (let from = 0; from < chunk.length;) {
        const end = chunk.indexOf(lineFeed, from);
        const part = chunk.subarray(from, end === -1 ? chunk.length : end);
        // With the carriage return that may be part of its end.
        if (begun.length + part.length > maxLineBytes + 1) throw tooLong(number + 1, maxLineBytes);
        begun.add(part);
        from += part.length + 1;
        if (end === -1) continue;
        number++;
        const line = begun.bytes.at(-1) === carriageReturn ? begun.bytes.subarray(0, -1) : begun.bytes;
        if (line.length > maxLineBytes) throw tooLong(number, maxLineBytes);
        begun = new JoinedBytes(maxLineBytes + 1);
        const text = utf8Text(line, `Line ${number}`);
        if (/[^ \t]/.test(text)) yield { number, text };
      }
    }
  } finally {
    if (!isOver) void source.cancel().catch(() => {});
  }
}

const endOfLine = /* @__PURE__ */ Uint8Array.of(lineFeed);

function tooLong(number: number, bytes: number): HTTPError {
  return new HTTPError(Status.ContentTooLarge, `Line ${number} is longer than ${bytes} bytes`);
}
