/**
 * The key of a method that takes a part of content back once it was sent, so that its memory is used again. Only the one
 * reader of the content may call it, and must have kept nothing.
 */
export const giveBack: unique symbol = Symbol("giveBack");

/** What takes parts of its content back. */
export interface Lender {
  readonly [giveBack]?: ((part: Uint8Array) => void) | undefined;
}
