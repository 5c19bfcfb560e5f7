import type { lightResponse } from "./light-response.ts";

/**
 * Reads one header field of a light request, as the method of `Headers` would, without making all of them. Returns
 * `undefined` if somebody has replaced its `headers`.
 */
export const lightField: unique symbol = Symbol("lightField");

/**
 * Reads the content of a light request at once. The Promise fulfills with null if the content is longer. Returns null
 * if there is none, or if somebody has begun to read it or replaced its `body`. Others may have the same buffer: who
 * keeps the bytes copies them.
 */
export const lightBytes: unique symbol = Symbol("lightBytes");

/** The members of a light request that the platform's `Request` lacks. */
export interface LightRequest {
  readonly [lightResponse]: typeof Response;
  [lightField](name: string): string | null | undefined;
  [lightBytes](maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> | null;
}
