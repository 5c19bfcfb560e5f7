/** Takes a part of content back once it was sent, so that its memory is used again. */
export type TakeBack = (part: Uint8Array) => void;

const takers = new WeakMap<object, TakeBack>();

/** Marks content whose parts may be given back. By identity: what is made of it may be kept by somebody. */
export function lend<Content extends object>(content: Content, takeBack: TakeBack | undefined): Content {
  if (takeBack !== undefined) takers.set(content, takeBack);
  return content;
}

/**
 * Returns what takes the parts of content back. Only the one reader of the content may call it, and must have kept
 * nothing.
 */
export function takerOf(content: object): TakeBack | undefined {
  return takers.get(content);
}
