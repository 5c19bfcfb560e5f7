/** Reads one header field of a light request, as the method of `Headers` would, without making all of them. */
export const lightField: unique symbol = Symbol("lightField");

/**
 * Reads the content of a light request at once, null if it is longer. Null in place of a Promise where somebody has begun to read it,
 * or there is none.
 */
export const lightBytes: unique symbol = Symbol("lightBytes");

/** The members of a light request that the platform's `Request` lacks. */
export interface LightRequest {
  [lightField](name: string): string | null;
  [lightBytes](maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> | null;
}
