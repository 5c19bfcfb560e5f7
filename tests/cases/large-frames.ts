// Limits and many messages, after section 9 of the Autobahn test suite, of an echo that takes messages of 16 MiB, and
// 10,000 of them a second.
import { closeFrame, frame, opcodes } from "../support/frames.ts";

/** What a client sends, and what comes back before it says goodbye. */
export interface LargeFrameCase {
  readonly name: string;
  /** Made when it is sent: all of it together would take a gigabyte. */
  framesOf(): Buffer;
  /** What each message has that is echoed. */
  readonly content: string | Uint8Array;
  readonly count: number;
  readonly closes: readonly (number | null)[];
  /** Bytes of all frames that are echoed: no answer may follow the close frame of the client. */
  readonly echoLength: number;
  readonly pieceLength?: number;
}

export const goodbye: Uint8Array = closeFrame(1000);

const kilobyte = 1_024;
const megabyte = kilobyte ** 2;
/** What `ws` takes of one message; its `maxBytes` does not count what each part weighs beside its content. */
const mostParts = 16_384;

const kinds = [
  { of: "text", opcode: opcodes.text, number: 1, contentOf: (length: number) => "x".repeat(length) },
  { of: "bytes", opcode: opcodes.bytes, number: 2, contentOf: (length: number) => new Uint8Array(length).fill(0xfe) },
];
type Kind = (typeof kinds)[number];

/** A frame of a server: without a mask. */
function lengthOfFrame(length: number): number {
  return length + (length < 126 ? 2 : length < 65_536 ? 4 : 10);
}

/** One message, whole or in parts, and in one piece of TCP or many. */
function single(
  name: string,
  { opcode, contentOf }: Kind,
  length: number,
  { partLength = length, ...more }: { partLength?: number; pieceLength?: number } = {},
): LargeFrameCase {
  const content = contentOf(length);
  const parts = length / partLength;
  const framesOf = (): Buffer => {
    const part = contentOf(partLength);
    return Buffer.concat(
      Array.from({ length: parts }, (_, at) =>
        frame(at === 0 ? opcode : opcodes.continuation, part, { isFinal: at === parts - 1 }),
      ),
    );
  };
  const answer =
    parts > mostParts
      ? { count: 0, echoLength: Infinity, closes: [1008, null] }
      : { count: 1, echoLength: lengthOfFrame(length), closes: [1000] };
  return { name, framesOf, content, ...answer, ...more };
}

/** A thousand messages, of which none waits for the answer to the one before. */
function thousand({ of, opcode, number, contentOf }: Kind, length: number): LargeFrameCase {
  const content = contentOf(length);
  return {
    name: `9.${6 + number} a thousand messages, ${of} of ${length} bytes`,
    framesOf: () => Buffer.concat(Array.from<Buffer>({ length: 1_000 }).fill(frame(opcode, content))),
    content,
    count: 1_000,
    closes: [1000],
    echoLength: 1_000 * lengthOfFrame(length),
  };
}

export const largeFrameCases: readonly LargeFrameCase[] = kinds.flatMap((kind) => [
  ...[64, 256, 1_024, 4_096, 8_192, 16_384].map((count) =>
    single(`9.${kind.number} ${kind.of}, ${count} KiB`, kind, count * kilobyte),
  ),
  ...[64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, megabyte, 4 * megabyte].map((partLength) =>
    single(`9.${2 + kind.number} ${kind.of}, 4 MiB in parts of ${partLength} bytes`, kind, 4 * megabyte, {
      partLength,
    }),
  ),
  ...[64, 128, 256, 512, 1_024, 2_048].map((pieceLength) =>
    single(`9.${4 + kind.number} ${kind.of}, 1 MiB in pieces of ${pieceLength} bytes`, kind, megabyte, {
      pieceLength,
    }),
  ),
  ...[0, 16, 64, 256, 1_024, 4_096, 16_384, 65_536].map((length) => thousand(kind, length)),
]);
